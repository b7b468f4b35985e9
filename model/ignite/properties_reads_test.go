package ignite

import (
	"fmt"
	"slices"
	"testing"

	"github.com/downset/downset/sim"
)

// Stories for kinds that the others lack: a commit that fails in a cut; a transaction that is
// suspended and resumed; recovery, which asks; one that is decided when signing is off.
const (
	broken = `
-- scenario --
model   ignite
nodes   N P Q
client  N
key     x on P
key     y on Q

-- script --
Q fail T1
hold N->Q NFQ T1
N commit T1 x=1 y=1
P cut c1
release N->Q NFQ T1
`
	resumed = `
-- scenario --
model   ignite
nodes   P Q
key     x on P
key     y on Q

-- script --
P begin T1
P write T1 x=1 y=1
P suspend T1
P resume T1
P commit T1
`
	inquired = `
-- scenario --
model   ignite
nodes   N P Q
client  N
key     x on P
key     y on Q

-- script --
hold N->* NFQ T1
N commit T1 x=1 y=1
crash N for good
`
	drained = `
-- scenario --
model   ignite
nodes   N P Q
client  N
key     x on P
key     y on Q

-- script --
N begin T2
P cut c1
N commit T1 x=1 y=1
N rollback T2
`
)

// readable are all stories of this file.
var readable = []string{crossing, voting, failing, backed, rolling, broken, resumed, inquired, drained}

// unread says that a property which reads single nodes does not say of a kind that it reads it.
func unread(p *sim.Property, kind string) bool {
	local := p.Scope == sim.ScopeState || p.Scope == sim.ScopeEnd
	return local && p.Reads != nil && !slices.Contains(p.Reads, kind)
}

// passes are the pairs of entries of a run that follow each other among the facts and records of one
// life of a node, and of which one is a fact: to change their places leaves the logs as they are.
func passes(run *sim.Run) (pairs [][2]int) {
	last := make([]int, len(run.Nodes))
	for i := range last {
		last[i] = -1
	}
	for i, e := range run.Trace {
		if int(e.Node) >= len(last) {
			continue
		}
		switch e.Kind {
		case sim.EntryStarted, sim.EntryCrashed, sim.EntryLeft:
			last[e.Node] = -1
		case sim.EntryNoted, sim.EntryAppended:
			at := last[e.Node]
			if at >= 0 && !tells(run, at, i) && (e.Kind == sim.EntryNoted || run.Trace[at].Kind == sim.EntryNoted) {
				pairs = append(pairs, [2]int{at, i})
			}
			last[e.Node] = i
		}
	}
	return pairs
}

// tells says that the handler of an entry puts something on discovery before another one. A node says
// of a result that it publishes it.
func tells(run *sim.Run, at, until int) bool {
	return slices.ContainsFunc(run.Trace[at:until], func(e sim.Entry) bool {
		return e.Kind == sim.EntrySequenced && e.Cause >= 0 &&
			run.Trace[e.Cause].Cause == run.Trace[at].Cause
	})
}

// judgedBy is what each property says of a run: its premises, and whether it holds.
func judgedBy(run *sim.Run) (said []string) {
	shared := *run
	shared.Memo = map[any]any{}
	for _, p := range Protocol.Properties {
		n, v := p.Check(&shared)
		said = append(said, fmt.Sprint(n, v == nil))
	}
	return said
}

// What a property does not say that it reads must not matter to it: an exploration takes two runs
// for one that differ in where such an entry stands among the others of its node.
func TestWhatAPropertyDoesNotReadDoesNotMatterToIt(t *testing.T) {
	for _, story := range readable {
		for _, mode := range []string{"draft", "merged", "fixed"} {
			run := tell(t, mode, story)
			good := judgedBy(run)
			pairs := passes(run)
			if len(pairs) < 10 {
				t.Fatalf("%s: %d pairs of facts, want more:%s", mode, len(pairs), story)
			}
			for _, pair := range pairs {
				a, b := &run.Trace[pair[0]], &run.Trace[pair[1]]
				kinds := [2]string{a.Body.Kind(), b.Body.Kind()}
				*a, *b = *b, *a
				for k, said := range judgedBy(run) {
					p := &Protocol.Properties[k]
					if said != good[k] && (unread(p, kinds[0]) || unread(p, kinds[1])) {
						t.Errorf("%s, %s before %s instead of after it: got %s of %s, want %s%s",
							mode, kinds[1], kinds[0], said, p.Name, good[k], story)
					}
				}
				*a, *b = *b, *a
			}
		}
	}
}

// lastFact is the last fact of a node.
func lastFact(run *sim.Run, n sim.NodeID) (at int) {
	for i, e := range run.Trace {
		if e.Node == n && e.Kind == sim.EntryNoted {
			at = i
		}
	}
	return at
}

// And each kind that is listed matters to some property that lists it, but for two that are kept for
// good measure: that a transaction began is followed by that its object was made, and whoever forgets
// a cut has stopped to sign with it.
func TestEveryKindThatIsListedIsReadByAProperty(t *testing.T) {
	matters := map[string]bool{}
	for _, story := range readable {
		run := tell(t, "fixed", story)
		good := judgedBy(run)
		for i := range run.Trace {
			e := &run.Trace[i]
			if e.Kind != sim.EntryNoted && e.Kind != sim.EntryAppended || matters[e.Body.Kind()] {
				continue
			}
			was, last := *e, &run.Trace[lastFact(run, e.Node)]
			then := *last
			look := func() {
				for k, said := range judgedBy(run) {
					reads := slices.Contains(Protocol.Properties[k].Reads, was.Body.Kind())
					matters[was.Body.Kind()] = matters[was.Body.Kind()] || reads && said != good[k]
				}
			}
			e.Kind, e.Body = sim.EntryClock, nil
			look()
			*e = was
			last.Body = was.Body // it comes again
			look()
			*last = then
		}
	}
	for _, p := range Protocol.Properties {
		for _, kind := range p.Reads {
			if !matters[kind] && kind != "began" && kind != "forgot" {
				t.Errorf("%s lists %s, which matters to no property that lists it", p.Name, kind)
				matters[kind] = true
			}
		}
	}
}
