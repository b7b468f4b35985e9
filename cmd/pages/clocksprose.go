package pages

const (
	clocksHead = `# Clocks: what each one orders, and what is lost without it

Written by ` + "`downset results clocks`" + `, the pictures too. Every number is counted in runs
of the model, by its ledger of who had seen what, except those of the three tables about version
vectors, which need no nodes. Shares have half of their 95 % interval beside them, by how much
independent runs differ; where it says 0 %, there was none. Which clock for what:

| you want | take | not |
|---|---|---|
| one winner, never against what it had read | a hybrid or Lamport stamp | wall clocks |
| no update lost, written anywhere | version vectors with dots, or a CRDT | a last writer |
| no update lost, and one value | a number a record, checked where the record lives | a time |
| to know whether two events are concurrent | a vector | a Lamport stamp |
| a stream in order | numbers of its partition | stamps of producers |
| a right that ends by itself | a duration, counted from the question | a time on another's clock |
| to show people when it was, to drop what is old | the wall clock | |
`
	skewSays = `
![](clocks-lost.svg)

A chain of 40 updates of one key: somebody reads, and writes an interval of 10 ms after the last
write, at one of three replicas, whose clocks are off by up to half of the skew either way; 1600
chains a cell by wall clock, 100 by the others. All lost updates had been acknowledged. By wall
clock nothing is lost as long as the skew is below the interval, and from there on a write on a
node that is behind loses to the one that it had read. For one step the chance is (1 - 1/3)
(1 - interval/skew)² / 2 — 0.9 % at 1.2, 8 % at 2, 19 % at 4, 26 % at 8, 29 % at 16 — and in a
chain more, since what is lost leaves a stamp ahead of the next; with ever smaller intervals it
tends to 2/3. Stamps that move on when a message comes in, Lamport's and hybrid ones, lose nothing
here, nor do versions or a condition: nobody wrote without having read.
`
	concurrentSays = `
![](clocks-concurrent.svg)

The same with clocks that are right, and writers that do not wait for each other, 100 runs of 60
writes a cell: each is of a client of its own, at its time, whatever becomes of those before. A
message takes 5 ms, so who reads its own replica has often not seen the last write. Now every rule
by which the last writer wins loses updates, however good its clock: of two that had not seen each
other one has to go. Siblings keep both. A condition refuses the second, which is told so and can
read and try again: those are in the last column, in parts of all writes. They are more than the
others lose, since of a condition's writes only those count that had seen the very last.
`
	sizesSay = `
![](clocks-size.svg)

Bytes of a vector as it is encoded here, with a count, a time and a name of two to four letters a
pair: it grows with all who have ever written. Pruned it does not. The form of the store that never
prunes is the variant unpruned, which breaks vector-size.
`
	conflictsSay = `
![](clocks-conflicts.svg)

Writers drawn one after the other, each writes what it has just read. If the vector keeps fewer
pairs than there are writers, that of the next writer has often been dropped, and its version then
looks concurrent to the one it descends from: in 1 - limit/writers of the writes, as predicted.
Each is a sibling that somebody has to settle.
`
	silentSays = `
Two replicas write apart and merge every fourth write; 200,000 writes a row. A third takes no
writes, and gets a copy of what they have after every fortieth. *False conflict*: one had seen the
other, and they look concurrent. *False descent*: one looks newer than the other without having
seen it, and the other is dropped without a word. The first two shares are of the two replicas,
compared after each write, the last two of what was written and the third's old copy. With a count
of its own on a disk a writer makes false conflicts only, however much is pruned. What loses
silently is one count used twice. If two replicas count for the same writer from the version at
hand, they do so at once, most of all where nothing is pruned: both take the next after the same.
If each writer keeps to one replica, its count is used again once its pair has been pruned, and an
old copy, which has the higher count still, looks newer than what has replaced it; the fewer
writers there are, the sooner one comes back before the copy is replaced.
`
	driftSays = `
![](clocks-drift.svg)

Gossip among ten nodes, an event a millisecond, half of them messages; the greatest of ten runs. A
hybrid stamp is ahead of its node's clock by at most max(0, difference - delay), where that is the
largest difference of two clocks and the least delay of a message, and it gets there: by the time
that the stamp of the fastest clock comes to the slowest, that has gone on by the delay. If clocks
differ by less than a message takes, no stamp is ahead at all. The logical part stays small. Events
that come quickly make it greater if the clocks are coarse, or apart: for as long as a stamp is
ahead of a node's clock, the node counts.
`
	closeSays = `
![](clocks-close.svg)

Ten nodes, a thousand events, of which 1, 10 or 50 in a hundred send a message to anybody, 20 runs.
Equal stamps of two nodes are always concurrent. Of pairs whose stamps differ by one still three in
four or more are, and the share falls slowly: that the stamp of a is less than that of b says next
to nothing about whether a could have caused b, unless everybody talks all the time. In the second
table are all pairs with different stamps. How many of them are concurrent depends on how long one
looks, for what is far apart in time is ordered: of 300 events more are than of 1000. For two nodes
that hardly talk others have measured 23 %, without saying of how many events: 15 to 28 % here.
`
	streamSays = `
![](clocks-streams.svg)

Three producers take turns by chance, 100 events, one each 2 ms; the consumer puts events in order
by their stamps and waits 10 ms for earlier ones, 400 runs, or takes the numbers of the partition,
50 runs. *Late* is an event that is given after one that follows it in the log. As with updates the
cliff is where the skew exceeds the interval. The leader sends on without waiting for the consumer,
up to 64 events ahead, so that what comes late is late by its stamp.
`
	twoClocksSay = `
Runs out of 600 in which two nodes act upon a lease of 50 ms at once, its holder is refused
although it still has most of its time, or a measured latency is below zero or above the round
trip. Hosts were started at different times, clocks differ by up to 40 ms, messages take 1 to 10
ms. A monotonic clock says nothing about that of another machine; a duration does not care, but
counted from the answer it ends too late by what the answer took.
`
)
