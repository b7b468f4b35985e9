package spacetime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// name is the name of a node or another end.
func (s *scene) name(id sim.NodeID) string {
	if int(id) < len(s.run.Nodes) || id >= sim.ClientEnd {
		return s.run.Name(id)
	}
	return "?"
}

// learnWords finds what all labels would repeat: the kind of most facts, the kind of all messages.
func (s *scene) learnWords() {
	var kinds []string
	var counts []int
	for i := s.from; i < s.to; i++ {
		k := s.eventOf(i)
		if k < 0 || s.run.Trace[i].Kind != sim.EntryNoted || s.events[k].what == point {
			continue
		}
		kind, rest := split(s.run.Trace[i].Body)
		if rest == "" {
			continue
		}
		at := slices.Index(kinds, kind)
		if at < 0 {
			at, kinds, counts = len(kinds), append(kinds, kind), append(counts, 0)
		}
		counts[at]++
	}
	if len(counts) > 0 {
		s.fact = kinds[slices.Index(counts, slices.Max(counts))]
	}
	for i, a := range s.arrows {
		kind, _ := split(s.run.Trace[a.sent].Body)
		if i > 0 && kind != s.mail {
			s.mail = ""
			return
		}
		s.mail = kind
	}
}

// split is the kind of a body, and what its text says beyond that; rest is empty if the text does
// not begin with the kind.
func split(b sim.Body) (kind, rest string) {
	if b == nil {
		return "", ""
	}
	text, found := strings.CutPrefix(clean(sim.Text(b)), b.Kind()+" ")
	if !found {
		text = ""
	}
	return b.Kind(), text
}

// clean is a text as one line without control characters.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
}

// short is the text of a body without the kind that goes without saying.
func short(b sim.Body, known string) string {
	if kind, rest := split(b); kind == known && rest != "" {
		return rest
	}
	return clean(sim.Text(b))
}

// label is what stands beside an event in a picture without words: its facts, or what else it is.
// Marked entries have their number before them.
func (s *scene) label(e *event) string {
	var parts []string
	for _, i := range e.entries {
		t := s.run.Trace[i]
		word := ""
		switch {
		case e.what == point && t.Kind == sim.EntryNoted:
			word = s.cuts[e.cut].name
		case t.Kind == sim.EntryNoted:
			word = short(t.Body, s.fact)
		case t.Kind == sim.EntryFailed:
			word = "! " + clean(sim.Text(t.Body))
		}
		if slices.Contains(s.o.Mark, i) {
			word = strings.TrimSpace(fmt.Sprintf("*%d %s", i, word))
		}
		if word != "" {
			parts = append(parts, word)
		}
	}
	if len(parts) == 0 {
		return s.plainLabel(e)
	}
	return strings.Join(parts, ", ")
}

// plainLabel is the label of an event without facts.
func (s *scene) plainLabel(e *event) string {
	first := s.run.Trace[e.entries[0]]
	switch e.what {
	case pause, resume, join, leave, fault:
		return e.what.String()
	case asked:
		return clean(sim.Text(first.Body))
	case parted:
		return s.partition(e)
	case healed, epilogue:
		return e.what.String()
	case step:
		if e.request {
			return clean(sim.Text(first.Body))
		}
	}
	return ""
}

func (s sort) String() string {
	return [...]string{"step", "point", "request", "answer", "crash", "pause", "resume", "join", "leave",
		"fault", "lost", "copied", "sequenced", "partition", "heal", "epilogue", "left out"}[s]
}

// mailLabel is what stands beside an arrow: nothing if a fact at one of its ends says it already.
func (s *scene) mailLabel(a *arrow) string {
	b := s.run.Trace[a.sent].Body
	kind, rest := split(b)
	if kind != s.mail {
		return clean(sim.Text(b))
	}
	if rest == strings.Join(sim.KeysOf(b), " ") && (s.says(a.from, b) || s.says(a.to, b)) {
		return ""
	}
	return rest
}

// says that some fact of an event has all the keys of a body.
func (s *scene) says(k int, b sim.Body) bool {
	if k < 0 {
		return false
	}
	for _, i := range s.events[k].entries {
		if s.run.Trace[i].Kind != sim.EntryNoted {
			continue
		}
		known := sim.KeysOf(s.run.Trace[i].Body)
		missing := func(key string) bool { return !slices.Contains(known, key) }
		if !slices.ContainsFunc(sim.KeysOf(b), missing) {
			return true
		}
	}
	return false
}

// minor says that an event is no more than a step of its own: own work, a timer, a disk.
func (s *scene) minor(e *event) bool {
	return e.what == answered || e.what == step && !e.linked && !e.marked && s.label(e) == ""
}

// ranges are ascending numbers as text, neighbours joined: 3-5,7.
func ranges(numbers []int, comma string) string {
	text := ""
	for i := 0; i < len(numbers); i++ {
		first := numbers[i]
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		if text != "" {
			text += comma
		}
		text += strconv.Itoa(first)
		if numbers[i] > first {
			text += "-" + strconv.Itoa(numbers[i])
		}
	}
	return text
}
