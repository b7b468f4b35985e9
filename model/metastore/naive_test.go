package metastore_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/model/metastore"
)

// naive is the store as one would write it that had room and time: every revision is kept as a
// whole, forever.
type naive struct {
	d         metastore.Dialect
	revs      []map[string]metastore.Item // from the first revision on
	compacted int64
	leases    map[int64]bool
	answers   map[[2]int64]string
}

func newNaive(d metastore.Dialect) *naive {
	return &naive{d, []map[string]metastore.Item{{}}, -1, map[int64]bool{}, map[[2]int64]string{}}
}

func (n *naive) rev() int64 { return n.d.First + int64(len(n.revs)) - 1 }

// state is what there is at a revision; before the first there is nothing.
func (n *naive) state(rev int64) map[string]metastore.Item {
	if rev < n.d.First {
		return nil
	}
	return n.revs[rev-n.d.First]
}

// does a command, and says what a client may see of its outcome.
func (n *naive) does(c metastore.Command) string {
	id := [2]int64{c.Session, c.Seq}
	if old, known := n.answers[id]; known && n.d.Remembers {
		return old
	}
	now, next := n.state(n.rev()), maps.Clone(n.state(n.rev()))
	says, counts := n.outcome(c.Deed, now, next)
	if counts || !maps.Equal(now, next) {
		n.revs = append(n.revs, next)
	}
	says = fmt.Sprintf("rev %d: %s", n.rev(), says)
	n.answers[id] = says
	return says
}

// outcome changes next, and says whether it is a revision even if nothing has changed.
func (n *naive) outcome(d metastore.Deed, now, next map[string]metastore.Item) (string, bool) {
	switch d := d.(type) {
	case metastore.Put:
		if d.If != metastore.Unless && now[d.Key].Mod != d.If {
			if old, live := now[d.Key]; live {
				return "no, " + old.String(), n.d.EmptyTxn
			}
			return "no", n.d.EmptyTxn
		}
		if d.Lease != 0 && !n.leases[d.Lease] {
			return "no-lease", false
		}
		n.put(d, next)
		return "ok", false
	case metastore.Delete:
		return counted(remove(d.Range, next)), n.d.EmptyDelete
	case metastore.Txn:
		if n.lacks(d, now) {
			return "no-lease", false
		}
		says := n.txn(d, now, next)
		if n.d.Yields {
			word, _, _ := strings.Cut(says, ",")
			if y := leaf(d, now); y != "" {
				word += ", yield " + y
			}
			says = word
		}
		return says, n.d.EmptyTxn
	case metastore.Compact:
		return n.compact(d.Rev), false
	case metastore.Grant:
		if n.leases[d.ID] {
			return "exists", false
		}
		n.leases[d.ID] = true
		return "ok", false
	case metastore.Revoke:
		return n.revoke(d.ID, next), false
	}
	panic(d)
}

func counted(k int) string {
	if k == 0 {
		return "ok"
	}
	return "ok, count " + strconv.Itoa(k)
}

func (n *naive) put(p metastore.Put, next map[string]metastore.Item) {
	old, live := next[p.Key]
	v := metastore.Version{Mod: n.rev() + 1, Value: p.Value, Create: n.rev() + 1, Count: 1, Lease: p.Lease}
	if live {
		v.Create, v.Count = old.Create, old.Count+1
	}
	next[p.Key] = metastore.Item{Key: p.Key, Version: v}
}

func remove(r metastore.Range, next map[string]metastore.Item) int {
	was := len(next)
	maps.DeleteFunc(next, func(key string, _ metastore.Item) bool { return r.Has(key) })
	return was - len(next)
}

func (n *naive) revoke(id int64, next map[string]metastore.Item) string {
	if !n.leases[id] {
		return "no-lease"
	}
	delete(n.leases, id)
	was := len(next)
	maps.DeleteFunc(next, func(_ string, i metastore.Item) bool { return i.Lease == id })
	return counted(was - len(next))
}

func (n *naive) compact(rev int64) string {
	switch {
	case rev <= n.compacted:
		return fmt.Sprintf("compacted %d", n.compacted)
	case rev > n.rev(), n.d.KeepsCurrent && rev == n.rev():
		return "future"
	}
	n.compacted = rev
	return "ok"
}

func branch(t metastore.Txn, now map[string]metastore.Item) (metastore.Branch, string) {
	if judge(t.If, now) {
		return t.Then, "ok"
	}
	return t.Else, "no"
}

func (n *naive) lacks(t metastore.Txn, now map[string]metastore.Item) bool {
	b, _ := branch(t, now)
	return slices.ContainsFunc(b.Deeds, func(d metastore.Deed) bool {
		switch d := d.(type) {
		case metastore.Put:
			return d.Lease != 0 && !n.leases[d.Lease]
		case metastore.Txn:
			return n.lacks(d, now)
		}
		return false
	})
}

func (n *naive) txn(t metastore.Txn, now, next map[string]metastore.Item) string {
	b, says := branch(t, now)
	if b.Yield != "" {
		says += ", yield " + b.Yield
	}
	for _, d := range b.Deeds {
		switch d := d.(type) {
		case metastore.Put:
			n.put(d, next)
			says += ", (ok)"
		case metastore.Delete:
			says += ", (" + counted(remove(d.Range, next)) + ")"
		case metastore.Get:
			says += ", (" + shown(d.Range, next) + ")"
		case metastore.Txn:
			says += ", (" + n.txn(d, now, next) + ")"
		}
	}
	return says
}

func leaf(t metastore.Txn, now map[string]metastore.Item) string {
	b, _ := branch(t, now)
	for _, d := range slices.Backward(b.Deeds) {
		if inner, is := d.(metastore.Txn); is {
			if y := leaf(inner, now); y != "" {
				return y
			}
		}
	}
	return b.Yield
}

func judge(c metastore.Cond, now map[string]metastore.Item) bool {
	switch c.Join {
	case metastore.All:
		all := true
		for _, p := range c.Parts {
			all = all && judge(p, now)
		}
		return all
	case metastore.Any:
		some := false
		for _, p := range c.Parts {
			some = some || judge(p, now)
		}
		return some
	case metastore.None:
		return !judge(c.Parts[0], now)
	}
	t := c.Test
	i, live := now[t.Key]
	is := map[string]int64{"mod": i.Mod, "create": i.Create, "count": i.Count, "lease": i.Lease}[t.Target]
	want, _ := strconv.ParseInt(t.Want, 10, 64)
	order := cmp.Compare(is, want)
	switch t.Target {
	case "exists":
		return live
	case "value":
		order = strings.Compare(i.Value, t.Want)
		if !live {
			return false
		}
	}
	return map[string]bool{"=": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0,
		">": order > 0, ">=": order >= 0}[t.Compare]
}

// shown is what a read of a range says.
func shown(r metastore.Range, state map[string]metastore.Item) string {
	keys := slices.Sorted(maps.Keys(state))
	keys = slices.DeleteFunc(keys, func(key string) bool { return !r.Has(key) })
	says := counted(len(keys))
	for _, key := range keys {
		i := state[key]
		i.Sub = 0
		says += ", " + i.String()
	}
	return says
}

func (n *naive) floor() int64 {
	if n.d.HidesBound {
		return n.compacted + 1
	}
	return n.compacted
}

// reads is what a read says.
func (n *naive) reads(r metastore.Range, at int64) string {
	return fmt.Sprintf("rev %d: %s", n.rev(), n.found(r, at))
}

func (n *naive) found(r metastore.Range, at int64) string {
	if at == 0 {
		return shown(r, n.state(n.rev()))
	}
	if at > n.rev() && !n.d.ReadsAhead {
		return "future"
	}
	was := n.state(min(at, n.rev()))
	if at >= n.floor() {
		return shown(r, was)
	}
	if now, live := n.state(n.rev())[r.From]; n.d.LastAnswers && r.One && live && now == was[r.From] {
		return shown(r, was)
	}
	return fmt.Sprintf("compacted %d", n.compacted)
}

// events are what a watch says from a revision on, up to the last.
func (n *naive) events(r metastore.Range, from int64) string {
	if from > n.rev() {
		return ""
	}
	if from < n.floor() {
		return fmt.Sprintf("compacted %d", n.compacted)
	}
	var says []string
	for rev := from; rev <= n.rev(); rev++ {
		was, is := n.state(rev-1), n.state(rev)
		var all []string
		for _, key := range slices.Sorted(maps.Keys(is)) {
			if is[key] != was[key] && r.Has(key) {
				all = append(all, is[key].String()+before(was, key, rev-1 >= n.floor()))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(was)) {
			if _, live := is[key]; !live && r.Has(key) {
				dead := metastore.Item{Key: key, Version: metastore.Version{Mod: rev, Dead: true}}
				all = append(all, dead.String()+before(was, key, rev-1 >= n.floor()))
			}
		}
		slices.Sort(all)
		says = append(says, all...)
	}
	return strings.Join(says, "; ")
}

func before(was map[string]metastore.Item, key string, known bool) string {
	if old, lived := was[key]; lived && known {
		return " was " + old.String()
	}
	return ""
}
