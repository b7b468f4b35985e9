package pages

const (
	clocksHead = `# Clocks: what each one orders, and what is lost without it

Written by ` + "`downset results clocks`" + `, the pictures too. Every number is counted in runs
of the model, by its ledger of who had seen what, except those of the three tables about version
vectors, which need no nodes. Which clock for what:

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

A chain of updates of one key: somebody reads, and writes an interval of 10 ms after the last
write, at one of three replicas, whose clocks are off by up to half of the skew either way. All
lost updates had been acknowledged. By wall clock nothing is lost as long as the skew is below the
interval, and from there on a write on a node that is behind loses to the one that it had read.
For one step the chance is (1 - 1/3) (1 - interval/skew)² / 2 — 8 % at 2, 19 % at 4, 26 % at 8, 29
% at 16 — and in a chain with large skew more, since what is lost leaves a stamp ahead of the
next; with ever smaller intervals it tends to 2/3. Stamps that move on when a message comes in,
Lamport's and hybrid ones, lose nothing here, nor do versions or a condition: nobody wrote without
having read.
`
	concurrentSays = `
![](clocks-concurrent.svg)

The same with clocks that are right, and writers that do not wait for each other: a message takes
5 ms, so who reads its own replica has often not seen the last write. Now every rule by which the
last writer wins loses updates, however good its clock: of two that had not seen each other one
has to go. Siblings keep both. A condition refuses the second, which is told so and can read and
try again: those are in the last column.
`
	sizesSay = `
![](clocks-size.svg)

Bytes of a vector as it is encoded here, with a count, a time and a name of two to four letters a
pair: it grows with all who have ever written. Pruned it does not.
`
	conflictsSay = `
![](clocks-conflicts.svg)

Writers drawn one after the other, each writes what it has just read. If the vector keeps fewer
pairs than there are writers, that of the next writer has often been dropped, and its version then
looks concurrent to the one it descends from: in 1 - limit/writers of the writes, as predicted.
Each is a sibling that somebody has to settle.
`
	silentSays = `
Two replicas write apart and merge every fourth write. *False conflict*: one had seen the other,
and they look concurrent. *False descent*: neither had seen the other, and one looks newer, so the
other is dropped without a word. Pruning makes false conflicts only. What loses silently is one
count used twice: two replicas that count for the same writer from the version at hand.
`
	driftSays = `
![](clocks-drift.svg)

Gossip among ten nodes, an event a millisecond, half of them messages, five seeds. A hybrid stamp
is ahead of its node's clock by less than the largest difference of two clocks, and by about the
least delay of a message less. The logical part stays small; coarse clocks and events that come
quickly make it greater.
`
	closeSays = `
![](clocks-close.svg)

Ten nodes, a thousand events, of which 1, 10 or 50 in a hundred send a message to anybody. Equal
stamps of two nodes are always concurrent. Of pairs whose stamps differ by one still three in four
or more are, and the share falls slowly: that the stamp of a is less than that of b says next to
nothing about whether a could have caused b, unless everybody talks all the time.
`
	streamSays = `
![](clocks-streams.svg)

Three producers take turns by chance, an event each 2 ms; the consumer puts events in order by
their stamps and waits 10 ms for earlier ones, or takes the numbers of the partition. *Late* is an
event that is given after one that follows it in the log. As with updates the cliff is where the
skew exceeds the interval.
`
	twoClocksSay = `
Runs out of 200 in which two nodes act upon a lease of 50 ms at once, its holder is refused
although it still has most of its time, or a measured latency is below zero or above the round
trip. Hosts were started at different times, clocks are off by up to 20 ms, messages take 1 to 10
ms. A monotonic clock says nothing about that of another machine; a duration does not care, but
counted from the answer it ends too late by what the answer took.
`
)
