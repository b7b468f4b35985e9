package metastore_test

import (
	"fmt"
	"testing"

	"github.com/downset/downset/model/metastore"
)

// Each case is a fault that a store of this kind had once. It is played on the right store, which
// must do what its clients may rely on, and on one with the fault, which must be seen not to.

type fault struct {
	name string
	set  func(*metastore.StoreRules)
	play func(s *table) (got, want string)
}

func faults() []fault {
	return []fault{
		{"a crash in a compaction loses the newest revisions (etcd #17780)",
			func(r *metastore.StoreRules) { r.RevisionOfRows, r.DropsTombstone = true, true },
			lastIsDeleted},
		{"after a compaction at a delete the store is behind what it compacted (etcd #6567)",
			func(r *metastore.StoreRules) { r.RevisionOfRows, r.DropsTombstone = true, true },
			compactedAtDelete},
		{"a tombstone at the compacted revision is removed (etcd #18089)",
			func(r *metastore.StoreRules) { r.DropsTombstone = true }, watchAtDelete(false)},
		{"a tombstone that is a key's first row is not read at a start (etcd #19179)",
			func(r *metastore.StoreRules) { r.SkipsTombstone = true }, watchAtDelete(true)},
		{"a version is removed that is still visible (Ignite 25227)",
			func(r *metastore.StoreRules) { r.LastOnly = true }, visibleBetween},
		{"the revision in a row's name has its low byte first (Ignite 16584)",
			func(r *metastore.StoreRules) { r.LittleEndian = true }, beyondOneByte},
		{"a condition sees the revision of a tombstone",
			func(r *metastore.StoreRules) { r.SeesTombstones = true }, sweptTombstone},
		{"what can be read depends on what was removed",
			func(r *metastore.StoreRules) { r.SweptBound = true }, unsweptRead},
		{"answers are not in snapshots",
			func(r *metastore.StoreRules) { r.AnswersLost = true }, askedAgain(true)},
		{"answers are not kept",
			func(r *metastore.StoreRules) { r.Forgetful = true }, askedAgain(false)},
		{"a watch begins a revision late",
			func(r *metastore.StoreRules) { r.OneLate = true }, watchFromNow},
		{"a watch of what is forgotten goes on with what is not",
			func(r *metastore.StoreRules) { r.SkipsGap = true }, watchForgotten},
		{"a watch of a revision to come begins with the next (etcd #20221)",
			func(r *metastore.StoreRules) { r.FromOwn = true }, watchToCome},
		{"a revoke counts in any term (etcd #15247)",
			func(r *metastore.StoreRules) { r.AnyTerm = true }, oldRevoke},
	}
}

// lastIsDeleted: the newest revisions are deletes, all compacted and removed, and then a restart.
func lastIsDeleted(s *table) (got, want string) {
	s.does("put x 1", "put y 1", "delete x", "delete y", "compact 5")
	s.sweeps()
	s.restarts()
	return fmt.Sprint(s.Rev), "5"
}

// compactedAtDelete is put, delete, compact at the delete, restart: then a read of what there is.
func compactedAtDelete(s *table) (got, want string) {
	s.does("put x 1", "delete x", "put y 1", "delete y", "compact 5")
	s.sweeps()
	s.does("txn then end")
	s.restarts()
	s.does("compact 5")
	return fmt.Sprint(s.Rev >= s.Compacted, s.does("put z 1").Rev), "true 6"
}

// watchAtDelete is put four times, delete at 6, put at 7, compact 6, watch from 6.
func watchAtDelete(restart bool) func(s *table) (got, want string) {
	return func(s *table) (got, want string) {
		s.does("put x 1", "put x 2", "put x 3", "put x 4", "delete x", "put x 5", "compact 6")
		s.sweeps()
		if restart {
			s.restarts()
		}
		return firstBatch(s, 6), "to 7: x@6 deleted, x=5@7"
	}
}

func firstBatch(s *table, from int64) string {
	b, _ := s.Advance(s.Open(metastore.Watch{From: from}), 100)
	return b.String()
}

// visibleBetween is foo at 2, 4 and 6, compact 2, read at 3.
func visibleBetween(s *table) (got, want string) {
	s.does("put foo 1", "put bar 1", "put foo 2", "put bar 2", "put foo 3", "compact 2")
	s.sweeps()
	return s.Read(metastore.Query{Range: metastore.Key("foo"), At: 3}).String(),
		"rev 6: ok, count 1, foo=1@2"
}

// beyondOneByte is two versions of x on both sides of revision 256, and a restart.
func beyondOneByte(s *table) (got, want string) {
	for s.Rev < 254 {
		s.does("put y 1")
	}
	s.does("put x 1", "put x 2")
	s.restarts()
	return s.Read(metastore.Query{Range: metastore.Key("x")}).String(),
		"rev 256: ok, count 1, x=2@256 from 255, 2"
}

// sweptTombstone asks for a key that was deleted, on a replica that has removed the tombstone and
// on one that has not.
func sweptTombstone(s *table) (got, want string) {
	s.does("put x 1", "delete x", "put y 1", "compact 4")
	other := &table{State: s.Restarted(), t: s.t, index: s.index}
	s.sweeps()
	text := "txn if mod x = 0 then put x 2 else put x 3 end"
	return fmt.Sprint(s.does(text), " ", other.does(text)), "rev 5: ok, (ok) rev 5: ok, (ok)"
}

func unsweptRead(s *table) (got, want string) {
	s.does("put x 1", "put x 2", "compact 3")
	return string(s.Read(metastore.Query{Range: metastore.Key("x"), At: 2}).Why), "compacted"
}

// askedAgain is a conditional put that comes a second time, perhaps after a restart.
func askedAgain(restart bool) func(s *table) (got, want string) {
	return func(s *table) (got, want string) {
		put, _ := metastore.Deeds("put x 1 if 0")
		c := metastore.Command{Session: 7, Seq: 1, Deed: put}
		first := s.Apply(1, 1, c)
		if restart {
			s.restarts()
		}
		second := s.Apply(2, 1, c)
		if s.StoreDialect().Remembers {
			return second.String(), first.String()
		}
		return "", ""
	}
}

func watchFromNow(s *table) (got, want string) {
	w := s.Open(metastore.Watch{})
	s.does("put x 1", "put x 2")
	b, _ := s.Advance(w, 100)
	return fmt.Sprint(len(b.Events)), "2"
}

func watchForgotten(s *table) (got, want string) {
	s.does("put x 1", "put x 2", "put x 3", "compact 3")
	return firstBatch(s, 2), "compacted 3"
}

func watchToCome(s *table) (got, want string) {
	s.does("put x 1")
	w := s.Open(metastore.Watch{From: 4})
	s.does("put x 2", "put x 3")
	b, _ := s.Advance(w, 100)
	return b.String(), "to 4: x=3@4 from 2, 3"
}

func oldRevoke(s *table) (got, want string) {
	s.does("grant 1 1s", "put x 1 lease 1")
	d, _ := metastore.Deeds("revoke 1 by 1")
	s.Apply(9, 2, metastore.Command{Deed: d})
	return fmt.Sprint(s.Read(metastore.Query{}).Count), "1"
}

func TestTheStoreHasNoneOfTheFaultsOfOthersAndWouldShowThem(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			right := metastore.StoreRules{Dialect: metastore.Etcd3()}
			// The same revisions as in etcd's dialect, with answers that are kept.
			right.Dialect.Remembers = true
			if got, want := f.play(with(t, right)); got != want {
				t.Errorf("right: %s, want %s", got, want)
			}
			wrong := right
			f.set(&wrong)
			if got, want := f.play(with(t, wrong)); got == want {
				t.Errorf("wrong: %s, want that the fault shows", got)
			}
		})
	}
}

func TestThePrefixOfHighBytesHasNoEnd(t *testing.T) {
	for _, c := range []struct {
		prefix string
		want   metastore.Range
	}{
		{"a", metastore.Range{From: "a", To: "b"}},
		{"a\xff", metastore.Range{From: "a\xff", To: "b"}},
		{"a\xff\xff", metastore.Range{From: "a\xff\xff", To: "b"}},
		{"\xff", metastore.Range{From: "\xff"}},
		{"\xff\xff", metastore.Range{From: "\xff\xff"}},
		{"", metastore.Range{}},
	} {
		got := metastore.Prefix(c.prefix)
		if got != c.want {
			t.Errorf("Prefix(%q) = %q, want %q", c.prefix, got, c.want)
		}
		if !got.Has(c.prefix + "\xff\xff") {
			t.Errorf("Prefix(%q) does not have %[1]q and two more bytes", c.prefix)
		}
	}
	s := etcd(t)
	s.does(`put a\xff\xff 1`, `put b 2`, `put \xff 3`, `put \xff\xff\x01 4`)
	s.reads(metastore.Prefix("\xff"), 0, `rev 5: ok, count 2, \xff=3@4, \xff\xff\x01=4@5`)
	s.reads(metastore.Prefix("a\xff"), 0, `rev 5: ok, count 1, a\xff\xff=1@2`)
}
