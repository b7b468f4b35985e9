package raft_test

import (
	"testing"

	"github.com/downset/downset/model/raft"
)

// reaching are traces that reach a goal once.
func reaching() map[string]string {
	joins := begun + "A logs 2 1 " + joint + "; A syncs; A governs 2 A B D before A B C;"
	return map[string]string{
		"split-vote": group + "A hard 1 A; A syncs; A granted 1 A; B hard 1 B; B syncs; B granted 1 B",
		"tail-fell":  going + "A logs 3 1 noop; A crashes",
		"tail-cut": going + "A logs 3 1 noop; A syncs; A deposed 1; A hard 2; A logs 3 2 noop;" +
			"A syncs",
		"snapshot-installed": going + "C replaces 2 1 hard 1 has A B C; C syncs; C installed 2 1 A B C",
		"joint-entered":      joins,
		"joint-left": joins + "B logs 2 1 " + joint + "; B syncs; A committed 2 1 lead;" +
			"A logs 3 1 members A B D; A governs 3 A B D",
		"learner-promoted": begun + "A logs 2 1 members A B C learns D; A governs 2 A B C learns D;" +
			"B logs 2 1 members A B C learns D; B syncs; A syncs; A committed 2 1 lead;" +
			"A logs 3 1 members A B C D; A governs 3 A B C D",
		"removed-itself": begun + "A logs 2 1 members B C; A governs 2 B C; A deposed 1",
		"handed-over": going + "A asks 2 transfer to B; A takes 2;" + "B hard 2 B; B syncs;" +
			"B granted 2 B; C hard 2 B; C syncs; C granted 2 B; B elected 2",
		"pre-vote-refused":   going + "B sends p; A hears B p refused",
		"stepped-down":       going + "A deposed 1",
		"follower-read":      going + "B asked 7; B served 7 2",
		"read-parked":        inTwo + "B asked 7;" + "A hard 2;" + entry(3, 2, "B", "A", "noop") + "B served 7 3",
		"lease-read":         going + "A asked 7 lease; A served 7 2 lease",
		"restarted-changing": begun + "A logs 2 1 " + joint + "; A syncs; A crashes; A starts",
		"copy-arrived":       going + "A copies m; B hears A m",
		"forwarded": begun + "B asks 1 put x 1; B takes 1;" +
			entry(2, 1, "A", "B", "1 put x 1"),
		"twice-in-log": going + entry(3, 1, "A", "B", "1 put x 1"),
		"old-committed": going + "A logs 3 1 noop; A syncs; A deposed 1;" + lead(2, "A", "B") +
			"B logs 3 1 noop; A logs 4 2 noop; A syncs; B logs 4 2 noop; B syncs; A committed 4 2 lead",
		"even-group": going + "A logs 3 1 members A B; A syncs; A governs 3 A B;" +
			"B logs 3 1 members A B; B syncs; A committed 3 1 lead",
		"swap-failed": begun + "A asks 1 cas x 5 6; A takes 1;" +
			entry(2, 1, "A", "B", "1 cas x 5 6") + "A answers 1 swapped no 2",
		"unsynced-kept":   going + "B logs 3 1 noop; B crashes 0; B starts",
		"member-replaced": going + "A replaces-member",
	}
}

func TestEachGoalIsReachedByATraceOnceAndByNoneWithoutIt(t *testing.T) {
	traces := reaching()
	for _, g := range raft.Protocol.Goals {
		lines, ok := traces[g.Name]
		if !ok {
			t.Errorf("no trace reaches %s", g.Name)
			continue
		}
		if n := g.Count(taped(t, lines)); n != 1 {
			t.Errorf("%s is reached %d times, want once", g.Name, n)
		}
		if n := g.Count(taped(t, begun)); n != 0 {
			t.Errorf("%s is reached %d times by a leader who commits one entry, want never", g.Name, n)
		}
	}
}
