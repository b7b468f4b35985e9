package commit

import (
	"slices"

	"github.com/downset/downset/sim"
)

// goals are the situations that a campaign must reach, so that a clean result means something.
var goals = []sim.Goal{
	{Name: "refused", Doc: "a participant voted no", Count: counted(refuses)},
	{Name: "overdue", Doc: "a coordinator gave up waiting for votes", Count: counted(overdue)},
	{Name: "crashed-voting", Doc: "a coordinator crashed while it waited for votes, and a " +
		"participant was in doubt", Count: counted(crashedVoting)},
	{Name: "crashed-decided", Doc: "a coordinator crashed after it had committed, and before all " +
		"had acknowledged", Count: counted(crashedDecided)},
	{Name: "crashed-in-doubt", Doc: "a participant crashed in doubt", Count: counted(crashedInDoubt)},
	{Name: "blocked", Doc: "a participant in doubt asked, and its coordinator was down",
		Count: counted(blocked)},
	{Name: "presumed", Doc: "a coordinator that knew nothing answered abort, to one in doubt",
		Count: counted(presumed)},
	{Name: "presumed-wrongly", Doc: "a coordinator that had forgotten a commit answered abort, to " +
		"one that was in doubt no more", Count: counted(presumedWrongly)},
	{Name: "told-again", Doc: "a coordinator told of a commit more than once", Count: counted(told)},
	{Name: "asked-after-vote", Doc: "a participant was asked for its vote again, and was in doubt",
		Count: counted(askedInDoubt)},
	{Name: "asked-after-commit", Doc: "a participant was asked for its vote, and had committed",
		Count: counted(askedAfterCommit)},
	{Name: "late-vote", Doc: "a vote came after the decision", Count: counted(lateVote)},
	{Name: "two-doubts", Doc: "a participant was in doubt of two transactions at once",
		Count: counted(twoDoubts)},
	{Name: "torn", Doc: "a crash tore a record", Count: torn},
}

// moment is an entry, and how things stand before it.
type moment struct {
	*sim.Entry
	run *sim.Run
	c   *courses
}

// counted counts the entries at which something is so.
func counted(is func(m moment) bool) func(*sim.Run) int {
	return func(run *sim.Run) int {
		n := 0
		follow(run, func(i int, c *courses) {
			if is(moment{&run.Trace[i], run, c}) {
				n++
			}
		})
		return n
	}
}

// cause is what led to the entry, nil if nothing did.
func (m moment) cause() *sim.Entry {
	if m.Cause < 0 {
		return nil
	}
	return &m.run.Trace[m.Cause]
}

// led says that some transaction of the node that the entry is about is so.
func (m moment) led(is func(x *course) bool) bool {
	return slices.ContainsFunc(m.c.all, func(x course) bool {
		return x.lead == m.Node && !x.crashed && is(&x)
	})
}

func refuses(m moment) bool {
	r, ok := m.Body.(record)
	return ok && m.Kind == sim.EntryNoted && r.Is == refused
}

func overdue(m moment) bool {
	_, ok := m.Body.(gaveUp)
	return ok
}

func crashedVoting(m moment) bool {
	return m.Kind == sim.EntryCrashed && m.led(func(x *course) bool {
		return len(x.said) == 0 && len(x.doubt) > 0
	})
}

func crashedDecided(m moment) bool {
	return m.Kind == sim.EntryCrashed && m.led(func(x *course) bool {
		return x.commits && !x.ended
	})
}

func crashedInDoubt(m moment) bool {
	return m.Kind == sim.EntryCrashed && m.doubts() > 0
}

// doubts counts the transactions of which the node that the entry is about is in doubt.
func (m moment) doubts() int {
	n := 0
	for i := range m.c.all {
		if slices.Contains(m.c.all[i].doubt, m.Node) {
			n++
		}
	}
	return n
}

func blocked(m moment) bool {
	_, ok := m.Body.(ask)
	return ok && m.Kind == sim.EntryLost && m.N == int64(sim.LostDown)
}

// presumes says that a coordinator answers abort to one that asks, and what became of it there.
func (m moment) presumes() (x *course, ok bool) {
	d, is := m.Body.(decision)
	if !is || d.Commit || m.Kind != sim.EntrySent || m.cause() == nil {
		return nil, false
	}
	_, asked := m.cause().Body.(ask)
	x = m.c.of(d.tx)
	return x, asked && x != nil
}

func presumed(m moment) bool {
	x, ok := m.presumes()
	return ok && slices.Contains(x.doubt, m.Peer)
}

func presumedWrongly(m moment) bool {
	x, ok := m.presumes()
	return ok && x.commits && !slices.Contains(x.doubt, m.Peer)
}

func told(m moment) bool {
	d, ok := m.Body.(decision)
	if !ok || !d.Commit || m.Kind != sim.EntrySent || m.cause() == nil {
		return false
	}
	_, voted := m.cause().Body.(vote)
	return !voted
}

// asked says that a participant is asked for its vote, and of which transaction.
func (m moment) asked() (x *course, ok bool) {
	p, is := m.Body.(prepare)
	if !is || m.Kind != sim.EntryDelivered {
		return nil, false
	}
	x = m.c.of(p.tx)
	return x, x != nil && slices.Contains(x.yes, m.Node)
}

func askedInDoubt(m moment) bool {
	x, ok := m.asked()
	return ok && slices.Contains(x.doubt, m.Node)
}

func askedAfterCommit(m moment) bool {
	x, ok := m.asked()
	return ok && x.commits && !slices.Contains(x.doubt, m.Node)
}

func lateVote(m moment) bool {
	v, ok := m.Body.(vote)
	if !ok || m.Kind != sim.EntryDelivered {
		return false
	}
	x := m.c.of(v.tx)
	return x != nil && len(x.said) > 0
}

func twoDoubts(m moment) bool {
	r, ok := m.Body.(record)
	return ok && m.Kind == sim.EntryNoted && r.Is == prepared && m.doubts() > 0
}

// torn counts disks with a torn record.
func torn(run *sim.Run) int {
	n := 0
	for _, d := range run.Disks {
		for lsn := d.First(); lsn <= d.Last(); lsn++ {
			if _, ok := d.At(lsn).(sim.Torn); ok {
				n++
				break
			}
		}
	}
	return n
}
