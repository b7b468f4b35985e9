// Package search plays many worlds where package sim plays one. It knows no checker and no file
// format: what a run is worth it is told by a function.
//
// So far it holds what any search needs to trust its runs, and to survive them:
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
// them decides anything: a run is a function of its plan, wherever it is played.
//
// # The design not taken
//
// The watchdog could have been a budget of the run, as events and virtual time are. But a handler
// that loops handles no further event and reads no further clock, so nothing inside the run can
// notice; and a limit in wall time must never become part of a verdict, or verdicts would depend on
// the machine. It stands outside, and ends the tool, not the run.
package search
