package cli

import (
	"encoding/json"
	"fmt"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// format is the version of the objects that --json prints.
const format = 1

// object prints a value as one line.
func (a *app) object(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return tool(err)
	}
	_, err = fmt.Fprintf(a.out, "%s\n", text)
	return err
}

// header begins every object.
type header struct {
	Format int    `json:"format"`
	Object string `json:"object"`
}

type modelObject struct {
	header
	Model      string        `json:"model"`
	Doc        string        `json:"doc"`
	Variants   []namedObject `json:"variants"`
	Rules      []namedObject `json:"rules"`
	Setup      []string      `json:"setup"`
	Requests   []string      `json:"requests"`
	Properties []namedObject `json:"properties"`
	Claims     []string      `json:"claims"`
	Goals      []namedObject `json:"goals"`
	Stories    []namedObject `json:"stories"`
}

type namedObject struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc"`
	Of     string   `json:"of,omitempty"`
	Breaks string   `json:"breaks,omitempty"`
	Values []string `json:"values,omitempty"`
}

func listed(p *sim.Protocol, titles [][]string) modelObject {
	o := modelObject{
		header: header{format, "model"}, Model: p.Name, Doc: p.Doc,
		Variants: []namedObject{}, Rules: []namedObject{}, Properties: []namedObject{},
		Goals: []namedObject{}, Stories: []namedObject{},
		Claims: append([]string{}, p.Claims...),
		Setup:  append([]string{}, p.SetupWords...), Requests: append([]string{}, p.OpWords...),
	}
	for _, v := range p.Variants {
		o.Variants = append(o.Variants, namedObject{Name: v.Name, Doc: v.Doc, Of: v.Of, Breaks: v.Breaks})
	}
	for _, r := range p.Rules {
		o.Rules = append(o.Rules, namedObject{Name: r.Name, Doc: r.Doc, Values: r.Values})
	}
	for _, q := range p.Properties {
		o.Properties = append(o.Properties, namedObject{Name: q.Name, Doc: q.Doc})
	}
	for _, g := range p.Goals {
		o.Goals = append(o.Goals, namedObject{Name: g.Name, Doc: g.Doc})
	}
	for _, t := range titles {
		o.Stories = append(o.Stories, namedObject{Name: t[0], Doc: t[1]})
	}
	return o
}

type verdictObject struct {
	header
	File       string            `json:"file"`
	Model      string            `json:"model"`
	Case       string            `json:"case,omitempty"`
	Variant    string            `json:"variant"`
	Seed       uint64            `json:"seed,omitempty"`
	Expected   string            `json:"expected"`
	Got        string            `json:"got"`
	OK         bool              `json:"ok"`
	Void       bool              `json:"void,omitempty"`
	Runs       int               `json:"runs"`
	Broken     int               `json:"broken"`
	Undecided  int               `json:"undecided"`
	Vacuous    int               `json:"vacuous"`
	Hash       string            `json:"hash"`
	Differs    string            `json:"differs,omitempty"`
	Entries    int               `json:"entries"`
	Events     int               `json:"events"`
	Problems   []problemObject   `json:"problems"`
	Violations []violationObject `json:"violations"`
	Repro      string            `json:"repro"`
	Version    string            `json:"version"`
}

type problemObject struct {
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

type violationObject struct {
	Property string `json:"property"`
	Class    string `json:"class,omitempty"`
	Reason   string `json:"reason"`
	Witness  []int  `json:"witness"`
	Chain    []int  `json:"chain"`
	Count    int    `json:"count"`
}

type entryObject struct {
	header
	Variant string `json:"variant"`
	Entry   int    `json:"entry"`
	Time    string `json:"time"`
	Node    string `json:"node"`
	What    string `json:"what"`
	Peer    string `json:"peer,omitempty"`
	About   string `json:"about,omitempty"`
	Cause   int32  `json:"cause"`
	stampObject
}

// playedObjects prints a story that was played: an object a verdict, and with --trace or --stamps
// an object an entry of each run.
func (a *app) playedObjects(p *performance, f runFlags) error {
	for i := range p.played {
		if err := a.object(p.verdictObject(i)); err != nil {
			return err
		}
		if !f.trace && len(f.stamps) == 0 {
			continue
		}
		if err := a.entryObjects(&p.played[i], f.stamps); err != nil {
			return err
		}
	}
	if i := p.telling(true); f.pin != "" && i >= 0 {
		return a.pin(p, i, f.pin)
	}
	return nil
}

func (a *app) entryObjects(q *scenarios.Played, stamps []string) error {
	times := newStamped(q.Run, stamps)
	for k, e := range q.Run.Trace {
		o := entryObject{
			header: header{format, "entry"}, Variant: q.Variant, Entry: k, Time: e.At.String(),
			Node: q.Run.Name(e.Node), What: e.Kind.String(), Peer: q.Run.Name(e.Peer),
			About: scenarios.EntryText(q.Run, e), Cause: e.Cause, stampObject: times.object(k),
		}
		if err := a.object(o); err != nil {
			return err
		}
	}
	return nil
}

func (p *performance) verdictObject(i int) verdictObject {
	q := &p.played[i]
	o := verdictObject{
		header: header{format, "verdict"}, File: p.File, Model: p.Model, Case: q.Case,
		Variant: q.Variant, Seed: q.Run.Plan.Seed, Expected: q.Expected, Got: q.Got,
		OK: q.Met() && p.parting(i) == nil, Void: q.Void,
		Runs: q.Tally.Runs, Broken: q.Tally.Broken, Undecided: q.Tally.Undecided,
		Vacuous: q.Tally.Vacuous,
		Hash:    fmt.Sprintf("%016x", q.Run.Hash), Entries: q.Run.Entries, Events: q.Run.Events,
		Problems: []problemObject{}, Violations: []violationObject{},
		Repro: p.again(q), Version: version(),
	}
	if part := p.parting(i); part != nil {
		o.Differs = part.String()
	}
	for _, r := range append(q.Problems[:len(q.Problems):len(q.Problems)], p.problems...) {
		o.Problems = append(o.Problems, problemObject{r.Line, r.Text})
	}
	for _, f := range q.Verdict.Lowest() {
		v := f.Violation
		o.Violations = append(o.Violations, violationObject{f.Property.Name, f.Property.Class.String(),
			v.Reason, append([]int{}, v.Witness...), append([]int{}, v.Chain...), v.Count})
	}
	return o
}

type replayObject struct {
	verdictObject
	Same     bool   `json:"same"`
	Recorded string `json:"recorded"`
	Found    string `json:"found"`
}

func (p *performance) replayObject(r *rerun, same bool) replayObject {
	o := replayObject{p.verdictObject(0), same, r.found.Hash, r.found.String()}
	o.Object, o.Hash = "replay", scenarios.Fingerprint(r.run)
	return o
}

type stateObject struct {
	header
	Entry   int                 `json:"entry"`
	Time    string              `json:"time"`
	State   []observationObject `json:"state"`
	Changed []string            `json:"changed"`
}

type observationObject struct {
	Node  string `json:"node"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

func observed(state []sim.Observation) []observationObject {
	all := []observationObject{}
	for _, o := range state {
		all = append(all, observationObject(o))
	}
	return all
}
