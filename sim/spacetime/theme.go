package spacetime

import "github.com/downset/downset/sim"

// theme are the characters of a picture.
type theme struct {
	fact, plain, minor string
	request, answer    string
	crash, lost        string
	begins, ends       string // of a node's line
	pause, resume      string
	fault, entry, cut  string
	right, left        string // heads of arrows
	falling, rising    rune
	dots, to           string // to: a message is sent to
	above, below       string // a request's mark above and below a level line
}

func (s *scene) theme() theme {
	if s.o.ASCII {
		return theme{
			fact: "o", plain: "o", minor: ".", request: ">", answer: "<", crash: "X", lost: "x",
			begins: ">", ends: "<", pause: "(", resume: ")", fault: "!", entry: "o", cut: "#",
			right: ">", left: "<", falling: '\\', rising: '/', dots: ":", to: "->",
			above: ">", below: ">",
		}
	}
	return theme{
		fact: "●", plain: "○", minor: "·", request: "▾", answer: "▴", crash: "X", lost: "x",
		begins: "●", ends: "┴", pause: "‖", resume: "●", fault: "!", entry: "●", cut: "╪",
		right: "►", left: "◄", falling: '╲', rising: '╱', dots: "⋮", to: "→",
		above: "▾", below: "▴",
	}
}

// glyph is the character of an event.
func (s *scene) glyph(e *event) string {
	t := s.theme()
	switch e.what {
	case point:
		return t.cut
	case asked:
		return t.request
	case answered:
		return t.answer
	case crash:
		return t.crash
	case pause:
		return t.pause
	case resume:
		return t.resume
	case join:
		return t.begins
	case leave:
		return t.ends
	case fault:
		return t.fault
	case sequenced:
		return t.entry
	}
	switch {
	case s.states(e):
		return t.fact
	case s.minor(e):
		return t.minor
	}
	return t.plain
}

// states says that an event has a fact, or is where a node comes back.
func (s *scene) states(e *event) bool {
	for _, i := range e.entries {
		switch s.run.Trace[i].Kind {
		case sim.EntryNoted, sim.EntryFailed, sim.EntryStarted:
			return true
		}
	}
	return false
}
