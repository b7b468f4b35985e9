package spacetime

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Options say what of a run is drawn, and how. The zero value draws all of it, in characters of
// Unicode, without colour.
type Options struct {
	// Point says which facts are points of a cut, and of which. The points of one cut are joined by
	// a line. Nil: there are none.
	Point func(fact sim.Body) (cut string, ok bool)

	Width    int                  // columns, 0 is 100; for SVG of 8 pixels each, 0 is 150
	Height   int                  // lines of text at most; 0 is any number
	From, To int                  // only the entries From <= i < To; To 0 is the end of the trace
	Mark     []int                // entries to point out: the witness of a violation
	Hide     func(entry int) bool // leaves entries out; never marked ones
	// Stamp gives the logical times of an entry in words, one a kind, nil if it has none. Beside an
	// event stand those of its first entry that has any, where there is room. Nil: there are none.
	Stamp     func(entry int) []string
	StampKeys []string // what the legend says of them

	ASCII  bool // text from ASCII only
	Colour bool // text with the colours of a terminal; SVG has colours anyway
}

// Text is the picture in characters, in lines of at most Options.Width columns. A small run is
// drawn with its nodes as horizontal lines and time running to the right, without its epilogue if
// that makes it small, unless To says where to end. Any other run is drawn with one column a node
// and one row for each call of a machine, with words beside it.
func Text(run *sim.Run, o Options) string {
	if o.Width <= 0 {
		o.Width = 100
	}
	text := newScene(run, o).inCharacters()
	if o.ASCII {
		return ascii(text)
	}
	return text
}

func (s *scene) inCharacters() string {
	if text, ok := s.across(); ok {
		return text
	}
	if story, ok := s.story(); ok {
		if text, ok := story.across(); ok {
			return text
		}
	}
	return s.down()
}

// ascii is a text with what is not ASCII replaced: it came with a protocol's words, or a time.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 'µ':
			return 'u'
		case r > '~':
			return '?'
		}
		return r
	}, text)
}

// story is the scene without the epilogue, if that is neither asked for nor pointed at.
func (s *scene) story() (*scene, bool) {
	end := s.run.Epilogue
	late := func(i int) bool { return i >= end }
	if s.o.To > 0 || end <= s.from || end >= s.to || slices.ContainsFunc(s.o.Mark, late) {
		return nil, false
	}
	o := s.o
	o.To = end
	return newScene(s.run, o), true
}

// SVG is the picture as a file of its own. Time runs to the right; a long run takes several bands,
// one below the other. Each thing drawn tells its entries to who points at it.
func SVG(run *sim.Run, o Options) []byte {
	if o.Width <= 0 {
		o.Width = 150
	}
	return newScene(run, o).svg()
}
