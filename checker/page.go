package checker

import (
	"bytes"
	"fmt"
	"io"

	"github.com/anishathalye/porcupine"

	"github.com/downset/downset/sim"
)

// What a page bears: a picture of more operations shows nobody anything, and for each operation the
// page may hold an order as long as the history.
const (
	pageUses  = 200
	pageSteps = 50_000
	pageBytes = 4 << 20
)

// Page writes Porcupine's picture of a history: a page that needs nothing else, with a lane for
// each client, one for each node's faults, and the legal orders that were found. It shows the part
// of the object that is not linearizable, up to the return that no order allows; if every part is,
// the one with the most operations. Pages of one run may differ, since Porcupine lists orders of
// equal length as they come: compare verdicts, not pages.
func Page(w io.Writer, run *sim.Run, spec Spec) error {
	h, err := ReadHistory(run)
	if err != nil {
		return err
	}
	parts, _, err := spec.divide(h)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return fmt.Errorf("page: the run has no operation with a result")
	}
	d := newDecider(&spec)
	uses, place := d.picked(parts)
	if len(uses) > pageUses {
		return fmt.Errorf("page: the history has %d operations, at most %d can be shown",
			len(uses), pageUses)
	}
	_, info := d.find.order(uses, pageSteps)
	info.AddAnnotations(faults(run, min(place, len(run.Trace)-1)))
	var page bytes.Buffer
	d.find.left = unlimited
	if err := porcupine.Visualize(d.find.model, info, &page); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	if page.Len() > pageBytes {
		return fmt.Errorf("page: it has %d bytes, at most %d are written", page.Len(), pageBytes)
	}
	_, err = w.Write(page.Bytes())
	return err
}

// picked are the uses to show, and the place up to which they are the history.
func (d *decider) picked(parts []part) (uses []use, place int) {
	for i := range parts {
		if d.quick(d.until(&parts[i], Never)) == Broken {
			place = d.culprit(&parts[i]).Return
			return d.until(&parts[i], place), place
		}
	}
	return d.until(&parts[len(parts)-1], Never), Never
}

// faults are the annotations of a picture: what befell nodes and links, up to a place.
func faults(run *sim.Run, last int) []porcupine.Annotation {
	f := faultLanes{run: run, last: last, open: map[string]int{}}
	for i := 0; i <= last; i++ {
		f.see(i)
	}
	return f.list
}

// faultLanes draws faults. Some last: they are drawn to the end until their end is seen.
type faultLanes struct {
	run  *sim.Run
	last int
	list []porcupine.Annotation
	open map[string]int // by lane and kind: the place in list, from 1
}

func (f *faultLanes) see(at int) {
	e := &f.run.Trace[at]
	switch e.Kind {
	case sim.EntryCrashed:
		f.begin(at, f.run.Name(e.Node), "down")
	case sim.EntryStarted:
		f.end(at, f.run.Name(e.Node), "down")
	case sim.EntryPaused:
		f.begin(at, f.run.Name(e.Node), "paused")
	case sim.EntryResumed:
		f.end(at, f.run.Name(e.Node), "paused")
	case sim.EntryParted:
		f.begin(at, "links", "parted "+f.run.Name(e.Node)+" "+f.run.Name(e.Peer))
	case sim.EntryHealed:
		f.heal(at)
	case sim.EntrySyncFailed, sim.EntryDisk, sim.EntryClock, sim.EntryJoined, sim.EntryLeft:
		f.point(at, f.run.Name(e.Node), e.Kind.String())
	case sim.EntryEpilogue:
		f.point(at, "links", e.Kind.String())
	}
}

func (f *faultLanes) begin(at int, lane, what string) {
	if f.open[lane+" "+what] > 0 {
		return
	}
	f.point(at, lane, what)
	f.list[len(f.list)-1].End = int64(f.last)
	f.open[lane+" "+what] = len(f.list)
}

func (f *faultLanes) end(at int, lane, what string) {
	if n := f.open[lane+" "+what]; n > 0 {
		f.list[n-1].End = int64(at)
		delete(f.open, lane+" "+what)
	}
}

// heal ends all cuts of links.
func (f *faultLanes) heal(at int) {
	for i := range f.list {
		if a := &f.list[i]; a.Tag == "links" {
			f.end(at, a.Tag, a.Description)
		}
	}
}

func (f *faultLanes) point(at int, lane, what string) {
	f.list = append(f.list, porcupine.Annotation{Tag: lane, Start: int64(at), End: int64(at),
		Description: what, Details: fmt.Sprintf("entry %d, at %v", at, f.run.Trace[at].At),
		TextColor: "#222", BackgroundColor: "#f2c6a0"})
}
