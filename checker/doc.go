// Package checker reads finished runs and says what is wrong with them. It knows no protocol: a
// protocol tells it, by a struct of functions, which facts and messages mean what. It never asks
// the world, and never changes a run.
//
// A sim.Property is a claim about a run. Judge tests properties and makes a Verdict: what holds,
// what is broken, what could not be decided, and whether any property had anything to say at all. A
// violation names the entries of the trace that show it (the witness), those two that cannot both
// be, if two are enough (the clash), and the shortest causal chain between them.
//
// Order is happened-before, by vector clocks. A consistent cut is exactly a down-set of it:
//
//	P --tx1----|--tx5-.            cut 1 has tx5 before on Q, but after on P:
//	           |       \           a message from after the cut to before it
//	Q --tx3-----------tx5--|--
//
// CutModel reads a protocol that draws such cuts and gives the properties they must have.
//
//	m := checker.CutModel{Point: pointOf, Commit: commitOf}
//	protocol.Properties = m.Properties()
//
// CutModel.Compare holds the scan that decides them against a twin that enumerates all down-sets.
//
// # The design not taken
//
// Cuts could be judged by vector clocks, as textbooks do: a frontier is consistent if no clock on
// it knows more of a node than the frontier has of it. That costs a clock for every entry of every
// run, to decide what one scan over the messages decides; so clocks are only for those who ask
// about two entries. Cuts could be judged by deliveries. But a delivery is recorded before the
// machine draws its point and only then applies what it was handed, so that would condemn the right
// algorithm: what counts is when a message takes effect. And the properties could share one reading
// of a run. They do not, because a property is a plain function of a run, which any core may call
// at any time, and reading is cheap.
package checker
