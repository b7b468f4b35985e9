package metastore_test

import (
	"testing"

	"github.com/downset/downset/model/metastore"
)

func TestAnswersAreKeptInIgniteUntilTheyAreEvicted(t *testing.T) {
	e, i := etcd(t), ignite(t)
	put, _ := metastore.Deeds("put x 1 if 0")
	again := metastore.Command{Session: 1, Seq: 1, Time: 5, Deed: put}
	for _, s := range []*table{e, i} {
		s.Apply(1, 1, again)
	}
	if a := e.Apply(2, 1, again); a.OK {
		t.Errorf("etcd: asked again: %v, want no: it knows nothing of the first", a)
	}
	if a := i.Apply(2, 1, again); a.String() != "rev 1: ok" || a.Index != 1 {
		t.Errorf("ignite: asked again: %v of %d, want rev 1: ok of 1, as it was", a, a.Index)
	}
	i.restarts()
	if a := i.Apply(3, 1, again); !a.OK || i.Rev != 1 {
		t.Errorf("ignite, restarted: %v, revision %d, want ok, 1", a, i.Rev)
	}
	i.index = 3
	i.want("evict 5", "rev 1: ok")
	i.want("evict 6", "rev 2: ok, count 1")
	if a := i.Apply(9, 1, again); a.OK {
		t.Errorf("ignite, evicted: %v, want no", a)
	}
}

func TestTimeGoesOnWithACommandThatHasBeenDone(t *testing.T) {
	i := ignite(t)
	put, _ := metastore.Deeds("put x 1")
	for n, c := range []metastore.Command{{Time: 5}, {Time: 9}, {Time: 12, Term: 1}} {
		c.Session, c.Seq, c.Deed = 1, 1, put
		i.Apply(int64(n+1), 2, c)
	}
	if i.Time != 9 {
		t.Errorf("after the same command at 5 and at 9, and one of another term at 12, it is %d, want 9",
			int64(i.Time))
	}
}

func TestACommandOfAnotherTermHasNoEffect(t *testing.T) {
	both(t, func(s *table) {
		put, _ := metastore.Deeds("put x 1")
		a := s.Apply(1, 3, metastore.Command{Session: 1, Seq: 1, Term: 2, Deed: put})
		if a.Why != metastore.Moved || s.Rev != metastore.NewState(metastore.StoreRules{}).Rev && s.Rev > 1 {
			t.Errorf("of term 2 in term 3: %v, revision %d, want moved", a, s.Rev)
		}
		if a = s.Apply(2, 3, metastore.Command{Session: 1, Seq: 1, Term: 3, Deed: put}); !a.OK {
			t.Errorf("again in term 3: %v, want ok", a)
		}
	})
}

func TestLeasesAreEtcds(t *testing.T) {
	e := etcd(t)
	ignite(t).want("grant 1 5s", "rev 0: unsupported")
	e.want("put x 1 lease 1", "rev 1: no-lease")
	e.want("txn then put y 1 , put x 1 lease 1 end", "rev 1: no-lease")
	e.want("grant 1 5s", "rev 1: ok")
	e.want("grant 1 5s", "rev 1: exists")
	e.does("grant 2 5s", "put y 1 lease 1", "put x 1 lease 1", "put z 1 lease 1", "put z 2 lease 2",
		"put w 1 lease 1", "put w 2", "put v 1 lease 1", "delete v")
	e.want("revoke 1", "rev 10: ok, count 2")
	e.watches(10, "to 10: x@10 deleted, y@10 deleted")
	e.want("revoke 1", "rev 10: no-lease")
	e.want("put x 1 lease 1", "rev 10: no-lease")
}

func TestARevokeCountsInTheTermOfItsLeaderAlone(t *testing.T) {
	e := etcd(t)
	e.does("grant 1 5s", "put x 1 lease 1")
	old, _ := metastore.Deeds("revoke 1 by 1")
	if a := e.Apply(3, 2, metastore.Command{Deed: old}); a.Why != metastore.Moved || e.Rev != 2 {
		t.Errorf("by 1 in term 2: %v, revision %d, want moved, 2", a, e.Rev)
	}
	now, _ := metastore.Deeds("revoke 1 by 2")
	if a := e.Apply(4, 2, metastore.Command{Deed: now}); !a.OK || e.Rev != 3 {
		t.Errorf("by 2 in term 2: %v, revision %d, want ok, 3", a, e.Rev)
	}
}
