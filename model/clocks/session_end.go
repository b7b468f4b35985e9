package clocks

import "github.com/downset/downset/sim"

// forget ends the session of a node: the next request is of a new one, which has seen nothing, as
// that of another user of the application.
type forget struct{}

// forgot says that it has ended, and is what its client is told.
type forgot struct{}

func (forget) Kind() string { return "forget" }
func (forgot) Kind() string { return "forgot" }

func (forget) begin(n *node, env *sim.Env, c sim.Call) {
	n.session = session{}
	env.Note(forgot{})
	env.Return(c.ID, forgot{})
}

// sessionOps are its forms.
func sessionOps() []opForm {
	return []opForm{{"forget", "", func([]string, string) (sim.Op, error) { return forget{}, nil }}}
}
