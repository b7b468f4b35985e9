// Package cut is the consistent cut of the draft's simple model: nodes that commit transactions and
// notify each other of them, and points, one on each node, that shall have the same transactions
// before them everywhere.
//
// A transaction commits on the node whose client asks for it, and on the others as they receive the
// notification. The cut runs through all lines at once, and through the messages between them:
//
//	P ----commit tx4---------|-----commit tx5-------
//	        \  notify        |          \  notify [1]
//	Q -------commit tx4------+-----------|--commit tx5--
//	                       cut 1         cut 1
//
// Both points leave tx4 before and tx5 after, since the notification of tx5 is signed with the
// version 1 in which P stands, and Q draws its point before it takes the message up. Without the
// signature Q would commit tx5 before its own point: the message would cross the cut backwards,
// from after to before. A message may cross forwards: it belongs to the state of its channel, which
// is part of the cut. Q learns what was in the channel by the versions of what arrives late, and
// that nothing more will by asking P how many it sent.
//
// The package has the draft's rules (sections Consistent Cut and Algorithm), not Ignite's: no
// prepare, no roles, no discovery. node.go is what a node does with messages and requests,
// gather.go how it gathers channel states, join.go how a node begins that comes later, restore.go
// how one goes on after a crash. variants.go has the table of variants and what they differ in.
//
// Decisions that the draft leaves open:
//
//   - Versions are counters, and cut K has version K. A node that learns of version 3 in version 1
//     draws its points of cuts 2 and 3 at the same place, in this order. So several cuts can be
//     under way, started anywhere; none is passed over, and each cut lies within the next.
//   - Only a newer version triggers a cut. The draft says one that differs; but an older one is
//     what a message from before the sender's point carries.
//   - A message has two versions: the one that it is signed with, in which its sender stands as it
//     sends it, and of a notification the one in which the transaction was committed (txCutVer).
//     They differ when a notification is sent again after a crash or a loss.
//   - Nobody broadcasts a cut. Messages carry it, and a node whose cut is not complete asks the
//     others after a while for their counts, which tells those that no message has reached. The
//     rule start=told adds a message to all.
//   - A node that joins learns the version of all members before it acts, and is a member of later
//     cuts. A member that leaves takes its channels with it: the cuts under way are given up.
//
// # The design not taken
//
// Acknowledging every notification would make each arrive without a cut, and would let a sender
// know when its channels are empty. It doubles the messages of a model whose pictures should show
// one arrow a transaction, and the cut does not need it: the count finds what is missing, and what
// no cut asks for may be lost, as in a network that loses. Keeping channel states as records of
// their own was the other choice; a commit's version and its place behind the point on the disk say
// the same, and cannot disagree with them.
package cut
