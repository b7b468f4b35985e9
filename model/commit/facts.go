package commit

import "github.com/downset/downset/sim"

// Facts are what a node says about itself for checkers to read: a record, once it begins a
// transaction or its vote is on the disk; decision, once it has decided; and gaveUp. After a
// restart a node says again what it has found.

// gaveUp: the node has waited for votes, asked again, waited again, and now aborts.
type gaveUp struct{ tx }

func (gaveUp) Kind() string { return "gave-up" }

// say says what a node has decided of a transaction, or promised.
func (r record) say(env *sim.Env) {
	switch r.Is {
	case voting, prepared:
		env.Note(r)
	case refused:
		env.Note(r)
		env.Note(decision{r.tx, false})
	case decided, committed:
		env.Note(decision{r.tx, true})
	case aborted:
		env.Note(decision{r.tx, false})
	}
}
