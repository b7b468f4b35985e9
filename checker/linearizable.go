package checker

import (
	"fmt"

	"github.com/downset/downset/sim"
)

// Linearizable is the property that the history of a run is linearizable as one of spec. Its
// premises are the operations that have a result. It does not hold for want of time: where neither
// a search within spec.Steps nor zones decide, the check is undecided.
func Linearizable(spec Spec) sim.Property {
	return sim.Property{
		Name:  "linearizable",
		Scope: sim.ScopeHistory,
		Doc:   "every operation takes effect at one moment between its call and its return",
		Class: sim.Silent,
		Check: func(run *sim.Run) (premises int, v *sim.Violation) {
			h, err := ReadHistory(run)
			if err == nil {
				premises, v, err = spec.judge(h)
			}
			if err != nil {
				panic(fmt.Errorf("checker: %w", err))
			}
			return premises, v
		},
	}
}

// Check is the check of Linearizable for a history that was not read from a run: its witness is
// places of the history, a malformed history is an error, and one that is not decided a panic with
// sim.Undecided.
func (s Spec) Check(h History) (premises int, v *sim.Violation, err error) {
	if err := h.Validate(); err != nil {
		return 0, nil, fmt.Errorf("history: %w", err)
	}
	return s.judge(h)
}

func (s *Spec) judge(h History) (premises int, v *sim.Violation, err error) {
	parts, premises, err := s.divide(h)
	if err != nil || premises == 0 {
		return 0, nil, err
	}
	d := newDecider(s)
	var unclear *part
	for i := range parts {
		p := &parts[i]
		switch d.decide(d.until(p, Never)) {
		case Broken:
			if v == nil {
				v = d.explain(p)
			} else {
				v.Count++
			}
		case Undecided:
			unclear = p
		}
	}
	if v == nil && unclear != nil {
		panic(sim.Undecided{Reason: unclear.undecided(s)})
	}
	return premises, v, nil
}

// use is an operation as a judge sees it: in a prefix of a history more are open than in the whole.
type use struct {
	*Operation
	access *access // of Registers
	open   bool
}

// access is an Access as the search uses it.
type access struct {
	Access
	next any // Value, once for all
}

// end is where a use returns.
func (u *use) end() int {
	if u.open {
		return Never
	}
	return u.Return
}

// result is the result from which something follows.
func (u *use) result() sim.Body {
	if u.open {
		return nil
	}
	return u.Result
}

// decider decides parts of one history, on one budget of steps.
type decider struct {
	spec  *Spec
	left  int // steps
	zones zones
	uses  []use
	seen  map[string]bool
	find  search
}

func newDecider(s *Spec) *decider {
	d := &decider{spec: s, left: s.steps()}
	d.find.model = d.find.of(s)
	return d
}

// What a search is given where zones decide anyway: it is then only a second opinion. Without open
// operations 200 operations of 8 clients take 62,000 steps at the worst; most take one or two each.
const (
	opinionUses  = 200
	opinionSteps = 20_000
)

// decide says whether the uses of one part have a legal order.
func (d *decider) decide(uses []use) Outcome {
	exact := d.readZones(uses)
	if !exact {
		return d.search(uses, d.left)
	}
	says := d.zones.outcome()
	if len(uses) > opinionUses {
		return says
	}
	found := d.search(uses, min(d.left, opinionSteps))
	if found != Undecided && found != says {
		panic(fmt.Sprintf("checker: zones say that the history of %q %v, a search that it %v",
			uses[0].access.Key, says, found))
	}
	return says
}

// quick is decide without a second opinion.
func (d *decider) quick(uses []use) Outcome {
	if d.readZones(uses) {
		return d.zones.outcome()
	}
	return d.search(uses, d.left)
}

func (d *decider) readZones(uses []use) bool {
	return d.spec.access != nil && d.zones.read(uses)
}

func (d *decider) search(uses []use, steps int) Outcome {
	outcome := d.find.run(uses, steps)
	d.left -= steps - d.find.left
	return outcome
}
