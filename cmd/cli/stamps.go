package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// The words of --stamps: the logical times that each step of a run can be shown with.
const (
	lamportStamp = "lamport"
	vectorStamp  = "vector"
	hybridStamp  = "hybrid"
	allStamps    = "all"
)

// stampKinds are the kinds in the order in which they are shown.
func stampKinds() []string { return []string{lamportStamp, vectorStamp, hybridStamp} }

// stampsFlag adds --stamps, which alone asks for all kinds.
func stampsFlag(cmd *cobra.Command, words *[]string) {
	cmd.Flags().StringSliceVar(words, "stamps", nil,
		"show the logical time of each step, by these `kinds`: lamport, vector, hybrid")
	cmd.Flags().Lookup("stamps").NoOptDefVal = allStamps
}

// spacedStamps takes the kinds from the arguments if --stamps stands before them without an equals
// sign: an argument made of such words is no story.
func spacedStamps(words, args []string) (kinds, rest []string) {
	if !slices.Equal(words, []string{allStamps}) {
		return words, args
	}
	strange := func(w string) bool { return w != allStamps && !slices.Contains(stampKinds(), w) }
	for i, arg := range args {
		list := strings.Split(arg, ",")
		for k := range list {
			list[k] = strings.TrimSpace(list[k])
		}
		// A word that is near to a kind and is no file is a kind misspelt: stampsAsked says so.
		near := strings.Contains(sim.DidYouMean(arg, stampKinds()), "did you mean")
		if near && !strings.ContainsAny(arg, "/.") || !slices.ContainsFunc(list, strange) {
			return list, slices.Delete(slices.Clone(args), i, i+1)
		}
	}
	return words, args
}

// stampsAsked are the kinds that the words of --stamps ask for, in the order in which they are
// shown.
func stampsAsked(cmd *cobra.Command, words []string) ([]string, error) {
	known := append(stampKinds(), allStamps)
	if len(words) == 0 && cmd.Flags().Changed("stamps") {
		return nil, usage("--stamps= wants a kind%s", sim.DidYouMean("", known))
	}
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	for _, w := range words {
		if !slices.Contains(known, w) {
			return nil, usage("--stamps: no kind is called %q%s", w, sim.DidYouMean(w, known))
		}
	}
	if slices.Contains(words, allStamps) {
		return stampKinds(), nil
	}
	return slices.DeleteFunc(stampKinds(), func(k string) bool {
		return !slices.Contains(words, k)
	}), nil
}

// stamped are the stamps of a run's steps in words.
type stamped struct {
	run   *sim.Run
	kinds []string // that are shown, in order
	*checker.Stamps
}

// newStamped is nil if no kind is asked for.
func newStamped(run *sim.Run, kinds []string) *stamped {
	if len(kinds) == 0 {
		return nil
	}
	return &stamped{run, kinds, checker.NewStamps(run)}
}

// words are the stamps of an entry, one a kind, nil if it is no step.
func (s *stamped) words(entry int) []string {
	if !s.Step(entry) {
		return nil
	}
	var words []string
	for _, kind := range s.kinds {
		word := ""
		switch kind {
		case lamportStamp:
			word = fmt.Sprint(s.Lamport(entry))
		case vectorStamp:
			word = fmt.Sprint(s.Vector(entry))
		case hybridStamp:
			h := s.Hybrid(entry)
			word = fmt.Sprintf("%s,%d", h.L, h.C)
		}
		words = append(words, word)
	}
	return words
}

// legend says what the stamps are, one a kind.
func (s *stamped) legend() []string {
	var says []string
	for _, kind := range s.kinds {
		switch kind {
		case lamportStamp:
			says = append(says, "n lamport: 1 + the greatest before")
		case vectorStamp:
			says = append(says, fmt.Sprintf("%s vector: steps of each", s.run.Nodes))
		case hybridStamp:
			says = append(says, "l,c hybrid: greatest clock, count within it")
		}
	}
	return says
}

// maxStamp is how many columns a stamp takes in a trace. Of longer vectors --json has the rest.
const maxStamp = 40

// columns are stamps set in columns of their own, a cell an entry.
func (s *stamped) columns() []string {
	cells := make([]string, len(s.run.Trace))
	for k, kind := range s.kinds {
		width := 0
		words := make([]string, len(cells))
		for i := range words {
			if all := s.words(i); all != nil {
				words[i] = cut(all[k], maxStamp)
				width = max(width, len([]rune(words[i])))
			}
		}
		for i, word := range words {
			pad := strings.Repeat(" ", width-len([]rune(word)))
			if kind == lamportStamp {
				cells[i] += pad + word + "  "
			} else {
				cells[i] += word + pad + "  "
			}
		}
	}
	return cells
}

// trace is the run as lines, an entry each, as scenarios.TraceText sets them, with the stamps
// between the node and what it did.
func (s *stamped) trace() []string {
	at, clock, name := 0, 0, 0
	for i, e := range s.run.Trace {
		at = len(fmt.Sprint(i))
		clock = max(clock, len(e.At.String()))
		name = max(name, len(s.run.Name(e.Node)))
	}
	before := at + 2 + clock + 2 + name + 2
	lines, cells := scenarios.TraceText(s.run), s.columns()
	for i, line := range lines {
		row := []rune(line)
		first := min(before, len(row))
		lines[i] = strings.TrimRight(string(row[:first])+cells[i]+string(row[first:]), " ")
	}
	return lines
}

// hybridObject is a hybrid stamp.
type hybridObject struct {
	L sim.Time `json:"l_ns"`
	C int64    `json:"c"`
}

// stampObject are the stamps of an entry, those that are asked for.
type stampObject struct {
	Lamport int64         `json:"lamport,omitempty"`
	Vector  []int32       `json:"vector,omitempty"`
	Hybrid  *hybridObject `json:"hybrid,omitempty"`
}

// object is empty if the entry is no step, or nothing is asked for.
func (s *stamped) object(entry int) stampObject {
	var o stampObject
	if s == nil || !s.Step(entry) {
		return o
	}
	for _, kind := range s.kinds {
		switch kind {
		case lamportStamp:
			o.Lamport = s.Lamport(entry)
		case vectorStamp:
			o.Vector = s.Vector(entry)
		case hybridStamp:
			h := s.Hybrid(entry)
			o.Hybrid = &hybridObject{h.L, h.C}
		}
	}
	return o
}
