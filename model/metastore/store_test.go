package metastore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/model/metastore"
)

// table is a store that is asked in words, with a log of its own.
type table struct {
	*metastore.State
	t     *testing.T
	index int64
}

func etcd(t *testing.T) *table { return with(t, metastore.StoreRules{Dialect: metastore.Etcd3()}) }

func ignite(t *testing.T) *table {
	return with(t, metastore.StoreRules{Dialect: metastore.Ignite3()})
}

func with(t *testing.T, r metastore.StoreRules) *table {
	return &table{State: metastore.NewState(r), t: t}
}

// does what the texts say, and gives the last answer.
func (s *table) does(texts ...string) metastore.Answer {
	s.t.Helper()
	var a metastore.Answer
	for _, text := range texts {
		d, err := metastore.Deeds(text)
		if err != nil {
			s.t.Fatalf("%s: %v", text, err)
		}
		s.index++
		a = s.Apply(s.index, 1, metastore.Command{Deed: d})
	}
	return a
}

func (s *table) want(text, want string) {
	s.t.Helper()
	if got := s.does(text).String(); got != want {
		s.t.Errorf("%s: %s, want %s", text, got, want)
	}
}

// reads reads a range at a revision, 0 is what there is.
func (s *table) reads(r metastore.Range, at int64, want string) {
	s.t.Helper()
	if got := s.Read(metastore.Query{Range: r, At: at}).String(); got != want {
		s.t.Errorf("%v at %d: %s, want %s", r, at, got, want)
	}
}

func (s *table) gets(key string, at int64, want string) {
	s.t.Helper()
	s.reads(metastore.Key(key), at, want)
}

// watches all that there is from a revision on, in batches of two events.
func (s *table) watches(from int64, want ...string) {
	s.t.Helper()
	w := s.Open(metastore.Watch{From: from})
	var got []string
	for {
		b, any := s.Advance(w, 2)
		if !any {
			break
		}
		got = append(got, b.String())
	}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		s.t.Errorf("watch from %d: %s, want %s", from, strings.Join(got, "; "),
			strings.Join(want, "; "))
	}
}

// sweeps removes all that is compacted.
func (s *table) sweeps() {
	for s.Sweep(1) {
	}
}

func (s *table) restarts() { s.State = s.Restarted() }

// both plays a case in both dialects.
func both(t *testing.T, play func(s *table)) {
	t.Run("etcd", func(t *testing.T) { play(etcd(t)) })
	t.Run("ignite", func(t *testing.T) { play(ignite(t)) })
}

func TestTheFirstRevisionIsOneInEtcdAndZeroInIgnite(t *testing.T) {
	if e, i := etcd(t).Rev, ignite(t).Rev; e != 1 || i != 0 {
		t.Errorf("empty stores have revisions %d and %d, want 1 and 0", e, i)
	}
	etcd(t).want("put x 1", "rev 2: ok")
	ignite(t).want("put x 1", "rev 1: ok")
}

func TestADeleteOfNothingIsARevisionInIgniteAlone(t *testing.T) {
	e, i := etcd(t), ignite(t)
	e.want("delete x", "rev 1: ok")
	i.want("delete x", "rev 1: ok")
	e.watches(1, "to 1:")
	i.watches(1, "to 1:")
	if e.Rev != 1 || i.Rev != 1 {
		t.Errorf("revisions %d and %d, want 1, the first, and 1", e.Rev, i.Rev)
	}
}

func TestATransactionThatChangesNothingIsARevisionInIgniteAlone(t *testing.T) {
	e, i := etcd(t), ignite(t)
	e.want("txn if exists x then put x 2 else get x end", "rev 1: no, (ok)")
	i.want("txn if exists x then put x 2 else get x end", "rev 1: no")
	e.want("put x 1 if 7", "rev 1: no")
	i.want("put x 1 if 7", "rev 2: no")
	e.does("put x 1")
	e.want("txn then delete y end", "rev 2: ok, (ok)")
}

func TestAPutOfTheSameValueIsARevision(t *testing.T) {
	e := etcd(t)
	e.does("put x 1")
	e.want("put x 1", "rev 3: ok")
	e.gets("x", 0, "rev 3: ok, count 1, x=1@3 from 2, 2")
}

func TestAReadAboveTheRevisionIsRefusedInEtcdAndAnsweredInIgnite(t *testing.T) {
	e, i := etcd(t), ignite(t)
	e.does("put x 1")
	i.does("put x 1")
	e.gets("x", 3, "rev 2: future")
	i.gets("x", 3, "rev 1: ok, count 1, x=1@1")
}

// compacted has x at a, b and c, where a is the first revision that there can be, and is compacted
// to b.
func compacted(s *table) (a, b, c int64) {
	a = s.does("put x 1").Rev
	b = s.does("put x 2").Rev
	c = s.does("put x 3").Rev
	s.does(fmt.Sprintf("compact %d", b))
	return a, b, c
}

func TestReadsBelowAndAtTheCompactedRevision(t *testing.T) {
	for _, swept := range []bool{false, true} {
		t.Run(fmt.Sprintf("swept %v", swept), func(t *testing.T) {
			e, i := etcd(t), ignite(t)
			a, b, c := compacted(e)
			ia, ib, ic := compacted(i)
			if swept {
				e.sweeps()
				i.sweeps()
			}
			e.gets("x", a, "rev 4: compacted 3")
			i.gets("x", ia, "rev 3: compacted 2")
			e.gets("x", b, "rev 4: ok, count 1, x=2@3 from 2, 2")
			i.gets("x", ib, "rev 3: compacted 2")
			e.gets("x", c, "rev 4: ok, count 1, x=3@4 from 2, 3")
			i.gets("x", ic, "rev 3: ok, count 1, x=3@3 from 1, 3")
			e.gets("never", a, "rev 4: compacted 3")
			e.gets("never", b, "rev 4: ok")
			i.gets("never", ib, "rev 3: compacted 2")
		})
	}
}

func TestAGetOfAForgottenRevisionIsAnsweredInIgniteIfItFindsTheKeysLast(t *testing.T) {
	e, i := etcd(t), ignite(t)
	for _, s := range []*table{e, i} {
		s.does("put x 1", "put y 1", "delete y", "put z 1")
		s.does(fmt.Sprintf("compact %d", s.Rev-1))
	}
	e.gets("x", 2, "rev 5: compacted 4")
	i.gets("x", 1, "rev 4: ok, count 1, x=1@1")
	i.gets("y", 3, "rev 4: compacted 3")
	i.reads(metastore.Range{}, 1, "rev 4: compacted 3")
	i.sweeps()
	i.gets("x", 1, "rev 4: ok, count 1, x=1@1")
	i.gets("y", 3, "rev 4: compacted 3")
}

func TestTheCurrentRevisionIsCompactedInEtcdAlone(t *testing.T) {
	e, i := etcd(t), ignite(t)
	e.does("put x 1", "put x 2")
	i.does("put x 1", "put x 2")
	e.want("compact 3", "rev 3: ok")
	i.want("compact 2", "rev 2: future")
	i.want("compact 1", "rev 2: ok")
}

func TestACompactionThatIsNoNewsIsRefusedAndChangesNothing(t *testing.T) {
	both(t, func(s *table) {
		_, b, c := compacted(s)
		rev := s.Rev
		for _, old := range []int64{b, b - 1} {
			if a := s.does(fmt.Sprintf("compact %d", old)); a.Why != metastore.Compacted || a.At != b {
				t.Errorf("compact %d after %d: %v, want compacted %d", old, b, a, b)
			}
		}
		if a := s.does(fmt.Sprintf("compact %d", c+1)); a.Why != metastore.Future {
			t.Errorf("compact %d of %d: %v, want future", c+1, c, a)
		}
		if s.Compacted != b || s.Rev != rev {
			t.Errorf("compacted %d of %d, want %d of %d", s.Compacted, s.Rev, b, rev)
		}
	})
}

func TestATransactionThatWritesAKeyTwiceIsRefused(t *testing.T) {
	twice := metastore.Ignite3()
	twice.Repeats = true
	for text, want := range map[string]metastore.Why{
		"txn then put x 1 , put x 2 end":                                       metastore.Duplicate,
		"txn then put x 1 , delete x end":                                      metastore.Duplicate,
		"txn then put b 1 , delete a to c end":                                 metastore.Duplicate,
		"txn then put c 1 , delete a to c end":                                 "",
		"txn then delete a to c , delete b end":                                "",
		"txn if exists x then put x 1 else put x 2 end":                        "",
		"txn then put x 1 , txn then put x 2 end end":                          metastore.Duplicate,
		"txn then put x 1 , txn then get x else delete prefix x end end":       metastore.Duplicate,
		"txn then put x 1 , txn if exists x then put y 1 else put y 2 end end": "",
	} {
		d, err := metastore.Deeds(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := metastore.FitsDeed(d, metastore.Etcd3()); got != want {
			t.Errorf("etcd: %s: %q, want %q", text, got, want)
		}
		if got := metastore.FitsDeed(d, twice); got != "" {
			t.Errorf("repeats: %s: %q, want that it is accepted", text, got)
		}
	}
}

func TestWhereATransactionMayRepeatTheRemovalOfAFreshKeyLeavesThePut(t *testing.T) {
	d := metastore.Ignite3()
	d.Repeats = true
	s := with(t, metastore.StoreRules{Dialect: d})
	s.does("txn then put x 1 , delete x end")
	s.gets("x", 0, "rev 1: ok, count 1, x=1@1")
	s.does("txn then put x 2 , put x 3 end")
	s.gets("x", 0, "rev 2: ok, count 1, x=3@2 from 1, 2")
	s.does("txn then put x 4 , delete x end")
	s.gets("x", 0, "rev 3: ok")
	s.watches(1, "to 2: x=1@1, x=3@2 from 1, 2", "to 3: x@3 deleted")
}

func TestConditionsAreConjunctionsInEtcdAndTreesInIgnite(t *testing.T) {
	for text, flat := range map[string]bool{
		"txn if exists x then end":                                  true,
		"txn if exists x and mod y = 0 then end":                    true,
		"txn if exists x or mod y = 0 then end":                     false,
		"txn if not exists x then end":                              false,
		"txn if exists x and ( mod x > 3 or value x = a ) then end": false,
	} {
		d, err := metastore.Deeds(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := metastore.FitsDeed(d, metastore.Etcd3()); (got == "") != flat {
			t.Errorf("etcd: %s: %q", text, got)
		}
		if got := metastore.FitsDeed(d, metastore.Ignite3()); got != "" {
			t.Errorf("ignite: %s: %q", text, got)
		}
	}
}

func TestConditionsOfAKeyThatDoesNotLive(t *testing.T) {
	both(t, func(s *table) {
		s.does("put x 1", "delete x")
		for _, key := range []string{"x", "never"} {
			for cond, want := range map[string]bool{
				"mod KEY = 0": true, "create KEY = 0": true, "count KEY = 0": true,
				"lease KEY = 0": true, "mod KEY < 1": true, "mod KEY > 0": false,
				"exists KEY": false, "value KEY = 1": false, "value KEY != 1": false,
				"value KEY < a": false,
			} {
				text := "txn if " + strings.ReplaceAll(cond, "KEY", key) + " then end"
				if got := s.does(text).OK; got != want {
					t.Errorf("%s: %v, want %v", text, got, want)
				}
			}
		}
	})
}

func TestConditionsAreAboutTheStateBeforeTheCommand(t *testing.T) {
	e := etcd(t)
	e.want("txn then put x 1 , txn if exists x then put y 1 else put z 1 end end",
		"rev 2: ok, (ok), (no, (ok))")
	e.reads(metastore.Range{}, 0, "rev 2: ok, count 2, x=1@2, z=1@2")
}

func TestReadsOfABranchSeeItsWrites(t *testing.T) {
	e := etcd(t)
	e.does("put x 1")
	e.want("txn then get x , put x 2 , get x , delete prefix y , get x end",
		"rev 3: ok, (ok, count 1, x=1@2), (ok), (ok, count 1, x=2@3 from 2, 2), (ok), "+
			"(ok, count 1, x=2@3 from 2, 2)")
}

func TestATransactionYieldsWhatItsLeafSays(t *testing.T) {
	i := ignite(t)
	i.want("txn if exists x then yield old else txn if exists y then yield y else put x 1 , "+
		"yield new end end", "rev 1: no, yield new")
	etcd(t).want("txn then put x 1 , yield new end", "rev 2: ok, yield new, (ok)")
}

func TestAllWritesOfATransactionAreOneRevision(t *testing.T) {
	both(t, func(s *table) {
		s.does("put a 1", "put b 1", "put c 1")
		from := s.Rev
		s.does("txn then put z 1 , delete a to c , put y 2 end")
		s.watches(from+1, fmt.Sprintf("to %d: z=1@%[1]d, a@%[1]d deleted, b@%[1]d deleted, y=2@%[1]d",
			from+1))
	})
}

func TestADeleteOfARangeLeavesOneTombstoneForEachLivingKey(t *testing.T) {
	e := etcd(t)
	e.does("put a 1", "put b 1", "put c 1", "delete b")
	e.want("delete a to c", "rev 6: ok, count 1")
	e.watches(6, "to 6: a@6 deleted")
}

func TestPagesOfOneRevision(t *testing.T) {
	e := etcd(t)
	e.does("put a 1", "put b 1", "put c 1", "put a 2")
	a := e.Read(metastore.Query{Range: metastore.Range{From: "a"}, At: 4, Limit: 2})
	if a.Count != 3 || len(a.Items) != 2 || a.Items[0].Value != "1" {
		t.Errorf("first page of 4: %v, want a=1 b=1 of 3", a)
	}
	e.does("compact 5")
	if a = e.Read(metastore.Query{Range: metastore.Range{From: "b\x00"}, At: 4}); a.Why != metastore.Compacted {
		t.Errorf("second page of 4, after compact 5: %v, want compacted", a)
	}
}

func TestFiltersAreAppliedToWhatARangeHas(t *testing.T) {
	e := etcd(t)
	e.does("put a 1", "put b 1", "put c 1")
	if a := e.Read(metastore.Query{Min: 3, Max: 3}); a.Count != 1 || a.Items[0].Key != "b" {
		t.Errorf("of revision 3: %v, want b", a)
	}
	if a := e.Read(metastore.Query{Count: true}); a.Count != 3 || len(a.Items) != 0 {
		t.Errorf("count: %v, want 3", a)
	}
	if a := e.Read(metastore.Query{Keys: true, Limit: 1}); a.Items[0].Value != "" || a.Count != 3 {
		t.Errorf("keys: %v, want a without value, of 3", a)
	}
}
