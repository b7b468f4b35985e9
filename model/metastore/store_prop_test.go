package metastore_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/metastore"
)

var (
	someKey   = rapid.SampledFrom([]string{"a", "b", "c", "d", "a\xff", "\xff"})
	someRange = rapid.Custom(func(t *rapid.T) metastore.Range {
		switch rapid.IntRange(0, 4).Draw(t, "range") {
		case 0:
			return metastore.Prefix(rapid.SampledFrom([]string{"", "a", "\xff", "b"}).Draw(t, "prefix"))
		case 1:
			return metastore.Range{From: someKey.Draw(t, "from"), To: someKey.Draw(t, "to")}
		}
		return metastore.Key(someKey.Draw(t, "key"))
	})
	somePut = rapid.Custom(func(t *rapid.T) metastore.Put {
		return metastore.Put{Key: someKey.Draw(t, "key"), If: metastore.Unless,
			Value: rapid.SampledFrom([]string{"1", "2", ""}).Draw(t, "value")}
	})
	someTest = rapid.Custom(func(t *rapid.T) metastore.Cond {
		test := metastore.Test{Key: someKey.Draw(t, "key"),
			Target: rapid.SampledFrom([]string{"value", "mod", "create", "count", "lease", "exists"}).Draw(t, "target")}
		if test.Target != "exists" {
			test.Compare = rapid.SampledFrom([]string{"=", "!=", "<", "<=", ">", ">="}).Draw(t, "compare")
			test.Want = fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "want"))
		}
		return metastore.Cond{Join: metastore.One, Test: test}
	})
)

// draws draws what a dialect allows for.
type draws struct {
	*rapid.T
	d   metastore.Dialect
	rev int64
}

func (r draws) n(most int, label string) int { return rapid.IntRange(0, most).Draw(r.T, label) }

// about is a revision near the last ones, or a little above them.
func (r draws) about() int64 { return max(0, r.rev+2-int64(r.n(8, "ago"))) }

func (r draws) put() metastore.Put {
	p := somePut.Draw(r.T, "put")
	if !r.d.Leaseless && r.n(2, "leased") == 0 {
		p.Lease = int64(r.n(3, "lease"))
	}
	return p
}

func (r draws) cond(depth int) metastore.Cond {
	if !r.d.Trees || depth > 2 || r.n(2, "test") > 0 {
		c := metastore.Cond{Join: metastore.All}
		for range r.n(2, "tests") {
			c.Parts = append(c.Parts, someTest.Draw(r.T, "test"))
		}
		if len(c.Parts) == 1 {
			return c.Parts[0]
		}
		return c
	}
	if r.n(2, "not") == 0 {
		return metastore.Cond{Join: metastore.None, Parts: []metastore.Cond{someTest.Draw(r.T, "test")}}
	}
	return metastore.Cond{Join: metastore.Any, Parts: []metastore.Cond{someTest.Draw(r.T, "test"),
		someTest.Draw(r.T, "test")}}
}

func (r draws) branch(depth int) metastore.Branch {
	var b metastore.Branch
	for range r.n(3, "deeds") {
		switch r.n(4, "deed") {
		case 0:
			b.Deeds = append(b.Deeds, metastore.Delete{Range: someRange.Draw(r.T, "range")})
		case 1:
			b.Deeds = append(b.Deeds, metastore.Get{Range: someRange.Draw(r.T, "range")})
		case 2:
			if depth < 2 {
				b.Deeds = append(b.Deeds, r.txn(depth+1))
			}
		default:
			b.Deeds = append(b.Deeds, r.put())
		}
	}
	if r.n(2, "yields") == 0 {
		b.Yield = rapid.SampledFrom([]string{"one", "two"}).Draw(r.T, "yield")
	}
	return b
}

func (r draws) txn(depth int) metastore.Txn {
	return metastore.Txn{If: r.cond(0), Then: r.branch(depth), Else: r.branch(depth)}
}

func (r draws) deed() metastore.Deed {
	switch r.n(9, "deed") {
	case 0, 1:
		return r.txn(0)
	case 2:
		return metastore.Delete{Range: someRange.Draw(r.T, "range")}
	case 3:
		return metastore.Compact{Rev: r.about()}
	case 4:
		if !r.d.Leaseless {
			return metastore.Grant{ID: int64(1 + r.n(2, "lease")), TTL: 5}
		}
	case 5:
		if !r.d.Leaseless {
			return metastore.Revoke{ID: int64(1 + r.n(2, "lease"))}
		}
	case 6:
		p := r.put()
		p.If = r.about()
		return p
	}
	return r.put()
}

// watched is all that a watch is told from a revision on, in batches of a few events.
func watched(s *metastore.State, r metastore.Range, from int64, most int) string {
	w := s.Open(metastore.Watch{Range: r, From: from, Prev: true})
	var says, of []string
	last := int64(-1)
	flush := func() {
		slices.Sort(of) // the order within a revision is that of its commands
		says, of = append(says, of...), nil
	}
	for {
		b, any := s.Advance(w, most)
		if !any || b.Compacted >= 0 {
			if b.Compacted >= 0 {
				return b.String()
			}
			flush()
			return strings.Join(says, "; ")
		}
		for _, e := range b.Events {
			if e.Mod != last {
				flush()
				last = e.Mod
			}
			of = append(of, e.String())
		}
	}
}

func storeIsNaive(d metastore.Dialect) func(t *rapid.T) {
	return func(t *rapid.T) {
		s, n := metastore.NewState(metastore.StoreRules{Dialect: d}), newNaive(d)
		for i := int64(1); i <= 25; i++ {
			r := draws{t, d, s.Rev}
			deed := r.deed()
			if metastore.FitsDeed(deed, d) != "" {
				continue
			}
			c := metastore.Command{Session: 1, Seq: max(1, i-int64(r.n(1, "again"))), Time: 1, Deed: deed}
			text := metastore.Encode(c)
			back, err := metastore.Decode(text)
			if err != nil || !reflect.DeepEqual(back, c) {
				t.Fatalf("%s is read as %+v, %v, want %+v", text, back, err, c)
			}
			if got, want := s.Apply(i, 1, c).String(), n.does(c); got != want {
				t.Fatalf("%v: %s, want %s", deed, got, want)
			}
			if s.Sweep(r.n(3, "sweep")); r.n(9, "restart") == 0 {
				s = s.Restarted()
			}
			span, at := someRange.Draw(t, "read"), r.about()
			if got, want := s.Read(metastore.Query{Range: span, At: at}).String(), n.reads(span, at); got != want {
				t.Fatalf("%v: get %v at %d: %s, want %s", deed, span, at, got, want)
			}
			if at = max(at, d.First+1); true {
				if got, want := watched(s, span, at, 1+r.n(3, "most")), n.events(span, at); got != want {
					t.Fatalf("%v: watch %v from %d: %s, want %s", deed, span, at, got, want)
				}
			}
		}
	}
}

func TestEtcdsStoreIsTheNaiveOne(t *testing.T) { rapid.Check(t, storeIsNaive(metastore.Etcd3())) }

func TestIgnitesStoreIsTheNaiveOne(t *testing.T) { rapid.Check(t, storeIsNaive(metastore.Ignite3())) }

func TestReplicasThatRemoveAndRestartAtDifferentTimesAreEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := metastore.Ignite3()
		if rapid.Bool().Draw(t, "etcd") {
			d = metastore.Etcd3()
		}
		one := metastore.NewState(metastore.StoreRules{Dialect: d})
		other := one
		copied := one.Copy()
		other = &copied
		for i := int64(1); i <= 30; i++ {
			r := draws{t, d, one.Rev}
			deed := r.deed()
			c := metastore.Command{Session: 1, Seq: i, Time: 1, Deed: deed}
			a, b := one.Apply(i, 1, c), other.Apply(i, 1, c)
			if !a.Equal(b) || one.Chain != other.Chain || one.Rev != other.Rev {
				t.Fatalf("%v: %v and %v", deed, a, b)
			}
			if other.Sweep(r.n(4, "sweep")); r.n(5, "restart") == 0 {
				other = other.Restarted()
			}
			if r.n(5, "copy") == 0 {
				c := other.Copy()
				other.Apply(i+1, 1, metastore.Command{Deed: r.put()})
				other.Sweep(100)
				other = &c
			}
		}
	})
}

func FuzzCommandsAreReadAsTheyAreWritten(f *testing.F) {
	for _, text := range []string{"0 0 0 0 put x 1", `1 2 3 4 txn if mod x = 1 then put \- \x23 , delete prefix a end`,
		"1 1 1 1 evict 5", "0 0 0 0 txn if not ( exists x or value y != 1 ) then yield a else get all end",
		"0 0 0 0 revoke 1 by 2", `0 0 0 0 put \x to`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := metastore.Decode(text)
		if err != nil {
			return
		}
		again, err := metastore.Decode(metastore.Encode(c))
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Errorf("%q: %+v, then %+v, %v", text, c, again, err)
		}
	})
}
