package scenarios

import (
	"time"

	"github.com/downset/downset/sim"
)

// Scenario is a story as it is written: who is there, what happens, what must come of it. Parse
// makes one from text, Format prints the canonical text of one, Scenario.Plan makes a run of it.
//
// In a grid (Vary is not empty) a line that holds a $NAME is kept as words: in Header, Step.Text,
// Chosen.Text, a claim or a verdict. It has a meaning in the cases only, which Expand makes.
type Scenario struct {
	File    string   // for messages
	Doc     []string // the opening comment, without "# "; "" sets paragraphs apart
	Model   string
	Nodes   []string
	Later   []string // nodes that may join
	Setup   []Setup  // lines for the model's ParseSetup
	Timed   bool     // "time runs"
	Fixed   bool     // "order fixed": not played under other orders
	Explore *Bounds  // "explore": how far an exploration goes; nil if the story does not say
	Network sim.Network
	Budget  sim.Budget
	Clients int           // of a drawn load
	Ops     int           // of a drawn load
	Span    time.Duration // over which the load is drawn; 0: one millisecond a request
	Seeds   Seeds
	Played  []string // "variants": names, with rules; empty: all that Expect names
	Header  []Line   // the lines of -- scenario -- in order, for Format; nil: made of the fields
	Heads   []Head   // comments above the sections

	Vary   []Vary
	Skips  []Skip
	Cases  *Cases // nil unless the file is a grid
	Script []Step
	Load   []Step
	Chance []Chosen
	Expect Expect
	Traces []Golden
	Tail   []string // comments after the last line: "found: model variant seed hash"
	Ended  int      // number of Tail's last line
}

// Head is the comment above a section.
type Head struct {
	Section string // "script"; of a trace "trace VARIANT"
	Above   []string
}

// Comments stand above a line and behind it; they live and die with it.
type Comments struct {
	Apart bool // a blank line sets it apart from the line before
	Above []string
	After string
}

// Line is a line of -- scenario -- as it is printed.
type Line struct {
	Words []string
	Line  int
	Comments
}

// Setup is a line for the model: "key x on P B".
type Setup struct {
	Words []string
	Line  int
}

// Step is a line of -- script -- or -- load --. Its Text is the canonical one. One that holds a
// $NAME has no Verb, only Text and Line.
type Step struct {
	sim.Action
	Comments
}

// Chosen is a line of -- chance --.
type Chosen struct {
	sim.Exception
	Text string // of a line that holds a $NAME, and has no Exception but for its Line
	Comments
}

// Seeds is a range of seeds, both ends included; the zero value is "none given".
type Seeds struct{ From, To uint64 }

// count is how many they are; the zero value is one run, by no seed.
func (s Seeds) count() uint64 { return s.To - s.From + 1 }

// Vary gives a name its values: each case of the grid takes one.
type Vary struct {
	Name   string
	Values []string
	Line   int
	Comments
}

// Skip removes the cases in which all of its conditions hold.
type Skip struct {
	Where []Cond
	Line  int
	Comments
}

// Cond is NAME=VALUE.
type Cond struct{ Name, Value string }

// Cases is how many cases a grid must have, and how many of them are void (have a stale line).
type Cases struct {
	Count, Void int
	Line        int
	Comments
}

// Expect is what must come of the story.
type Expect struct {
	Claims   []Claim   // before the first verdict: bind every variant
	Verdicts []Verdict // in order
}

// Claim is a claim that must hold at the end, with the cases it is limited to.
type Claim struct {
	sim.Claim
	If []Cond
	Comments
}

// Verdict is what is expected of one variant, or of all others ("*").
type Verdict struct {
	Variant string
	Outcome Outcome
	Breaks  []string // the properties, with Breaks
	More    bool     // "...": others may break too
	Claims  []Claim  // bind this variant
	Line    int
	Comments
}

// Outcome is what a verdict line says.
type Outcome uint8

// The outcomes.
const (
	Holds Outcome = iota + 1
	Breaks
	Undecided
	Loose
)

// Golden is a stored trace: -- trace VARIANT --.
type Golden struct {
	Variant string
	Lines   []string
	Line    int
}
