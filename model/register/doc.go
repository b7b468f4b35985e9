// Package register is a register that many nodes keep copies of, read and written at majorities, so
// that it behaves as if there were one: Attiya, Bar-Noy and Dolev (Sharing memory robustly in
// message-passing systems, 1995), for many writers as Lynch and Shvartsman give it (1997).
//
// Every version of a register has a tag, a sequence number and the name of who wrote it. A node
// that a client asks is the coordinator of the operation. It asks all in two phases, and each phase
// ends with the replies of a majority; it is one of the nodes itself, and the first to reply:
//
//	      write x 3           [1.A]               ok
//	A  ------o-----------------o-------------------o------
//	         |\ query         / |\ store x 3      /
//	B  ------|-o-------------'  | o--------------'
//	         |        answer    |           ack
//	C  - - - x - - - - - - - -  x - - - - - - - - - - -     is down
//
// A write learns the newest tag from the first phase and stores its value under a greater one with
// the second. A read learns the newest version, and stores it before it returns it: one that a read
// has returned is then at a majority, and since two majorities meet, no later read misses it. A
// node keeps a version only if it is newer than its own, so stores may come late, twice, and in any
// order.
//
// Nodes crash and come back. A version is on the disk of a node before it says that it has it; that
// is all that a node must remember. What it coordinated is lost: that client never hears, and the
// write may take effect yet, through a copy that it left somewhere and a read that meets it there.
// Messages are lost; a phase asks again whoever has not replied. The members are those of the
// start.
//
// node.go is what a node does; variants.go and mutants.go have the table; properties.go says what
// must hold, replica.go and majority.go what that rests on.
//
// Decisions that the papers leave open:
//
//   - A coordinator keeps the version that it writes on its own disk before it sends it, and
//     chooses above what is there. A crash in between could else make it choose the same tag twice,
//     and so could two clients of one node at once.
//   - Replies name the call and the round that they belong to. Calls are numbered by those who make
//     them, each once, so no reply to a question from before a restart is taken for one to a
//     question from after it.
//   - Nothing is ever refused. Whoever has sent a store cannot know that it has no effect.
//
// # The design not taken
//
// Phases could be numbered by the node, from 1 in each of its lives; then a life needs a number of
// its own, written and synced before its first question. Tags could be made of clocks, which saves
// the first phase of a write and orders writes wrongly as soon as clocks do. A node could flush and
// go on, and acknowledge when it is told that its disk is done; that is quicker, and the same to
// everybody else. One that answers a question with what is not yet on its disk, however, makes the
// short way of fast-read wrong.
package register
