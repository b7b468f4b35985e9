package ignite

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// txProperties are those of transactions, whatever cuts there are, and those of the order between
// transactions that a cut must respect. The layers: 0 is what one object does, 1 what the objects
// of a transaction do, 2 what comes of it in the end, 3 what never comes. Above are promises that
// shipped code is known not to keep, a layer each: of the vote no, and of the order of transactions
// (8, Q15), from what one key shows to what only clients see.
//
// Whether a transaction ended UNKNOWN is a heuristic failure that stories make on purpose: nothing
// is claimed of its outcome.
func txProperties() []sim.Property {
	return slices.Concat(objectProperties(), commitProperties(), endProperties(), dataProperties(),
		orderProperties())
}

func objectProperties() []sim.Property {
	return []sim.Property{
		{Name: "transitions", Class: sim.Silent, Scope: sim.ScopeState, Reads: ofObjects(),
			Check: told(transitions),
			Doc:   "objects go from state to state by the table, and end once (1.3, I-16)"},
		{Name: "finalization", Class: sim.Silent, Scope: sim.ScopeState, Reads: ofObjects(),
			Check: told(finalizations),
			Doc: "one party finishes an object: USER_FINISH is taken once and from NONE, " +
				"RECOVERY_FINISH never from USER_FINISH (1.3, I-16)"},
		{Name: "write-ahead", Class: sim.Silent, Scope: sim.ScopeState, Reads: ofWrites(),
			Check: told(writeAhead),
			Doc: "data is written while its object is COMMITTING, all of it and once, and after its " +
				"TxRecord(PREPARED) (1.7, I-23)"},
	}
}

func commitProperties() []sim.Property {
	return []sim.Property{
		{Name: "unanimity", Layer: 1, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: told(unanimity),
			Doc: "in two phases nobody commits before all participants that are there are PREPARED " +
				"(1.4, I-13)"},
		{Name: "commit-order", Layer: 1, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: told(commitOrder),
			Doc: "in two phases near commits before its primaries and they before their backups; " +
				"in one phase it is the other way round (1.4, 1.5, I-13, I-14)"},
		{Name: "one-phase", Layer: 1, Class: sim.Silent, Scope: sim.ScopeOrder,
			Check: told(noWayBack),
			Doc: "a primary does not roll back once it has let its backup commit, unless the backup " +
				"could not (1.5, I-14)"},
		{Name: "yes-vote", Layer: 1, Class: sim.Silent, Scope: sim.ScopeState, Reads: ofVotes(),
			Check: told(yesVotes),
			Doc:   "what a node has answered recovery to be prepared only recovery rolls back (3.1, I-18)"},
		{Name: "synchrony", Layer: 1, Class: sim.DetectedLoss, Scope: sim.ScopeOrder,
			Check: told(synchrony),
			Doc: "a client told COMMITTED finds it committed on all owners that are there, or on the " +
				"primaries, as its sync mode says, and one told ROLLED_BACK rolled back on all (1.6)"},
	}
}

func endProperties() []sim.Property {
	return []sim.Property{
		{Name: "atomicity", Layer: 2, Class: sim.Silent, Scope: sim.ScopeEnd, Reads: ofObjects(),
			Check: told(atomicity),
			Doc:   "in the end a transaction is on all owners that stayed up, or on none (I-12)"},
		{Name: "outcome", Layer: 2, Class: sim.Silent, Scope: sim.ScopeEnd, Reads: ofObjects(),
			Check: told(outcomes),
			Doc:   "what near tells its client became of a transaction is what the data says (I-15)"},
		{Name: "recovery", Layer: 2, Class: sim.DetectedLoss, Scope: sim.ScopeEnd,
			Check: told(recoveries),
			Doc: "if only near fell, before any finish request arrived, a transaction that all have " +
				"prepared commits, and one that somebody never prepares rolls back (3.1, I-17)"},
		{Name: "completion", Layer: 3, Class: sim.Stopped, Scope: sim.ScopeEnd, Reads: ofObjects(),
			Check: told(completion),
			Doc: "in the end no object is unfinished whose client has ended its transaction, and no " +
				"client waits (I-19)"},
		{Name: "no-vote", Layer: 5, Class: sim.Silent, Scope: sim.ScopeState, Reads: ofVotes(),
			Check: told(noVotes),
			Doc: "what a node has answered recovery not to be prepared it neither prepares nor " +
				"commits later (3.1, I-18)"},
	}
}

// told is the check of a property that looks at tales.
func told(look func(t *tales, p *tally)) check {
	return func(run *sim.Run) (premises int, v *sim.Violation) {
		p := &tally{}
		look(readTales(run), p)
		return p.premises, p.v
	}
}

// each looks at every transaction that was mapped.
func each(look func(t *tales, x *tale, p *tally)) func(*tales, *tally) {
	return func(t *tales, p *tally) {
		for i := range t.list {
			if x := &t.list[i]; x.mapped >= 0 {
				look(t, x, p)
			}
		}
	}
}

// text is an object for people: the primary object of tx1 on P.
func (t *tales) text(l *stint) string {
	return fmt.Sprintf("the %v object of %s on %s", l.key.Role, l.key.Name, t.run.Name(l.node))
}
