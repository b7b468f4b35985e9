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

// learnWords finds what most labels would repeat: the kind of most facts and of most messages, if
// more than one of so many are of that kind.
func (s *scene) learnWords(part int) {
	var facts, mails tally
	for i := s.from; i < s.to; i++ {
		k := s.eventOf(i)
		if k >= 0 && s.run.Trace[i].Kind == sim.EntryNoted && s.events[k].what != point {
			if kind, rest := split(s.run.Trace[i].Body); rest != "" {
				facts.add(kind)
			}
		}
	}
	for _, a := range s.arrows {
		if b := s.run.Trace[a.sent].Body; b != nil && !a.lane {
			mails.add(b.Kind())
		}
	}
	s.fact, s.mail = facts.common(part), mails.common(part)
}

// tally counts words.
type tally struct {
	words  []string
	counts []int
}

func (t *tally) add(word string) {
	at := slices.Index(t.words, word)
	if at < 0 {
		at = len(t.words)
		t.words, t.counts = append(t.words, word), append(t.counts, 0)
	}
	t.counts[at]++
}

// A kind goes without saying if more than one of so many are of it: in characters, where there is
// little room, and in a drawing.
const (
	partInText    = 5
	partInDrawing = 2
)

// common is the word that came most often, the first of equals; "" if it is not more than one of so
// many.
func (t *tally) common(part int) string {
	all := 0
	for _, n := range t.counts {
		all += n
	}
	if all == 0 {
		return ""
	}
	most := slices.Max(t.counts)
	if part*most <= all {
		return ""
	}
	return t.words[slices.Index(t.counts, most)]
}

// nameOf is the label of a body: its kind, its keys, and what its text adds to them. A text in
// other words is left to those pictures that have room for words, unless there are no keys.
func nameOf(b sim.Body) string {
	if b == nil {
		return ""
	}
	name := clean(strings.Join(append([]string{b.Kind()}, sim.KeysOf(b)...), " "))
	if text := clean(sim.Text(b)); strings.HasPrefix(text, name) || name == b.Kind() {
		return text
	}
	return name
}

// split divides the label of a body into its kind and the rest, which is empty if the label does
// not begin with the kind.
func split(b sim.Body) (kind, rest string) {
	if b == nil {
		return "", ""
	}
	if rest, ok := strings.CutPrefix(nameOf(b), b.Kind()+" "); ok {
		return b.Kind(), rest
	}
	return b.Kind(), ""
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

// short is the label of a body without the kind that goes without saying.
func short(b sim.Body, known string) string {
	if kind, rest := split(b); kind == known && rest != "" {
		return rest
	}
	return nameOf(b)
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
	if e.what == fold {
		return "… " + count(e.left, "entry", "entries")
	}
	first := s.run.Trace[e.entries[0]]
	switch e.what {
	case pause, resume, join, leave:
		return e.what.String()
	case fault:
		return first.Kind.String()
	case asked:
		return nameOf(first.Body)
	case parted:
		return s.partition(e)
	case healed, epilogue:
		return e.what.String()
	case step:
		if e.request {
			return nameOf(first.Body)
		}
	}
	return ""
}

func (s sort) String() string {
	return [...]string{"step", "point", "request", "answer", "crash", "pause", "resume", "join",
		"leave", "fault", "lost", "copied", "sequenced", "partition", "heal", "epilogue", "left out"}[s]
}

// mailLabel is what stands beside an arrow. Of a message of the common kind it is only what neither
// end says, with nothing to name it by if that is all.
func (s *scene) mailLabel(a *arrow) string {
	b := s.run.Trace[a.sent].Body
	if b == nil || b.Kind() != s.mail || !s.says(a.from, b) && !s.says(a.to, b) {
		return nameOf(b)
	}
	name := strings.Join(append([]string{b.Kind()}, sim.KeysOf(b)...), " ")
	return strings.TrimSpace(strings.TrimPrefix(nameOf(b), clean(name)))
}

// says that some fact of an event has all the keys of a body, if it has any.
func (s *scene) says(k int, b sim.Body) bool {
	if k < 0 || len(sim.KeysOf(b)) == 0 {
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
	if e.what != step {
		return e.what == answered
	}
	return !e.linked && !e.marked && !s.states(e) && s.label(e) == ""
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
