package raft_test

import (
	"slices"
	"strings"
)

func plantedTraces() []planted {
	return slices.Concat(plantedTerms(), plantedPledges(), plantedLogs(), plantedCommits(),
		plantedMembers(), plantedSnapshots(), plantedReads(), plantedAnswers(), plantedEnds())
}

func plantedTerms() []planted {
	return []planted{
		{"a term that a crash forgets", "term-grows",
			group + "A hard 2 B; A syncs; A granted 2 B; A crashes; A starts; A hard 1",
			group + "A hard 2 B; A syncs; A granted 2 B; A crashes; A starts; A hard 3",
			"A goes to term 1, and was in term 2"},
		{"a term that was never synced may be forgotten", "term-grows",
			group + "A hard 2; A syncs; A crashes; A starts; A hard 1",
			group + "A hard 2; A crashes 1; A starts; A hard 1", "A goes to term 1, and was in term 2"},
		{"a fact of an older term after a restart", "term-grows",
			going + afterA + "A hard 2; A syncs; A crashes; A starts; A pledged 1 2",
			going + afterA + "A hard 2; A syncs; A crashes; A starts; A pledged 2 2",
			"A is in term 1, and was in term 2 before it crashed"},
		{"two votes in a term", "one-vote", first + "B granted 1 C", first + "B granted 1 A",
			"B votes for A and for C in term 1"},
		{"a vote that is erased", "one-vote", first + "B hard 1", first + "B hard 2",
			"B has voted for A in term 1, and writes that it votes for nobody"},
		{"a vote over a crash", "one-vote",
			first + "B crashes; B starts; B hard 1 C; B syncs; B granted 1 C",
			first + "B crashes; B starts; B hard 2 C; B syncs; B granted 2 C",
			"B has voted for A in term 1, and writes that it votes for C"},
		{"two leaders of a term", "election-safety", first + "C elected 1", first + "A deposed 1",
			"A and C both lead term 1"},
		{"a leader with its own vote", "election-safety",
			group + "A hard 1 A; A syncs; A granted 1 A; A elected 1",
			group + "A hard 1 A; A syncs; A granted 1 A; B hard 1 A; B syncs; B granted 1 A; A elected 1",
			"A leads term 1, and of A B C no quorum has voted for it"},
		{"a leader without what was committed", "leader-complete",
			going + lead(2, "C", "B"), going + lead(2, "B", "C"),
			"B votes for C in term 2, whose log ends at 0 of term 0, and its own at 2 of term 1"},
		{"nobody voted for it", "leader-complete", going + "C hard 2 C; C syncs; C elected 2",
			inTwo, "C leads term 2 without entry 1 of term 1, which was committed in term 1"},
		{"a shorter log of the same term", "leader-complete",
			wide + "B hard 2 B; B syncs; B granted 2 B; A hard 2 B; A syncs; A granted 2 B",
			wide + "B logs 2 1 noop; B hard 2 B; B syncs; B granted 2 B; A hard 2 B; A syncs; A granted 2 B",
			"A votes for B in term 2, whose log ends at 1 of term 1, and its own at 2 of term 1"},
		{"a longer log of an older term", "leader-complete",
			group + lead(1, "A", "B") + "A logs 1 1 noop; A logs 2 1 noop; A syncs; A deposed 1;" +
				lead(2, "C", "B") + "C logs 1 2 noop; C syncs; C deposed 2;" +
				"A hard 3 A; A syncs; A granted 3 A; C hard 3 A; C syncs; C granted 3 A",
			group + lead(1, "A", "B") + "A logs 1 1 noop; A logs 2 1 noop; A syncs; A deposed 1;" +
				lead(2, "C", "B") + "C logs 1 2 noop; C syncs; C deposed 2;" +
				"C hard 3 C; C syncs; C granted 3 C; A hard 3 C; A syncs; A granted 3 C",
			"C votes for A in term 3, whose log ends at 2 of term 1, and its own at 1 of term 2"},
	}
}

func plantedPledges() []planted {
	return []planted{
		{"a vote before it is durable", "pledges-kept",
			group + "A hard 1 A; A granted 1 A", group + "A hard 1 A; A syncs; A granted 1 A",
			"A votes for A in term 1, and its disk has no term"},
		{"a vote that is not written", "pledges-kept",
			group + "A hard 1; A syncs; A granted 1 A", group + "A hard 1 A; A syncs; A granted 1 A",
			"A votes for A in term 1, and its disk has term 1 without a vote"},
		{"an entry before it is durable", "pledges-kept",
			wide + "B logs 2 1 noop; B pledged 1 2", wide + "B logs 2 1 noop; B syncs; B pledged 1 2",
			"B tells the leader of term 1 that it has all up to 2, and its disk has what is up to 1"},
		{"an entry of a term that is not durable", "pledges-kept",
			begun + "C logs 1 1 noop; C syncs; C pledged 1 1",
			begun + "C hard 1; C logs 1 1 noop; C syncs; C pledged 1 1",
			"C tells the leader of term 1 what it has, and its disk has no term"},
		{"a flush that does not cover it", "pledges-kept",
			begun + "C hard 1; C flushes f; C logs 1 1 noop; C flushed f; C pledged 1 1",
			begun + "C hard 1; C logs 1 1 noop; C flushes f; C flushed f; C pledged 1 1",
			"C tells the leader of term 1 that it has all up to 1, and its disk has what is up to 0"},
		{"what was pledged is cut for the same leader", "pledges-kept",
			going + "A logs 3 1 noop; B logs 3 1 noop; B syncs; B pledged 1 3; B logs 2 1 1 put x 1; B syncs",
			going + "A logs 3 1 noop; B logs 3 1 noop; B syncs; B pledged 1 3; B hard 2; B logs 3 2 noop; B syncs",
			"B has told the leader of term 1 that it has all up to 3, and loses what it had at 3"},
		{"equal entries are written again", "pledges-kept",
			wide + "B logs 2 1 noop; B syncs; B pledged 1 2; B logs 1 1 noop; B syncs",
			wide + "B logs 2 1 noop; B syncs; B pledged 1 2; B logs 1 1 noop; B logs 2 1 noop; B syncs",
			"B has told the leader of term 1 that it has all up to 2, and loses what it had at 2"},
		{"a match that was not told", "match-true", begun + "A logs 2 1 noop; A matched 1 B 2",
			begun + "A logs 2 1 noop; A matched 1 B 1",
			"A, the leader of term 1, takes it that B has all up to 2, which that has not told it"},
		{"a match of another term", "match-true", inTwo + "B matched 2 A 2",
			inTwo + "A hard 2; A syncs; A pledged 2 2; B matched 2 A 2",
			"B, the leader of term 2, takes it that A has all up to 2, which that has not told it"},
		{"another entry than the leader's", "match-true",
			first + "A logs 1 1 noop; A syncs; A deposed 1;" + lead(2, "C", "B") +
				"C logs 1 2 noop; C syncs; A hard 2; A syncs; A pledged 2 1",
			first + "A logs 1 1 noop; A syncs; A deposed 1;" + lead(2, "C", "B") +
				"C logs 1 2 noop; C syncs; A hard 2; A logs 1 2 noop; A syncs; A pledged 2 1",
			"A tells C, the leader of term 2, that their logs agree up to 1, where it has an entry of " +
				"term 1 and the leader one of term 2"},
		{"a lost disk comes back", "no-return", going + "B loses-disk; B pledged 1 2",
			going + "B loses-disk; B starts",
			"B has lost its disk, and tells the leader of term 1 that it has all up to 2"},
	}
}

func plantedLogs() []planted {
	return []planted{
		{"a gap", "log-matching", begun + "C hard 1; C logs 2 1 1 put x 1",
			going + "C hard 1; C logs 1 1 noop; C logs 2 1 1 put x 1",
			"C writes entry 2 of term 1, and has no entry 1"},
		{"other entries before", "log-matching",
			inTwo + "B logs 3 2 noop; C logs 1 2 noop; C logs 2 1 1 put x 1",
			inTwo + "B logs 3 2 noop; C logs 1 1 noop; C logs 2 1 1 put x 1",
			"entry 2 of term 1 follows one of term 1 on A, and one of term 2 on C"},
		{"another command", "log-matching", going + "C logs 1 1 noop; C logs 2 1 1 put x 2",
			going + "C logs 1 1 noop; C logs 2 1 1 put x 1",
			"entry 2 of term 1 is put x 1 on A, and put x 2 on C"},
		{"a leader takes an entry back", "leader-appends",
			going + "A logs 3 1 noop; A syncs; A logs 3 1 noop; A logs 2 1 1 put x 1; A syncs",
			going + "A logs 3 1 noop; A syncs; A logs 4 1 noop; A syncs",
			"A leads term 1, and its log loses what it had at 3"},
		{"a leader that steps down takes another's entries", "leader-appends",
			going + "A logs 3 1 noop; A syncs; A logs 3 2 noop; A syncs; A deposed 1",
			going + "A logs 3 1 noop; A syncs; A hard 2; A logs 3 2 noop; A syncs; A deposed 1",
			"A leads term 1, and its log loses what it had at 3"},
		{"an entry that was torn is written anew by a leader", "leader-appends",
			going + "A logs 3 1 noop; A syncs;" + "A logs 2 1 1 put x 1; A syncs",
			inTwo + "B logs 3 2 noop; B crashes 0; B starts; B governs 0 A B C;" + lead(3, "B", "C") +
				"B logs 3 3 noop; B syncs",
			"A leads term 1, and its log loses what it had at 3"},
		{"the commit index goes back", "commit-grows", going + "A committed 1 1 lead",
			going + "B crashes; B starts; B committed 1 1",
			"A knows that all up to 2 is committed, and that all up to 1 is"},
		{"more is committed than is there", "commit-grows", going + "C committed 2 1",
			going + "C logs 1 1 noop; C logs 2 1 1 put x 1; C committed 2 1",
			"C takes all up to 2 for committed, and its log ends at 0"},
		{"what is committed is cut", "commit-grows",
			going + "B hard 2; B logs 2 2 noop; B syncs", going + "B hard 2; B logs 3 2 noop; B syncs",
			"B knows that all up to 2 is committed, and its log loses what it had at 2"},
	}
}

func plantedCommits() []planted {
	old := going + "A logs 3 1 noop; A syncs; A pledged 1 3; A crashes; A starts; A governs 0 A B C;" +
		lead(2, "A", "B") + "B logs 3 1 noop; B syncs; B pledged 2 3; A pledged 2 3; A matched 2 B 3;"
	return []planted{
		{"Figure 8", "own-term", old + "A committed 3 2 lead",
			old + "A logs 4 2 noop; A syncs; B logs 4 2 noop; B syncs; A pledged 2 4; B pledged 2 4;" +
				"A matched 2 B 4; A committed 4 2 lead",
			"A, the leader of term 2, finds entry 3 of term 1 committed by counting"},
		{"a quorum in memory only", "durable-quorum",
			begun + "A logs 2 1 noop; A syncs; B logs 2 1 noop; A committed 2 1 lead",
			begun + "A logs 2 1 noop; B logs 2 1 noop; B syncs; C logs 1 1 noop; C logs 2 1 noop; " +
				"C syncs; A committed 2 1 lead",
			"A finds entry 2 of term 1 committed by A B C, and on the disks of A it is"},
		{"half of four", "durable-quorum", strings.ReplaceAll(begun, "A B C", "A B C D") +
			"A logs 2 1 noop; A syncs; B logs 2 1 noop; B syncs; A committed 2 1 lead",
			going, "A finds entry 1 of term 1 committed by A B C D, and on the disks of A B it is"},
		{"a majority of one half", "durable-quorum",
			begun + "A logs 2 1 " + joint + "; A syncs; A governs 2 A B D before A B C; D starts;" +
				"D logs 1 1 noop; D logs 2 1 " + joint + "; D syncs; A committed 2 1 lead",
			begun + "A logs 2 1 " + joint + "; A syncs; A governs 2 A B D before A B C;" +
				"B logs 2 1 " + joint + "; B syncs; A committed 2 1 lead",
			"A finds entry 2 of term 1 committed by A B D, before A B C, and on the disks of A D it is"},
		{"a follower takes what it has for committed", "same-commands",
			inTwo + "B logs 3 2 noop; B syncs; A logs 3 1 noop; A syncs; B pledged 2 3; C logs 1 1 noop;" +
				"C logs 2 1 1 put x 1; C logs 3 2 noop; C syncs; B committed 3 2 lead; A committed 3 1",
			inTwo + "B logs 3 2 noop; B syncs; A hard 2; A logs 3 2 noop; A syncs; B pledged 2 3; " +
				"C logs 1 1 noop; C logs 2 1 1 put x 1; C logs 3 2 noop; C syncs; B committed 3 2 lead;" +
				"A committed 3 2",
			"A takes its entry 3 of term 1 for committed, and that of term 2 is, found by B in term 2"},
		{"nobody has found it committed", "same-commands", begun + "B logs 2 1 noop; B committed 2 1",
			begun + "C logs 1 1 noop; C committed 1 1",
			"B takes entry 2 of term 1 for committed, and no leader has found it so"},
		{"another command is applied", "same-commands",
			going + "C logs 1 1 noop; C logs 2 1 1 put x 1; C committed 2 1; C applied 1 1 noop; " +
				"C applied 2 1 1 put x 2",
			going + "C logs 1 1 noop; C logs 2 1 1 put x 1; C committed 2 1; C applied 1 1 noop; " +
				"C applied 2 1 1 put x 1",
			"C applies entry 2 of term 1, put x 2, and committed is that of term 1, put x 1, found by A"},
		{"an entry is applied twice", "applied-once", going + "B applied 2 1 1 put x 1",
			going + "B crashes; B starts; B committed 2 1; B applied 1 1 noop; B applied 2 1 1 put x 1",
			"B applies entry 2 after entry 2"},
		{"one is left out", "applied-once",
			going + "C logs 1 1 noop; C logs 2 1 1 put x 1; C committed 2 1; C applied 2 1 1 put x 1",
			going + "C logs 1 1 noop; C logs 2 1 1 put x 1; C committed 2 1; C applied 1 1 noop",
			"C applies entry 2 after entry 0"},
		{"one is not committed", "applied-once", begun + "B logs 2 1 noop; B applied 2 1 noop",
			going, "B applies entry 2, and knows that all up to 1 is committed"},
	}
}

func plantedMembers() []planted {
	appended := func(list string, more ...string) string {
		return begun + "A logs 2 1 members " + list + "; A syncs;" + strings.Join(more, ";") + ";"
	}
	return []planted{
		{"two voters at once", "quorums-meet", appended("C D E", "A fires"),
			appended("A B C D", "A fires"),
			"from A B C to C D E: A B are a quorum of the one, and C D E of the other"},
		{"a second change", "quorums-meet",
			appended("A B C D", "A fires", "A logs 3 1 members A B D", "A fires"),
			appended("A B C D", "A fires", "B logs 2 1 members A B C D", "B syncs", "C logs 1 1 noop",
				"C logs 2 1 members A B C D", "C syncs", "A logs 3 1 members A B D", "A committed 2 1 lead",
				"A fires"),
			"A appends a configuration at 3, and knows that all up to 1 is committed, not the one at 2"},
		{"a change before a commit in the term", "quorums-meet",
			inTwo + "B logs 3 2 members A B; B syncs; B governs 3 A B; B fires",
			inTwo + "A hard 2;" + entry(3, 2, "B", "A", "noop") + "B logs 4 2 members A B; B syncs; B governs 4 A B; B fires",
			"B goes by the configuration at 3, and nothing of its term 2 is committed yet"},
		{"a configuration that is not in the log", "quorums-meet",
			appended("A B C D", "A governs 2 A B"), appended("A B C D", "A governs 2 A B C D"),
			"A goes by the configuration A B of index 2, where it has A B C D"},
		{"a configuration of the log is passed over", "quorums-meet",
			appended("A B C D", "A governs 2 A B C D", "A crashes", "A starts", "A governs 0 A B C") +
				lead(2, "A", "B"),
			appended("A B C D", "A governs 2 A B C D", "A crashes", "A starts", "A governs 2 A B C D") +
				lead(2, "A", "B") + "C hard 2 A; C syncs; C granted 2 A",
			"A leads by the configuration of index 0, and its log has one at 2"},
		{"a voter learns", "quorums-meet", appended("A B C learns C"), appended("A B C learns D", "A fires"),
			"in the configuration at 2, A B C, learns C, C both votes and learns"},
	}
}

func plantedSnapshots() []planted {
	snap := func(index, term, members string) string {
		return going + "B replaces " + index + " " + term + " hard 1 A has " + members + "; B syncs;"
	}
	return []planted{
		{"another term", "snapshot-true", snap("2", "2", "A B C"), snap("2", "1", "A B C"),
			"B has a snapshot at 2 of term 2, where the committed entry is of term 1"},
		{"another configuration", "snapshot-true", snap("2", "1", "A B"), snap("2", "1", "A B C"),
			`B has a snapshot at 2 with the configuration "A B", and that there is "A B C"`},
		{"what is not committed", "snapshot-true", snap("3", "1", "A B C"), snap("2", "1", "A B C"),
			"B has a snapshot at 3, and no leader has found that committed"},
		{"an older one in the place of a newer", "snapshot-true",
			snap("2", "1", "A B C") + "B replaces 1 1 hard 1 A has A B C",
			snap("2", "1", "A B C") + entry(3, 1, "A", "B", "noop") + "B replaces 3 1 hard 1 A has A B C",
			"B puts a snapshot at 1 in the place of the one at 2"},
		{"one that takes a node back", "snapshot-true", going + "B installed 1 1 A B C",
			going + "C replaces 2 1 hard 1 has A B C; C syncs; C installed 2 1 A B C",
			"B takes over a snapshot at 1, and has applied entry 2"},
		{"a state before there is any", "snapshot-true", going + "A image 1 x=1 sessions 1",
			going + "A image 1 sessions 0",
			`A has the state "x=1 sessions 1" at 1, where the committed log comes to ""`},
		{"another state", "snapshot-true", going + "A image 2 x=2", going + "A image 2 x=1",
			`A has the state "x=2" at 2, where the committed log comes to "x=1"`},
		{"another state elsewhere", "snapshot-true",
			going + "A image 2 x=1 sessions 1; B image 2 x=1 sessions 0",
			going + "A image 2 x=1 sessions 1; B image 2 x=1 sessions 1",
			`the state at 2 is "x=1 sessions 1" on A, and "x=1 sessions 0" on B`},
	}
}

func plantedReads() []planted {
	return []planted{
		{"a read behind", "read-fresh", going + "C asked 7; C served 7 1", going + "C asked 7; C served 7 2",
			"C serves a read at 1, and all up to 2 was committed before it was asked"},
		{"a read that was not asked", "read-fresh", going + "C served 8 2",
			going + "C asked 8; C crashes; C starts; C served 8 2", "C serves a read at 2 that was never asked"},
		{"an answer behind another", "read-fresh",
			going + "A answers 1 wrote 2; B asks 2 get x; B takes 2; B answers 2 got empty 1",
			going + "B asks 2 get x; B takes 2; A answers 1 wrote 2; B answers 2 got empty 1",
			"B answers get x with what it was at 1, and what was done at 2 was answered before it was asked"},
		{"a read by lease behind", "lease-fresh", going + "A asked 7 lease; A served 7 1 lease",
			going + "A asked 7 lease; A served 7 2 lease",
			"A serves a read at 1, and all up to 2 was committed before it was asked"},
	}
}

func plantedAnswers() []planted {
	swap := begun + "A asks 1 cas x 5 6; A takes 1;" + entry(2, 1, "A", "B", "1 cas x 5 6")
	return []planted{
		{"a put elsewhere", "answers", going + "A answers 1 wrote 1", going + "A answers 1 wrote 2",
			"A answers put x 1 with wrote at 1, and it took effect at 2"},
		{"a put that was not committed", "answers",
			begun + "A asks 1 put x 1; A takes 1; A answers 1 wrote 2", going + "A answers 1 wrote 2",
			"A answers put x 1 with wrote at 2, and no leader has found it committed"},
		{"a copy", "answers", going + entry(3, 1, "A", "B", "1 put x 1") + "A answers 1 wrote 3",
			going + entry(3, 1, "A", "B", "1 put x 1") + "A answers 1 wrote 2",
			"A answers put x 1 with wrote at 3, and it took effect at 2"},
		{"a swap of another value", "answers", swap + "A answers 1 swapped yes 2",
			swap + "A answers 1 swapped no 2",
			"A answers cas x 5 6 with swapped at 2, where x was empty"},
		{"a value that was not there", "answers",
			going + "B asks 2 get x through local; B takes 2; B answers 2 got 1 1",
			going + "B asks 2 get x through local; B takes 2; B answers 2 got 1 2",
			"B answers get x through local with 1 at 1, where x is empty"},
		{"an answer against time", "answers",
			begun + "A asks 1 put y 2;" + entry(2, 1, "A", "B", "2 put x 3") +
				entry(3, 1, "A", "B", "1 put y 2") + "A answers 1 wrote 3; A asks 2 put x 3; A takes 2;" +
				"A answers 2 wrote 2",
			begun + "A asks 1 put y 2; A asks 2 put x 3;" + entry(2, 1, "A", "B", "2 put x 3") +
				entry(3, 1, "A", "B", "1 put y 2") + "A answers 1 wrote 3; A answers 2 wrote 2",
			"A answers that put x 3 was done at 2, and what was done at 3 was answered before it was asked"},
		{"another configuration", "answers",
			going + "A asks 2 members A B; A takes 2;" + entry(3, 1, "A", "B", "members A B") +
				"A answers 2 changed 2",
			going + "A asks 2 members A B; A takes 2;" + entry(3, 1, "A", "B", "members A B") +
				"A answers 2 changed 3",
			"A answers members A B with changed, where the configuration is A B C"},
		{"a swap that cannot have been", "linearizable", swap + "A answers 1 swapped yes 2",
			swap + "A answers 1 swapped no 2", ""},
		{"a value that was overwritten", "linearizable",
			going + "A answers 1 wrote 2; A asks 2 get x; A answers 2 got empty 2",
			going + "A asks 2 get x; A answers 1 wrote 2; A answers 2 got empty 1", ""},
	}
}

func plantedEnds() []planted {
	// B hears A ten times in half a second, and C hears it once, after a while.
	heard := going
	for range 12 {
		heard += "+50ms; A sends h; B hears A h;"
	}
	heard += "C hears A h;"
	return []planted{
		{"a candidate beside a healthy leader", "undisturbed",
			heard + "C hard 2 C; C syncs; C granted 2 C", heard + "C hard 1; C syncs",
			"C stands for election in term 2, and a majority has heard from A, which leads term 1, at " +
				"least every 60ms"},
		{"nobody leads", "progress", going + "A deposed 1; epilogue", going + "epilogue; C hard 1; " +
			"C logs 1 1 noop; C logs 2 1 1 put x 1; C committed 2 1; A answers 1 wrote 2",
			"in the end nobody leads, and a majority of A B C is up"},
		{"one does not know", "progress", going + "A answers 1 wrote 2; epilogue",
			going + "C crashes; A answers 1 wrote 2; epilogue",
			"in the end C knows that all up to 0 is committed, and A, which leads, that all up to 2 is"},
		{"a call without an answer", "answered", going + "C crashes; epilogue",
			going + "C crashes; A answers 1 wrote 2; epilogue", "A never answers put x 1"},
		{"a call of a node that crashed", "answered", going + "C crashes; epilogue",
			begun + "B asks 1 put x 1; B takes 1; B crashes; B forgets 1; B starts; B committed 1 1; " +
				"C crashes; epilogue", "A never answers put x 1"},
	}
}
