package cli

import (
	"strings"

	"github.com/downset/downset/sim/search"
)

// sweptObject is what came of sweeping one variant.
type sweptObject struct {
	header
	Source    string         `json:"source"`
	Model     string         `json:"model"`
	Case      string         `json:"case,omitempty"`
	Variant   string         `json:"variant"`
	From      uint64         `json:"from"`
	To        uint64         `json:"to"`
	Seeds     int            `json:"seeds"`
	Failing   int            `json:"failing"`
	Must      []string       `json:"must"`
	OK        bool           `json:"ok"`
	Exit      int            `json:"exit"`
	Groups    []groupObject  `json:"failures"`
	Bound     string         `json:"bound,omitempty"`
	Drawn     []string       `json:"drawn"`
	Undecided int            `json:"undecided"`
	Why       string         `json:"why,omitempty"`
	Hung      []uint64       `json:"hung"`
	Errors    []string       `json:"errors"`
	Twice     int            `json:"twice"`
	Apart     []string       `json:"differs"`
	Goals     map[string]int `json:"goals"`
	Premises  map[string]int `json:"premises"`
	Kinds     []string       `json:"kinds"`
	Events    int64          `json:"events"`
	Cut       bool           `json:"cut,omitempty"`
	Version   string         `json:"version"`
}

// groupObject is one distinct failure.
type groupObject struct {
	Broken   []string `json:"broken"`
	Seed     uint64   `json:"seed"`
	Count    int      `json:"count"`
	Shared   bool     `json:"shared,omitempty"`
	File     string   `json:"file,omitempty"`
	Property string   `json:"property,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Known    bool     `json:"known,omitempty"`
	Runs     int      `json:"shrink_runs,omitempty"`
	Actions  int      `json:"actions"`
	Choices  int      `json:"choices"`
	Failing  int      `json:"sample_failing"`
	Tried    int      `json:"sample_tried"`
	Low      int64    `json:"rate_low_ppm"`
	High     int64    `json:"rate_high_ppm"`
	Repro    string   `json:"repro"`
	Replay   string   `json:"replay,omitempty"`
}

// sweptObjects prints a variant's sweep as one object.
func (a *app) sweptObjects(r *swept) error {
	o := sweptObject{
		header: header{format, "sweep"}, Source: r.source, Model: r.Protocol.Name, Case: r.grid,
		Variant: r.Variant.Name, From: r.seeds.From, To: r.seeds.To, Seeds: r.Seeds, Failing: r.Failing,
		Must: append([]string{}, r.must...), OK: r.code() == exitOK, Exit: r.code(),
		Groups: []groupObject{}, Drawn: r.draws(), Undecided: r.Undecided, Why: r.Why,
		Hung: append([]uint64{}, r.Hung...), Errors: append([]string{}, r.Errors...),
		Twice: r.Twice, Apart: []string{}, Goals: counts(goalNames(r.Protocol), r.Goals),
		Premises: counts(r.properties(), r.Premises), Kinds: append([]string{}, r.Kinds...),
		Events: r.Events, Cut: r.Cut, Version: version(),
	}
	if r.Failing == 0 && r.decided() > 0 {
		o.Bound = bound(r.decided())
	}
	for _, d := range r.Apart {
		o.Apart = append(o.Apart, d.Parting.String())
	}
	for _, g := range r.Groups {
		o.Groups = append(o.Groups, r.groupObject(g))
	}
	return a.object(o)
}

func (r *swept) groupObject(g search.Group) groupObject {
	o := groupObject{Broken: g.Broken, Seed: g.Seed, Count: g.Count, Shared: g.Shared,
		Repro: r.again(g.Seed)}
	x := r.keptOf(g)
	if x == nil {
		return o
	}
	o.File, o.Property, o.Known, o.Replay = x.file, x.Property, x.known, command("replay", x.file)
	o.Runs, o.Actions, o.Choices = x.Shrunk.Runs, x.Shrunk.Actions, x.Shrunk.Exceptions
	often := r.sample(g)
	o.Failing, o.Tried = often.failing, often.tried
	o.Low, o.High = interval(o.Failing, o.Tried)
	for _, f := range x.Verdict.Lowest() {
		if f.Property.Name == x.Property {
			o.Reason = strings.TrimSpace(f.Violation.Reason)
		}
	}
	return o
}

func counts(names []string, list []int) map[string]int {
	m := map[string]int{}
	for i, name := range names {
		m[name] = 0
		if i < len(list) {
			m[name] = list[i]
		}
	}
	return m
}
