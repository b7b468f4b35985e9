package spacetime

import "github.com/downset/downset/sim"

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
	Hide     func(sim.Entry) bool // leaves entries out; never marked ones
	ASCII    bool                 // text from ASCII only
	Colour   bool                 // text with the colours of a terminal; SVG has colours anyway
}

// Text is the picture in characters, in lines of at most Options.Width columns. A small run is
// drawn with its nodes as horizontal lines and time running to the right, any other with one column
// a node and one row for each call of a machine, with words beside it.
func Text(run *sim.Run, o Options) string {
	if o.Width <= 0 {
		o.Width = 100
	}
	s := newScene(run, o)
	if text, ok := s.across(); ok {
		return text
	}
	return s.down()
}

// SVG is the picture as a file of its own. Time runs to the right; a long run takes several bands,
// one below the other. Each thing drawn tells its entries to who points at it.
func SVG(run *sim.Run, o Options) []byte {
	if o.Width <= 0 {
		o.Width = 150
	}
	return newScene(run, o).svg()
}
