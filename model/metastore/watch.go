package metastore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// Event is what a revision did to a key.
type Event struct {
	Item
	Time sim.Time // of the revision, if the dialect has such
	// Prev is what there was, HasPrev whether that is known and there was anything.
	Prev    Item
	HasPrev bool
}

// IsCreate says that the event begins a life of the key.
func (e Event) IsCreate() bool { return !e.Dead && e.Create == e.Mod }

// Watch is what is watched: the changes of a range from a revision on.
type Watch struct {
	Range Range
	From  int64 // 0 is from the next revision on
	Prev  bool  // events say what there was before
}

// Watcher is a watch under way on a server. From is the revision with which it began.
type Watcher struct {
	Watch
	Next  int64 // the least revision that has not been delivered
	Upto  int64 // the greatest that may be delivered now; 0: any
	Ended bool
}

// Batch is what a watcher gets at a time: whole revisions. After it the client has all that its
// range has from the start up to To.
type Batch struct {
	From, To  int64 // nothing of From to To is missing
	Events    []Event
	Compacted int64 // why it ends: what it wants is forgotten up to here; -1 if it goes on
}

// open begins a watch.
func (s *State) open(w Watch) Watcher {
	next := w.From
	if next == 0 {
		next = s.rules.now(s.Rev)
	}
	w.From = next
	return Watcher{Watch: w, Next: s.rules.clamp(next, s.Rev)}
}

// Advance gives the watcher what comes next: the events of whole revisions, of as many as make no
// more than most events, but of one at least. It says whether there was anything.
func (s *State) Advance(w *Watcher, most int) (b Batch, any bool) {
	b = Batch{From: w.Next, To: w.Next - 1, Compacted: -1}
	last := s.Rev
	if w.Upto > 0 {
		last = min(last, w.Upto)
	}
	switch {
	case w.Ended || w.Next > last:
		return b, false
	case w.Next < s.floor():
		if w.Next = s.rules.skips(w.Next, s.floor()); w.Next < s.floor() {
			w.Ended, b.Compacted = true, s.Compacted
			return b, true
		}
	}
	for rev := w.Next; rev <= last; rev++ {
		events := s.events(w, rev)
		if len(b.Events) > 0 && len(b.Events)+len(events) > most {
			break
		}
		b.Events, b.To = append(b.Events, events...), rev
	}
	w.Next = b.To + 1
	return b, true
}

// events are what a watcher gets of a revision.
func (s *State) events(w *Watcher, rev int64) []Event {
	i := int(rev - s.Rev - 1 + int64(len(s.Revs)))
	if i < 0 {
		return nil
	}
	r := &s.Revs[i]
	var events []Event
	for _, key := range r.Keys {
		if !w.Range.Has(key) {
			continue
		}
		if e, known := s.event(key, r); known {
			events = append(events, s.before(w, e))
		}
	}
	return events
}

// event is what a revision did to a key.
func (s *State) event(key string, r *Revision) (Event, bool) {
	h := s.history(key)
	if h == nil {
		return Event{}, false
	}
	i := slices.IndexFunc(h.Versions, func(v Version) bool { return v.Mod == r.Rev })
	if i < 0 {
		return Event{}, false
	}
	return Event{Item: Item{key, h.Versions[i]}, Time: r.Time}, true
}

// before adds what there was, if that is wanted and still known.
func (s *State) before(w *Watcher, e Event) Event {
	if was := e.Mod - 1; w.Prev && was >= s.floor() {
		v, live := s.live(e.Key, s.rules.before(e.Mod, s.Rev))
		e.Prev, e.HasPrev = Item{e.Key, v}, live
	}
	return e
}

// String is the event as "x=1@5", with what there was if that is known.
func (e Event) String() string {
	if e.HasPrev {
		return e.Item.String() + " was " + e.Prev.String()
	}
	return e.Item.String()
}

func (b Batch) String() string {
	if b.Compacted >= 0 {
		return fmt.Sprintf("compacted %d", b.Compacted)
	}
	words := make([]string, len(b.Events))
	for i, e := range b.Events {
		words[i] = e.String()
	}
	return strings.TrimSpace(fmt.Sprintf("to %d: %s", b.To, strings.Join(words, ", ")))
}
