package spacetime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// phrase says in one line what an event was.
func (s *scene) phrase(e *event) string {
	switch e.what {
	case fold:
		return fmt.Sprintf("... %s", count(e.left, "entry", "entries"))
	case parted:
		return s.marks(e.entries) + s.partition(e)
	}
	var said [lastRank + 1][]string
	for n, i := range e.entries {
		word := s.word(e, n)
		if word != "" && !s.implied(e, i) {
			r := rankOf(s.run.Trace[i].Kind)
			said[r] = append(said[r], s.marks([]int{i})+word)
		}
	}
	head := strings.Join(said[0], ", ")
	if facts := said[1]; len(facts) == 1 && head == s.theme().request+" "+facts[0] {
		said[1] = nil // a request and the fact that it is done
	}
	rest := strings.Join(slices.Concat(said[1:]...), ", ")
	if head == "" || rest == "" {
		return head + rest
	}
	return head + ": " + rest
}

// implied says that an entry goes without saying: a record that is also a fact, its sync, and that
// its writer is told.
func (s *scene) implied(e *event, entry int) bool {
	if slices.Contains(s.o.Mark, entry) {
		return false
	}
	t := s.run.Trace[entry]
	switch t.Kind {
	case sim.EntrySynced, sim.EntryTold:
		return len(e.entries) > 1
	case sim.EntryAppended:
		// Between the record and the fact are its sync, and perhaps what follows a fact before.
		for _, u := range s.run.Trace[entry+1 : min(entry+4, len(s.run.Trace))] {
			same := u.Node == t.Node && sim.Text(u.Body) == sim.Text(t.Body)
			if u.Kind == sim.EntryNoted && same {
				return true
			}
		}
	}
	return false
}

// lastRank is the highest rank.
const lastRank = 4

// rankOf orders what is said of an event: what it began with, facts, messages, answers, disks.
func rankOf(k sim.EntryKind) int {
	switch k {
	case sim.EntryInvoked, sim.EntryArrived, sim.EntryDelivered, sim.EntryWorked, sim.EntryFired,
		sim.EntryLogged, sim.EntryStarted, sim.EntryCrashed, sim.EntryJoined:
		return 0
	case sim.EntryNoted, sim.EntryFailed:
		return 1
	case sim.EntryReturned, sim.EntryRefused, sim.EntryUnknown, sim.EntryLate:
		return 3
	case sim.EntryAppended, sim.EntryReplaced, sim.EntrySynced, sim.EntryFlushed, sim.EntryTold,
		sim.EntrySyncFailed:
		return lastRank
	}
	return 2
}

// marks points out the marked ones of some entries.
func (s *scene) marks(entries []int) string {
	text := ""
	for _, i := range entries {
		if slices.Contains(s.o.Mark, i) {
			text += "*" + strconv.Itoa(i) + " "
		}
	}
	return text
}

// word says what the n-th entry of an event adds, "" if that has been said. Sends of one body are
// said together.
func (s *scene) word(e *event, n int) string {
	t := s.run.Trace[e.entries[n]]
	text := clean(sim.Text(t.Body))
	switch t.Kind {
	case sim.EntryInvoked:
		return s.theme().request + " " + text
	case sim.EntryArrived:
		if n > 0 && s.run.Trace[e.entries[0]].Kind == sim.EntryInvoked {
			return ""
		}
		return s.theme().request + " " + text
	case sim.EntrySent:
		return s.sends(e, n)
	case sim.EntryNoted:
		if e.what == point {
			return "cut " + s.cuts[e.cut].name
		}
		return text
	case sim.EntryDelivered:
		return text + s.sender(e, n)
	case sim.EntryLost:
		return s.lossOf(e, t)
	}
	return s.wordOf(t, text)
}

// wordOf says what an entry was that needs no others to be understood.
func (s *scene) wordOf(t sim.Entry, text string) string {
	switch t.Kind {
	case sim.EntryStarted:
		if t.N > 1 {
			return "restarts"
		}
		return "starts"
	case sim.EntryCopied:
		return fmt.Sprintf("%s %s %s copied", text, s.theme().to, s.name(t.Peer))
	case sim.EntryReturned, sim.EntryRefused, sim.EntryLate:
		return strings.TrimSpace(plain(t.Kind) + " " + text)
	case sim.EntryUnknown:
		return "request left unknown"
	case sim.EntrySequenced, sim.EntryLogged:
		return fmt.Sprintf("log %d: %s", t.N, text)
	case sim.EntryOpened, sim.EntryBroken:
		return "stream with " + s.name(t.Peer) + " " + plain(t.Kind)
	case sim.EntryCrashed:
		if t.N > 0 {
			return "crashes, " + count(int(t.N), "record", "records") + " lost"
		}
	case sim.EntryHeard:
		if t.N == 0 {
			return "hears that " + s.name(t.Peer) + " left"
		}
		return "hears that " + s.name(t.Peer) + " joined"
	case sim.EntryClock:
		return "clock " + s.run.ClockChange(t)
	case sim.EntryDisk:
		return "disk made faulty"
	case sim.EntryFailed:
		return "fails " + text
	}
	return strings.TrimSpace(plain(t.Kind) + " " + text)
}

// plain is the verb for an entry.
func plain(k sim.EntryKind) string {
	switch k {
	case sim.EntryReturned:
		return "answers"
	case sim.EntryLate:
		return "answers too late"
	case sim.EntryTold:
		return "is told"
	case sim.EntrySyncFailed:
		return "sync fails"
	case sim.EntryFired:
		return "timer"
	case sim.EntryWorked:
		return "own work"
	case sim.EntryHealed:
		return "links heal"
	}
	return k.String()
}

// sends says to whom a body was sent, at the first of its sends in a row. A marked send stands
// alone.
func (s *scene) sends(e *event, n int) string {
	first := s.run.Trace[e.entries[n]]
	text := sim.Text(first.Body)
	to := " " + s.name(first.Peer)
	if s.sendOf(e.entries[n], text) {
		if n > 0 && s.sendOf(e.entries[n-1], text) {
			return ""
		}
		for n++; n < len(e.entries) && s.sendOf(e.entries[n], text); n++ {
			to += " " + s.name(s.run.Trace[e.entries[n]].Peer)
		}
	}
	return clean(text) + " " + s.theme().to + to
}

// sendOf says that an entry is a send of a body with this text, and not marked.
func (s *scene) sendOf(entry int, text string) bool {
	t := s.run.Trace[entry]
	return t.Kind == sim.EntrySent && sim.Text(t.Body) == text && !slices.Contains(s.o.Mark, entry)
}

// sender says where the message came from, if the picture does not show it.
func (s *scene) sender(e *event, n int) string {
	sent := s.origin(e.entries[n])
	switch {
	case s.eventOf(sent) < 0:
		return " from " + s.name(s.run.Trace[e.entries[n]].Peer)
	case e.apart:
		return fmt.Sprintf(" from %s (%d)", s.name(s.run.Trace[sent].Node), sent)
	}
	return ""
}

// lossOf says what was lost and why. What was sent in the same event has been said.
func (s *scene) lossOf(e *event, t sim.Entry) string {
	text := clean(sim.Text(t.Body))
	switch {
	case t.Node == t.Peer:
		return "own work " + text + " lost"
	case slices.Contains(e.entries, int(t.Cause)):
		return s.theme().lost + " " + s.name(t.Node) + ": " + reason(t.N)
	}
	return fmt.Sprintf("%s %s %s: %s", text, s.theme().to, s.name(t.Node), reason(t.N))
}

func reason(n int64) string {
	if n < int64(sim.LostByChance) || n > int64(sim.LostSenderDown) {
		return "lost"
	}
	return sim.Loss(n).String()
}

// partition says which links were cut: as groups if all links between them are, both ways.
func (s *scene) partition(e *event) string {
	var pairs [][2]sim.NodeID
	var nodes []sim.NodeID
	for _, i := range e.entries {
		t := s.run.Trace[i]
		pairs = append(pairs, [2]sim.NodeID{t.Node, t.Peer})
		for _, id := range []sim.NodeID{t.Node, t.Peer} {
			if !slices.Contains(nodes, id) {
				nodes = append(nodes, id)
			}
		}
	}
	slices.Sort(nodes)
	if groups, ok := grouped(nodes, pairs); ok {
		return "partition " + s.groupNames(groups)
	}
	text := "cut off"
	for _, p := range pairs {
		text += " " + s.name(p[0]) + "->" + s.name(p[1])
	}
	return text
}

// grouped divides nodes into groups between which all pairs are cut and within which none is.
func grouped(nodes []sim.NodeID, pairs [][2]sim.NodeID) (groups [][]sim.NodeID, ok bool) {
	apart := func(a, b sim.NodeID) bool { return slices.Contains(pairs, [2]sim.NodeID{a, b}) }
	for _, id := range nodes {
		at := slices.IndexFunc(groups, func(g []sim.NodeID) bool { return !apart(g[0], id) })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], id)
	}
	for i, a := range groups {
		for j, b := range groups {
			if !allPairs(a, b, i != j, apart) {
				return nil, false
			}
		}
	}
	return groups, true
}

func allPairs(a, b []sim.NodeID, want bool, apart func(x, y sim.NodeID) bool) bool {
	for _, x := range a {
		for _, y := range b {
			if apart(x, y) != want {
				return false
			}
		}
	}
	return true
}

func (s *scene) groupNames(groups [][]sim.NodeID) string {
	var parts []string
	for _, g := range groups {
		var names []string
		for _, id := range g {
			names = append(names, s.name(id))
		}
		parts = append(parts, strings.Join(names, " "))
	}
	return strings.Join(parts, " | ")
}

// count is a number of things in words.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
