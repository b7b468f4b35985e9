package metastore

import (
	"slices"
	"strings"
)

// clientRules are the decisions of the library of clients. The zero value of each is right.
type clientRules struct {
	Repeats      bool // what may have been done is asked for again, though servers do not remember
	GoesBack     bool // an answer may be older than what has been seen
	Blind        bool // an update puts whatever has come between
	Unpinned     bool // pages are each of the revision that is current then
	TakesAny     bool // parcels of a watch are taken in any order, and twice
	ActsByKey    bool // who attends acts on what comes at once in the order of the keys
	BalancesOnce bool // the affinity is put when a baseline comes, and not again
	ListGap      bool // what follows begins a revision after what it has read, and one more
	FromKept     bool // who follows and is behind goes on with what is not forgotten
	AsksNow      bool // a watch from now begins anew with now when it changes its server
}

// older says that an answer of one server is older than what another has told.
func (r *clientRules) older(rev, seen int64) bool { return rev < seen && !r.GoesBack }

// conditional is the put of an update.
func (r *clientRules) conditional(p Put) Put {
	if r.Blind {
		p.If = Unless
	}
	return p
}

// pinned is the revision of the next page.
func (r *clientRules) pinned(at int64) int64 {
	if r.Unpinned {
		return 0
	}
	return at
}

// turns is the order in which events are acted upon: that in which they come.
func (r *clientRules) turns(events []Event) []Event {
	if !r.ActsByKey {
		return events
	}
	list := slices.Clone(events)
	slices.SortStableFunc(list, func(a, b Event) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// balances says that the affinity may have to be put after events.
func (r *clientRules) balances(events []Event) bool {
	return !r.BalancesOnce ||
		slices.ContainsFunc(events, func(e Event) bool { return e.Key == baselineKey })
}

// after is where a watch goes on after a list.
func (r *clientRules) after(rev int64) int64 {
	if r.ListGap {
		return rev + 2
	}
	return rev + 1
}
