package metastore_test

import (
	"testing"

	"github.com/downset/downset/model/metastore"
)

func TestAWatchBelowWhatIsKnownIsToldSo(t *testing.T) {
	for _, swept := range []bool{false, true} {
		e, i := etcd(t), ignite(t)
		for _, s := range []*table{e, i} {
			compacted(s)
			if swept {
				s.sweeps()
			}
		}
		e.watches(2, "compacted 3")
		e.watches(3, "to 4: x=2@3 from 2, 2, x=3@4 from 2, 3")
		i.watches(1, "compacted 2")
		i.watches(2, "compacted 2")
		i.watches(3, "to 3: x=3@3 from 1, 3")
	}
}

func TestAWatchOfARevisionToComeGetsNothingEarlier(t *testing.T) {
	both(t, func(s *table) {
		s.does("put x 1")
		w := s.Open(metastore.Watch{From: s.Rev + 3})
		s.does("put x 2", "put x 3")
		if b, any := s.Advance(w, 9); any {
			t.Errorf("told %v", b)
		}
		want := s.does("put x 4").Rev
		if b, _ := s.Advance(w, 9); len(b.Events) != 1 || b.From != want || b.To != want {
			t.Errorf("told %v, want what is of %d alone", b, want)
		}
	})
}

func TestAWatchWithoutARevisionBeginsWithTheNext(t *testing.T) {
	both(t, func(s *table) {
		s.does("put x 1")
		w := s.Open(metastore.Watch{})
		s.does("put x 2")
		if b, _ := s.Advance(w, 9); len(b.Events) != 1 || b.Events[0].Value != "2" {
			t.Errorf("told %v, want x=2 alone", b)
		}
	})
}

func TestEventsSayWhatThereWasWhereThatIsKnown(t *testing.T) {
	e := etcd(t)
	e.does("put x 1", "put x 2", "delete x", "put x 3")
	told := func(from int64) string {
		w := e.Open(metastore.Watch{From: from, Prev: true})
		b, _ := e.Advance(w, 9)
		return b.String()
	}
	if got, want := told(2), "to 5: x=1@2, x=2@3 from 2, 2 was x=1@2, "+
		"x@4 deleted was x=2@3 from 2, 2, x=3@5"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	e.does("compact 4")
	if got, want := told(4), "to 5: x@4 deleted, x=3@5"; got != want {
		t.Errorf("compacted at 4: %s, want %s", got, want)
	}
	e.sweeps()
	if got, want := told(4), "to 5: x@4 deleted, x=3@5"; got != want {
		t.Errorf("swept: %s, want %s", got, want)
	}
}

func TestEventsOfOneRevisionAreNeverSplit(t *testing.T) {
	e := etcd(t)
	e.does("txn then put a 1 , put b 1 , put c 1 end", "put d 1", "put e 1", "put f 1")
	e.watches(2, "to 2: a=1@2, b=1@2, c=1@2", "to 4: d=1@3, e=1@4", "to 5: f=1@5")
}
