package cli

import "slices"

// exploredObject is what came of exploring one variant.
type exploredObject struct {
	header
	Source      string         `json:"source"`
	Model       string         `json:"model"`
	Case        string         `json:"case,omitempty"`
	Variant     string         `json:"variant"`
	Must        []string       `json:"must"`
	OK          bool           `json:"ok"`
	Exit        int            `json:"exit"`
	Bounds      boundsObject   `json:"bounds"`
	LeftOut     []int          `json:"left_out"`
	Complete    bool           `json:"complete"`
	Steady      bool           `json:"steady"` // one worker: all numbers are the same each time
	Why         string         `json:"why,omitempty"`
	States      int64          `json:"states"`
	Transitions int64          `json:"transitions"`
	Ends        int64          `json:"ends"`
	Depth       int            `json:"depth"`
	Bytes       int64          `json:"bytes"`
	Millis      int64          `json:"took_ms"`
	Past        []string       `json:"reads_the_past"`
	Untimed     bool           `json:"untimed"`
	Draws       bool           `json:"draws"`
	Undecided   int64          `json:"undecided"`
	Unclear     string         `json:"unclear,omitempty"`
	Goals       map[string]int `json:"goals"`
	Premises    map[string]int `json:"premises"`
	Broken      []brokenObject `json:"failures"`
	Version     string         `json:"version"`
}

type boundsObject struct {
	Timers     int  `json:"timers"`
	Crashes    int  `json:"crashes"`
	Losses     int  `json:"losses"`
	Duplicates int  `json:"duplicates"`
	Partitions int  `json:"partitions"`
	Breaks     int  `json:"breaks"`
	Keep       bool `json:"keep"`
}

// brokenObject is one kind of failure, with its story if there is one.
type brokenObject struct {
	Broken   []string `json:"broken"`
	Ends     int64    `json:"ends"`
	Property string   `json:"property,omitempty"`
	Moves    int      `json:"moves"`
	Shortest bool     `json:"shortest"`
	Lines    int      `json:"lines"`
	File     string   `json:"file,omitempty"`
	Replay   string   `json:"replay,omitempty"`
}

func (a *app) exploredObject(x *explored) error {
	o := exploredObject{
		header: header{format, "explore"}, Source: x.source, Model: x.Protocol.Name, Case: x.grid,
		Variant: x.Variant.Name, Must: append([]string{}, x.must...), OK: x.code() == exitOK,
		Exit: x.code(), Bounds: boundsObject(x.how.Bounds), LeftOut: []int{}, Complete: x.Complete,
		Steady: x.Steady,
		Why:    x.Why, States: x.States, Transitions: x.Transitions, Ends: x.Ends, Depth: x.Depth,
		Bytes: x.Bytes, Millis: x.took.Milliseconds(), Past: append([]string{}, x.how.Past...),
		Untimed: x.Untimed, Draws: x.Draws, Undecided: x.Undecided, Unclear: x.Unclear,
		Goals: counts(goalNames(x.Protocol), x.Goals), Premises: counts(x.judged(), x.Premises),
		Broken: x.brokenObjects(), Version: version(),
	}
	if !x.counts() { // then they are others each time
		o.Goals, o.Premises = map[string]int{}, map[string]int{}
	}
	for _, l := range x.how.LeftOut {
		o.LeftOut = append(o.LeftOut, l.Line)
	}
	return a.object(o)
}

func (x *explored) brokenObjects() []brokenObject {
	all := []brokenObject{}
	for _, b := range slices.Concat(x.Broken, x.Early) {
		o := brokenObject{Broken: b.Broken, Ends: b.Count, Moves: len(b.Path)}
		for _, w := range x.ways {
			if slices.Contains(b.Broken, w.Property) {
				o.Property, o.Moves, o.Shortest = w.Property, w.way.Moves, w.way.Shortest
				o.Lines, o.File, o.Replay = w.Shrunk.Actions, w.file, command("replay", w.file)
			}
		}
		all = append(all, o)
	}
	return all
}
