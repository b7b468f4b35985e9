package raft

import (
	"slices"
	"strconv"
	"time"

	"github.com/downset/downset/sim"
)

// The adversaries of elections and of changes. Random faults hardly ever come at the moments that
// hurt: in 2000 seeds none found the fault of July 2015, with the second of these it is one in
// four.
func nemeses() []sim.Nemesis {
	return []sim.Nemesis{
		{Name: "elections", Draw: strikeElections,
			Doc: "patiences are close to each other, whoever leads is killed after 150 to 300 ms, " +
				"voters just after they have voted; all are back soon"},
		{Name: "members", Draw: strikeMembers,
			Doc: "who is elected is asked at once for a change of members, and cut off with one other"},
		{Name: "transfers", Draw: strikeTransfers,
			Doc: "who is elected hands the lead on at once, and its heir is asked to read"},
		{Name: "isolation", Draw: strikeIsolation,
			Doc: "who leads is cut off, and asked to read what its successor has done"},
	}
}

// on is the nth time that a node does something.
func on(node string, what sim.EventKind, kind string, nth int) sim.Event {
	return sim.Event{Node: node, What: what, Kind: kind, Nth: nth}
}

// when is an action that an event sets off.
func when(e sim.Event, a sim.Action) sim.Action {
	a.When = &sim.Trigger{Event: e}
	return a
}

// asked is one of a client of its own.
func asked(node string, words ...string) sim.Action {
	return sim.Action{Verb: sim.Request, Node: node, Words: words}
}

// apart cuts some nodes off from the others.
func apart(nodes []string, some ...string) sim.Action {
	rest := slices.DeleteFunc(slices.Clone(nodes), func(n string) bool {
		return slices.Contains(some, n)
	})
	return sim.Action{Verb: sim.Partition, Groups: [][]string{some, rest}}
}

// each is what happens at a period, within a span and for as long again.
func each(period, span time.Duration, a sim.Action) []sim.Action {
	var all []sim.Action
	for at := period; at < 2*span; at += period {
		a.Offset = at
		all = append(all, a)
	}
	return all
}

// other is another node than a given one, if there is one.
func other(d *sim.Draws, node string, label ...any) string {
	rest := slices.DeleteFunc(slices.Clone(d.Nodes), func(n string) bool { return n == node })
	if len(rest) == 0 {
		return node
	}
	return rest[d.Int(int64(len(rest)), label...)]
}

// strikeElections is the storm of 2.4: with less of any of it a forgotten vote is hardly ever seen.
func strikeElections(d *sim.Draws) sim.Strike {
	var s sim.Strike
	if !slices.ContainsFunc(d.Setup, func(v any) bool { _, is := v.(patienceLine); return is }) {
		s.Setup = []any{closePatience(d)}
	}
	for _, n := range d.Nodes {
		crash := sim.Action{Verb: sim.Crash, Node: n}
		for k := range 3 {
			// A leader sends a heartbeat to each of the others every 20 ms.
			beats := (8 + int(d.Int(8, "killed after", n, k))) * (len(d.Nodes) - 1)
			nth := 1 + 3*k + int(d.Int(3, "voted", n, k))
			voted := on(n, sim.Sends, "voted", nth)
			if d.Int(2, "before?", n, k) == 0 {
				voted = on(n, sim.Notes, "granted", nth)
			}
			s.Armed = append(s.Armed, when(voted, crash),
				when(on(n, sim.Sends, "heartbeat", (k+1)*beats), crash))
		}
		period := time.Duration(3+d.Int(12, "restart", n)) * time.Millisecond
		s.Load = append(s.Load, each(period, max(d.Span, 4*election),
			sim.Action{Verb: sim.Restart, Node: n})...)
	}
	return s
}

// closePatience are patiences that are close to each other, yet no two are the same where nothing
// is drawn: a tick for each node.
func closePatience(d *sim.Draws) patienceLine {
	return patienceLine{time.Duration(max(2, min(len(d.Nodes), 10))) * tick}
}

// strikeMembers is what it takes for the fault of July 2015: a leader begins a change, is cut off,
// and another begins another one before anything of its own term is committed.
func strikeMembers(d *sim.Draws) sim.Strike {
	var s sim.Strike
	for _, n := range d.Nodes {
		for k := 1; k <= 2; k++ {
			gone, with := other(d, n, "gone", n, k), other(d, n, "with", n, k)
			voters := slices.DeleteFunc(slices.Clone(d.Nodes), func(m string) bool {
				return m == gone
			})
			cut := apart(d.Nodes, n)
			if d.Int(2, "with?", n, k) == 0 {
				cut = apart(d.Nodes, slices.Compact([]string{n, with})...)
			}
			elected := on(n, sim.Notes, "elected", k)
			s.Armed = append(s.Armed, when(elected, cut),
				when(elected, asked(n, append([]string{"members"}, voters...)...)))
		}
	}
	s.Load = each(period(d, 100), max(d.Span, 4*election), sim.Action{Verb: sim.Heal})
	return s
}

// period draws how often cuts are healed, in milliseconds from the least to 300 more.
func period(d *sim.Draws, least int64) time.Duration {
	return time.Duration(least+d.Int(300, "heal")) * time.Millisecond
}

func strikeTransfers(d *sim.Draws) sim.Strike {
	var s sim.Strike
	for _, n := range d.Nodes {
		for k := 1; k <= 3; k++ {
			elected := on(n, sim.Notes, "elected", k)
			s.Armed = append(s.Armed, when(elected, asked(n, "get", storeKeys[0])),
				when(elected, asked(n, "transfer", other(d, n, "heir", n, k))))
		}
	}
	return s
}

func strikeIsolation(d *sim.Draws) sim.Strike {
	var s sim.Strike
	for _, n := range d.Nodes {
		beats := (2 + int(d.Int(8, "cut off after", n))) * max(1, len(d.Nodes)-1)
		s.Armed = append(s.Armed, when(on(n, sim.Sends, "heartbeat", beats), apart(d.Nodes, n)))
		for k := 1; k <= 2; k++ {
			s.Armed = append(s.Armed, when(on(n, sim.Notes, "elected", k),
				asked(n, "put", storeKeys[0], n+strconv.Itoa(k))))
			s.Armed = append(s.Armed, readers(d, on(n, sim.Returns, "put", k))...)
		}
	}
	s.Load = each(period(d, 200), max(d.Span, 4*election), sim.Action{Verb: sim.Heal})
	return s
}

// readers are reads through all nodes but the one of the event that sets them off.
func readers(d *sim.Draws, e sim.Event) []sim.Action {
	var all []sim.Action
	for _, m := range d.Nodes {
		if m != e.Node {
			all = append(all, when(e, asked(m, "get", storeKeys[0])))
		}
	}
	return all
}
