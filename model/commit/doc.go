// Package commit is the atomic commitment of transactions in two phases, with presumed abort: Gray
// (Notes on data base operating systems, 1978), and Mohan, Lindsay and Obermarck (Transaction
// management in the R* distributed database management system, 1986, sections 2 and 3). It is the
// example to begin with: node.go has the whole protocol, each rule at the handler that keeps it.
//
// A client asks a node to commit a transaction. That node is its coordinator, others that the
// client names are its participants:
//
//	    commit tx1 P Q      [decided]      commit to the client        [ended]
//	C  ------o-----------------o--------------------------------------------o----
//	         |\ prepare       /|\ commit                                   /|
//	P  ------|-o-[prepared]--' | o-[committed]----------------------------' |
//	         |          yes    |                                       ack  |
//	Q  ------o---[prepared]----'-o-[committed]------------------------------'
//
// What is in brackets is a record in the log of a node. All but ended are forced: on the disk
// before the node does anything further.
//
// # The rules
//
// Rules marked PA are those of presumed abort, section 3; the others are those of two-phase commit,
// section 2.
//
//  1. The coordinator asks all participants to prepare.
//  2. A participant that can commit forces a prepared record, which names the coordinator, and then
//     votes yes. From then on it is in doubt: it neither commits nor aborts by itself.
//  3. A participant that cannot commit votes no, and has aborted.
//  4. If all have voted yes, the coordinator forces a record that names the participants. With that
//     record, and at no other moment, the transaction is committed. Then client and participants
//     are told.
//  5. With a no, or if a vote does not come, the coordinator aborts: it tells client and
//     participants, and forgets the transaction. PA: it forces nothing and waits for no answer.
//  6. A participant that is told to commit forces a record, and then acknowledges.
//  7. A participant that is told to abort does. PA: it forces nothing and does not acknowledge.
//  8. The coordinator tells of a commit until all have acknowledged. Then it writes that the
//     transaction has ended, without force, and forgets it.
//  9. A participant in doubt asks its coordinator, at once after a restart, else after a while, and
//     goes on asking.
//  10. A coordinator that is asked says what it has decided. While it waits for votes it says
//     nothing. PA: if it knows nothing of the transaction, it says abort.
//  11. A node that restarts goes by its log: a commit that has not ended it goes on to tell (8), of
//     what it is prepared for it goes on to ask (9), and of the rest it knows nothing.
//
// Why rule 10 is safe: a coordinator knows nothing of a transaction if it never forced rule 4's
// record, and then nobody has committed; or if all have acknowledged, and then who asks has asked
// before that, has committed since, and goes by rule 6 and not by an answer that is late.
//
// Blocking is the price. While its coordinator is down, a participant in doubt can only wait: the
// others may have been told either.
//
// # What the paper leaves to sessions
//
// R* sends messages on sessions, which lose and copy nothing and tell of crashes. Here they are
// datagrams, so:
//
//   - What is not answered is sent again, a question for votes once. A node may get anything twice,
//     and late; it answers a copy as it did the first.
//   - A participant remembers what it has committed. One that forgets might be asked to prepare it
//     once more, by a copy that was late, and would be told then that nothing is known of it.
//   - The record of a no is forced. Without it, a copy of the question that comes after a crash
//     would find nothing and be answered yes, while the no is still on its way.
//
// node.go and table.go are what a node does and knows; variants.go says what is forced; mutants.go
// has the wrong forms; properties.go says what must hold.
//
// # The design not taken
//
// A coordinator could be a participant of its own transactions, by messages to itself. Its record
// of rule 4 says all that its vote would. Participants in doubt could ask each other: one that has
// decided knows, and one that has not voted could still refuse. That blocks less often, and is
// another protocol. The log could be cut behind what has ended; then committed records need the
// same care as those of an ended coordinator, and nothing is learned from it about the two phases.
package commit
