// Package search plays many worlds where package sim plays one. It knows no checker and no file
// format: what a run is worth it is told by a function.
//
//	       a protocol                       a plan, in still time
//	           |                             |                 |
//	 Random, Temper: by seed           WithCrashes:        Walk: every order,
//	           |                       at every effect     faults at every moment
//	           v                             v                 v
//	         Sweep                      CrashPoints         Explore
//	           |                             |                 |
//	           v                             v                 v
//	the first of each failure        phases that break     Shortest way to a failure
//	           |                             |                 |
//	           +-----------------------------+-----------------+
//	                                         v
//	           Pin: nothing is left to a seed; then the run is a plan again
//	                  |                                        |
//	                  v                                        v
//	      Shrinking: what can go, goes;            Why: which event dooms the run,
//	      then small plans from below              which nearest run passes
//
// A search is one of three. Sweep plays many seeds of plans that Random draws, each in a network of
// another Temperament. CrashPoints plays one plan with a crash, or two, at every place between two
// effects. Explore goes through every state that a small plan can come to, and Shortest through
// those nearest the start. Only an exploration that is complete says that nothing breaks within
// its bounds; of a sweep, Summary.Bound says how seldom at most.
//
// What a search finds is made small by Shrinking, which gives a plan whose run fails in the same
// way, if it can the plainest there is; and Why asks of a failing run on which of its events the
// failure hangs, by playing many futures from each.
//
// Runs must be trusted, and survived:
//
//	      Twice(plan)                     Guard(limit, f)
//
//	plan ---> world 1 ---> run      f --------------------> done
//	  \                     |            . . . . . . . X
//	   `----> world 2 ---> run           the limit: who loops?
//	                        |
//	            First(a, b): the entry at which they part
//
// Twice plays one plan in two worlds and compares what came of it, bodies included. The second run
// happens under conditions that must not matter: a busier garbage collector, another stack. Guard
// runs a function against the wall clock, and says which handler it was in when time was up.
//
// This is the one package of the engine that may use goroutines, locks and the wall clock. None of
// them decides anything: a run is a function of its plan, wherever it is played, and what a sweep
// or crash points come to depends on no number of jobs. Explored says what of an exploration does.
//
// # The design not taken
//
// The watchdog could have been a budget of the run, as events and virtual time are. But a handler
// that loops handles no further event and reads no further clock, so nothing inside the run can
// notice; and a limit in wall time must never become part of a verdict, or verdicts would depend
// on the machine. It stands outside, and ends the tool, not the run.
package search
