package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// Where a mutant does wrong, told by the variant it spoils. Both play the same plan. An event of
// the mutant's run is a deviation if the other run has no event of that name, or if there the node
// does something else or is in another state after it. Planted are the deviations with no other
// in their causal past: later ones may be but their consequence.

// performed is a run by its events, with the state of all machines after each.
type performed struct {
	run    *sim.Run
	steps  []search.Step
	states []map[string]string // by step: what the machines hold, by node and field
}

// perform plays a plan to each of its events, and looks into the machines there.
func perform(p *sim.Plan, steps []search.Step, run *sim.Run) (*performed, error) {
	machines := make([]sim.Machine, len(run.Nodes))
	q := *p
	made := p.Variant.New
	q.Variant.New = func(id sim.NodeID, nodes []sim.NodeID) sim.Machine {
		machines[id] = made(id, nodes)
		return machines[id]
	}
	x := &performed{run: run, steps: steps}
	world := new(sim.World)
	for _, s := range steps {
		clear(machines)
		if _, err := world.Execute(&q, sim.Options{Until: s.To}); err != nil {
			return nil, tool(err)
		}
		state := map[string]string{}
		for id, m := range machines {
			if m != nil {
				fields(state, run.Nodes[id], reflect.ValueOf(m), 0)
			}
		}
		x.states = append(x.states, state)
	}
	return x, nil
}

// fields adds what a value holds, by the path to it. A struct around one embedded pointer is what
// it points to: so a mutant that tampers at the door of a machine has the machine's fields.
func fields(all map[string]string, path string, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && depth < 20 {
			fields(all, path, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				fields(all, path, v.Field(i), depth+1)
				continue
			}
			fields(all, path+"."+f.Name, v.Field(i), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fields(all, fmt.Sprintf("%s[%d]", path, i), v.Index(i), depth+1)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			fields(all, fmt.Sprintf("%s[%v]", path, k), v.MapIndex(k), depth+1)
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		all[path] = fmt.Sprint(v)
	}
}

// name is an event by what begins it, and how often that came before.
func (x *performed) name(step int, count map[string]int) string {
	e := x.run.Trace[x.steps[step].From]
	name := fmt.Sprintf("%d %d %d", e.Kind, e.Node, e.Peer)
	if e.Body != nil {
		name += " " + e.Body.Kind() + " " + strings.Join(sim.KeysOf(e.Body), " ")
	}
	count[name]++
	return fmt.Sprintf("%s #%d", name, count[name])
}

// deed is what a node does in an event, contents included.
func (x *performed) deed(step int) string {
	var text strings.Builder
	for i := x.steps[step].From; i < x.steps[step].To; i++ {
		e := x.run.Trace[i]
		fmt.Fprintf(&text, "%d %d %d %#v;", e.Kind, e.Node, e.Peer, e.Body)
	}
	return text.String()
}

// planted are the steps of a mutant's run at which it first does wrong, in order.
func planted(mutant, right *performed) []int {
	sabotage := differing(mutant.states[0], right.states[0], nil) // as they are made
	at, count := map[string]int{}, map[string]int{}
	for i := range right.steps {
		at[right.name(i, count)] = i
	}
	count = map[string]int{}
	var all []int
	for i := range mutant.steps {
		k, met := at[mutant.name(i, count)]
		same := met && mutant.deed(i) == right.deed(k) &&
			len(differing(mutant.near(i), right.near(k), sabotage)) == 0
		if !same {
			all = append(all, i)
		}
	}
	g := order(mutant.run, mutant.steps)
	return slices.DeleteFunc(slices.Clone(all), func(i int) bool {
		return slices.ContainsFunc(all, func(k int) bool { return k != i && g.above(i)[k] >= 0 })
	})
}

// near is the state after a step, of the nodes whose machines have taken something up in it.
func (x *performed) near(step int) map[string]string {
	some := map[string]string{}
	for i := x.steps[step].From; i < x.steps[step].To; i++ {
		e := x.run.Trace[i]
		if !begins(e.Kind) {
			continue
		}
		for path, value := range x.states[step] {
			if strings.HasPrefix(path, x.run.Name(e.Node)+".") {
				some[path] = value
			}
		}
	}
	return some
}

// differing are the paths that do not hold the same, but for some.
func differing(a, b map[string]string, but map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, pair := range [][2]map[string]string{{a, b}, {b, a}} {
		for path, value := range pair[0] {
			if other, has := pair[1][path]; (!has || other != value) && !but[path] {
				all[path] = true
			}
		}
	}
	return all
}

// causal is the causal order of a run's events: by step, the steps right before it.
type causal [][]int

// order reads it from the trace: of two things that one node does one after the other the first
// comes before, and so does the cause before what came of it.
func order(run *sim.Run, steps []search.Step) causal {
	g := make(causal, len(steps))
	of := make([]int, len(run.Trace))
	last := map[sim.NodeID]int{}
	for i, s := range steps {
		before := map[int]bool{}
		for k := s.From; k < s.To; k++ {
			of[k] = i
			e := run.Trace[k]
			if e.Cause >= 0 {
				before[of[e.Cause]] = true
			}
			if int(e.Node) >= len(run.Nodes) || !e.Kind.Local() && !befalls(e.Kind) {
				continue
			}
			if was, any := last[e.Node]; any {
				before[was] = true
			}
			last[e.Node] = i
		}
		for k := range i {
			if before[k] {
				g[i] = append(g[i], k)
			}
		}
	}
	return g
}

// befalls says that an entry changes its node, though it is no step of its machine.
func befalls(k sim.EntryKind) bool {
	switch k {
	case sim.EntryCrashed, sim.EntrySynced, sim.EntrySyncFailed, sim.EntryPaused, sim.EntryResumed,
		sim.EntryJoined, sim.EntryLeft, sim.EntryDisk, sim.EntryClock:
		return true
	}
	return false
}

// above is how many steps of the order there are to each step from those before it, -1 for those
// that did not happen before it.
func (g causal) above(step int) []int {
	far := make([]int, len(g))
	for i := range far {
		far[i] = -1
	}
	far[step] = 0
	for queue := []int{step}; len(queue) > 0; queue = queue[1:] {
		for _, k := range g[queue[0]] {
			if far[k] < 0 {
				far[k] = far[queue[0]] + 1
				queue = append(queue, k)
			}
		}
	}
	return far
}

// apart is how many steps of the causal order lie between a step and the nearest of some, in either
// direction; -1 if it is concurrent to all of them.
func (g causal) apart(step int, some []int) int {
	least := -1
	for _, k := range some {
		for _, d := range []int{g.above(step)[k], g.above(k)[step]} {
			if d >= 0 && (least < 0 || d < least) {
				least = d
			}
		}
	}
	return least
}
