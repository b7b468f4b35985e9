package pages

// synchroSearched says what cures what was found, and how hard was looked. Its figures are those of
// campaigns that take long, and are put in by hand.
const synchroSearched = `
## What cures them

The variant cured is P4 with all of these; each is a rule that a story can set by itself.

- claim-ahead=on: before PROMOTE the leader writes CLAIM(prev, n, term) on the claim that it
  knows last, which does nothing. Once a quorum has it, PROMOTE takes effect, together with
  those that it was built on. It cures claim of few and lost write: a claim of a few makes NOPs,
  which are counted as if they were the rows.
- subscribe-term=on: a subscription carries the raft term, which is taken in before its vclock.
  It cures subscription counts: the ACK that is a subscription and has no term.
- queued-async=sync: what queues behind a synchronous transaction waits for a quorum of its own.
  It cures queued async: one CONFIRM commits an asynchronous transaction on one node alone.
- stale-claim=no-effect: a claim of an old term that asks for nothing is stored without effect,
  as old CONFIRMs are. It cures stale claim: a link stops for good though nothing is lost.
- overtaken-claim=claims-again: a leader whose claim was overtaken by an older one claims again,
  as long as its term is the newest. It cures abandoned claim: a leader without a queue.
- summary-moment=row: the summary of a snapshot is not taken while a row takes effect that its
  vclock covers. It cures snapshot in a claim: the vclock of a PROMOTE with the owner before it.
- replica-flags=row: on a replica a transaction queues only if its origin has queued it, as its
  flags say. It cures forced async: one that bypassed the queue is undone with it elsewhere.
- join-rows=majority: a joiner is given its snapshot once a majority has all rows that it covers.
  It cures giver leaves: rows that nobody can send to anybody any more.

So the plan is not free of lost writes: two of these lose a write that a client was told of,
with three nodes and one crash, a third tells a client of a write that one node alone has, and
two end in silent divergence without any crash. The lost writes come of the same gap, which the
specification names (8.1): a NOP in the place of a row is acknowledged as the row.

## How hard was looked

- Most of the time went into P4 and cured, with drawn clusters of one to five nodes, elections,
  crashes, restarts, broken streams, partitions and delays. Every failure of P4 was read: it is
  one of those above, or was a fault of the model or of a judge, which was mended.
- All profiles once more, from seed 3,000,001 on; of each kind of failure that a sweep tells apart
  the shrunk story was read. P4: 30,000 seeds, 153 fail; P3b: 20,000, 89; P3a: 10,000, 114; P3:
  10,000, 196; P2: 6,000, 336; P1: 3,000, 1,132. P3a to P4 show stale claim, queued async, giver
  leaves, abandoned claim, snapshot in a claim, and two nodes that lead because one was promoted
  with elections off (S7); in P3b once a read goes by another quorum (below). P3 adds votes
  written together with the term (E3), and ACKs without one (A1, as in S12). P2 adds an owner that
  goes on in an old term and after a restart (F1, F2), claims of old terms that take effect (T1),
  and asynchronous rows that come late (C1, 3.5). P1 adds what has no filter without elections
  (W4), no pre-vote and no fencing (E5, E6, E7, T3), drops what its leader does not send (L2), and
  forgets the owner in snapshots (S1, P2). Nothing new is among them but what was mended: a leader
  elected without a healthy quorum of connections was never fenced (E6, the model), where
  Tarantool looks at every change of them; in P1 a row counted as the leader's that was sent before
  its relay had said so (V5, the model), and a commit as one of an older claim of its node (P2, a
  judge); and asynchronous writes beside a DEMOTE, seen by a node that has joined (C1, a judge).
- cured: of seeds 1 to 60,000 5 failed, of 200,001 to 220,000 12, and of 300,001 to 352,000 5,
  each time with what had failed before mended. All were read. They came to: snapshot in a claim,
  giver leaves and forced async, above; faults of the model (a joiner took rows of others than its
  giver before its join was over; a read asked too few once a member had left); and of the judges.
  After these, of 24,000 seeds from 400,001 on 1 failed: a joiner waited for rows that its giver
  had dropped behind a snapshot (L2), a fault of the model. Of 66,500 more three failed, all by
  the judges: what a peer had said on a connection that was gone counted as if it stood (E5), and
  an asynchronous row that waits at a node until a claim has taken effect there is as late as one
  that comes after it (L1, 3.5). Of 100,000 seeds from 1,000,001 on two failed: a client was not
  answered whose write was refused as its process ended (L4, the model), and a row that a snapshot
  has made durable counted as not written (V4, a judge). Of 30,000 from 3,000,001 on two more, both
  by the model: a joiner that died with nothing but a term on its disk did not join again (L2), and
  one whose stream broke was given rows without a snapshot (V1).
  With all of that mended, none of those 66,500 fails, and none of the 100,000 from 3,000,001 on:
  a rate below 3.0e-5, with 95 % confidence.
- Not promised, so not a fault: linearizable reads where nodes go by different quorums, as where
  one has not heard of a member yet.
- Six rules that change nothing that is promised, such as sending rows, ACKs or raft messages
  twice, were set on cured for 1,000 seeds each: nothing was flagged.
- The two lost writes were found by thinking through what the stories of NOPs leave open, and
  then played; drawn sweeps have met their milder relatives only.
- Every order: three nodes and two crashes, no timers. With all properties 200,000 states and
  62,815 ends, states being kept apart by how they came about; judged by H1 alone, which lets them
  meet again, 1,500,000 states, 5,275,216 transitions and 48 ends; two nodes and two crashes, by
  H1 alone, 1,500,000 states, 6,623,806 transitions and 108 ends. Nothing broke, and none of it is
  complete, by far: a way has up to 98 steps, and in every end that was reached the claim had
  taken effect and the write was confirmed before anything crashed.
- Porcupine judged every history of the last 100,000 seeds of cured; none is undecided. Its share of
  the time of a swept seed is 1.4 % (1.1 to 1.7): of the samples of a CPU profile, those with a
  frame of its package, with the steps of the registers in it. The whole of H1, lenient and strict,
  with histories read and divided, is 2.6 % (2.4 to 3.0), all judging 26.7 %, playing 69.4 %; the
  rest is drawing and the collector. Medians, and the least and the most, of five profiles, each of
  ten passes over seeds 1 to 2,000 of cured, one core, GOGC 800 as in a sweep; 2.3 ms a seed.
  ` + "`go test ./model/synchro -run none -bench SweptSeed -benchtime 2000x -count 10`" + `
  with ` + "`-cpuprofile cpu`" + `, then
  ` + "`go tool pprof -top -focus anishathalye/porcupine cpu`" + `.
`
