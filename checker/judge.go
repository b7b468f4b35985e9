package checker

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// Outcome is what a verdict comes to.
type Outcome uint8

// The outcomes. Where several apply, Broken wins over Undecided, and Undecided over Vacuous: a run
// that says nothing for a property must not look as if it spoke for it.
const (
	Holds     Outcome = iota
	Broken            // a property does not hold
	Undecided         // none is broken, but one could not be judged
	Vacuous           // none is broken, but none ever met its precondition
)

func (o Outcome) String() string {
	switch o {
	case Holds:
		return "holds"
	case Broken:
		return "broken"
	case Undecided:
		return "undecided"
	case Vacuous:
		return "vacuous"
	}
	panic(fmt.Sprintf("checker: outcome %d", uint8(o)))
}

// Finding is what judging one property came to.
type Finding struct {
	Property  sim.Property
	Premises  int            // how often the precondition held
	Violation *sim.Violation // nil if it holds, as far as it was judged
	Undecided string         // why it could not be judged; "" if it was
}

// Verdict is what judging a run came to. Findings are in the order of the properties judged, what
// the machines themselves complained of first.
type Verdict struct {
	Outcome  Outcome
	Findings []Finding
	Layer    uint8 // the lowest layer that broke, 0 if none did
}

// Judge tests each property on a run. A panic of a machine is a violation of a property called
// "panic", and a claim that a machine said failed is a violation of a property called like the
// claim; both are of layer 0. A run that exceeded its budget is undecided, unless it broke
// something before.
func Judge(run *sim.Run, properties []sim.Property) Verdict {
	findings := slices.Grow(complaints(run), len(properties))
	shared := *run // of this judging alone, since runs are never changed
	shared.Memo = map[any]any{}
	for _, p := range properties {
		findings = append(findings, judge(&shared, p))
	}
	if o := outcome(findings); run.End == sim.Unsettled && o != Broken && o != Undecided {
		findings = slices.Insert(findings, 0, Finding{
			Property:  sim.Property{Name: "budget", Doc: "the run comes to rest within its budget"},
			Undecided: run.Why,
		})
	}
	v := Verdict{Outcome: outcome(findings), Findings: findings}
	if v.Outcome == Broken {
		v.Layer = lowest(findings)
	}
	return v
}

// Broken is the names of the broken properties of the lowest broken layer, sorted.
func (v Verdict) Broken() []string {
	var names []string
	for _, f := range v.Lowest() {
		names = append(names, f.Property.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Lowest is the broken findings of the lowest broken layer, in the order of Findings.
func (v Verdict) Lowest() []Finding {
	var broken []Finding
	for _, f := range v.Findings {
		if f.Violation != nil && f.Property.Layer == v.Layer {
			broken = append(broken, f)
		}
	}
	return broken
}

// Worst is the worst class among the violations of all layers, and the first property of that class
// in the order of Findings: what the run costs whoever relied on the protocol.
func (v Verdict) Worst() (class sim.Class, property string) {
	for _, f := range v.Findings {
		if f.Violation != nil && (property == "" || f.Property.Class > class) {
			class, property = f.Property.Class, f.Property.Name
		}
	}
	return class, property
}

func judge(run *sim.Run, p sim.Property) (f Finding) {
	f.Property = p
	if p.Scope == sim.ScopeEnd && !run.Settled() {
		f.Undecided = run.Why
		if f.Undecided == "" {
			f.Undecided = "the run did not settle"
		}
		return f
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case sim.Undecided:
			f.Undecided = r.Reason
		default:
			f.Undecided = fmt.Sprintf("check panicked: %v", r)
		}
	}()
	f.Premises, f.Violation = p.Check(run)
	return f
}

// complaints are what the machines themselves complained of: a panic, and claims that failed.
func complaints(run *sim.Run) []Finding {
	var findings []Finding
	if p := run.Panic; p != nil {
		findings = append(findings, Finding{
			Property: sim.Property{Name: "panic", Doc: "no machine panics"},
			Premises: 1,
			Violation: &sim.Violation{
				Reason:  fmt.Sprintf("%s panicked: %s", run.Name(p.Node), p.Value),
				Witness: entries(run, p.Entry),
				Count:   1,
			},
		})
	}
	var at map[string]int // claim to its finding, once there is one
	for i := range run.Trace {
		if run.Trace[i].Kind != sim.EntryFailed {
			continue
		}
		failure, ok := run.Trace[i].Body.(sim.Failure)
		if !ok {
			continue
		}
		if k, seen := at[failure.Claim]; seen {
			findings[k].Premises++
			findings[k].Violation.Count++
			continue
		}
		if at == nil {
			at = map[string]int{}
		}
		at[failure.Claim] = len(findings)
		findings = append(findings, complaint(run, i, failure))
	}
	return findings
}

func complaint(run *sim.Run, at int, failure sim.Failure) Finding {
	node := run.Name(run.Trace[at].Node)
	return Finding{
		Property: sim.Property{Name: failure.Claim, Doc: "a claim of the machines themselves"},
		Premises: 1,
		Violation: &sim.Violation{
			Reason:  fmt.Sprintf("%s says that %s fails: %s", node, failure.Claim, failure.Why),
			Witness: []int{at},
			Count:   1,
		},
	}
}

// entries is at as a witness, if the trace has such an entry.
func entries(run *sim.Run, at int) []int {
	if at < 0 || at >= len(run.Trace) {
		return nil
	}
	return []int{at}
}

func outcome(findings []Finding) Outcome {
	o, premises := Holds, 0
	for _, f := range findings {
		if f.Violation != nil {
			return Broken
		}
		if f.Undecided != "" {
			o = Undecided
		}
		premises += f.Premises
	}
	if o == Holds && len(findings) > 0 && premises == 0 {
		return Vacuous
	}
	return o
}

// lowest is the lowest layer of a broken property.
func lowest(findings []Finding) uint8 {
	layer := ^uint8(0)
	for _, f := range findings {
		if f.Violation != nil {
			layer = min(layer, f.Property.Layer)
		}
	}
	return layer
}
