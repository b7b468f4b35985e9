package metastore

import (
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// goalList are the situations without which clean runs would say little.
func goalList() []sim.Goal {
	return []sim.Goal{
		{Name: "leader changed", Doc: "a second server began to take commands",
			Count: counts(func(f ready) bool { return f.Term > 1 })},
		{Name: "asked again", Doc: "a command came that had been done, and got the answer kept",
			Count: lines(func(n *line) bool { return n.Again })},
		{Name: "compacted", Doc: "a revision was compacted",
			Count: lines(func(n *line) bool { return came[Compact](n) })},
		{Name: "past read", Doc: "a revision was read that was past",
			Count: asksOf(func(q *question) bool {
				r, is := q.What.(read)
				return is && r.At > 0 && q.Got.OK && r.At < q.Got.Rev
			})},
		{Name: "forgotten read", Doc: "a read of a forgotten revision was refused",
			Count: asksOf(func(q *question) bool { return q.Got.Why == Compacted })},
		{Name: "update raced", Doc: "an update found that something had come between",
			Count: asksOf(func(q *question) bool { return q.Seq&0xffff > 1 && !q.Got.OK && isPut(q) })},
		{Name: "lease expired", Doc: "a leader had a lease ended that nobody had begun anew",
			Count: lines(func(n *line) bool {
				r, is := n.Command.Deed.(Revoke)
				return is && r.By > 0 && n.Answer.OK
			})},
		{Name: "lease renewed", Doc: "a lease was begun anew",
			Count: counts(func(renewed) bool { return true })},
		{Name: "watch moved", Doc: "a watch went on at another server, or after its server crashed",
			Count: counts(func(f began) bool { return f.Attempt > 1 })},
		{Name: "watch caught up", Doc: "a watch was told of several revisions at once",
			Count: counts(func(f saw) bool {
				n := len(f.Batch.Events)
				return n > 1 && f.Batch.Events[0].Mod < f.Batch.Events[n-1].Mod
			})},
		{Name: "watch ended", Doc: "a watch was told that what it wants is forgotten",
			Count: counts(func(f saw) bool { return f.Batch.Compacted >= 0 })},
		{Name: "whole transaction", Doc: "a watch was told of several changes of one revision",
			Count: counts(func(f saw) bool {
				n := len(f.Batch.Events)
				return n > 1 && f.Batch.Events[n-2].Mod == f.Batch.Events[n-1].Mod
			})},
		{Name: "snapshot under a watch", Doc: "a server got a snapshot while watches were under way",
			Count: snapshotsWatched},
		{Name: "affinity raced", Doc: "two nodes put an affinity, and one came too late",
			Count: asksOf(func(q *question) bool {
				p, is := q.What.(Put)
				return is && p.Key == affinityKey && !q.Got.OK
			})},
	}
}

// counts counts facts of a kind.
func counts[F sim.Fact](fits func(F) bool) func(*sim.Run) int {
	return func(run *sim.Run) int {
		n := 0
		for i := range run.Trace {
			e := &run.Trace[i]
			if f, is := e.Body.(F); is && e.Kind == sim.EntryNoted && fits(f) {
				n++
			}
		}
		return n
	}
}

// lines counts entries of the log.
func lines(fits func(*line) bool) func(*sim.Run) int {
	return func(run *sim.Run) int {
		n, l := 0, ledgerOf(run)
		for i := range l.entries {
			if l.entries[i].Does && fits(&l.entries[i]) {
				n++
			}
		}
		return n
	}
}

// asksOf counts questions that have been answered.
func asksOf(fits func(*question) bool) func(*sim.Run) int {
	return func(run *sim.Run) int {
		n, l := 0, ledgerOf(run)
		for i := range l.asks {
			if l.asks[i].At >= 0 && fits(&l.asks[i]) {
				n++
			}
		}
		return n
	}
}

func isPut(q *question) bool {
	_, is := q.What.(Put)
	return is
}

// came says that an entry is a deed of a kind, and came to something.
func came[D Deed](n *line) bool {
	_, is := n.Command.Deed.(D)
	return is && n.Answer.OK
}

func snapshotsWatched(run *sim.Run) int {
	n, watched := 0, false
	for i := range run.Trace {
		switch run.Trace[i].Body.(type) {
		case began:
			watched = true
		case raft.Installed:
			if watched {
				n++
			}
		}
	}
	return n
}
