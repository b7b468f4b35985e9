package raft_test

import "testing"

func TestZZ(t *testing.T) {
	for _, v := range []string{"vote-forgotten", "vote-forgotten/pre-vote=off", "vote-forgotten/pre-vote=off/check-quorum=off", "etcd-vote-forgotten/pre-vote=off/check-quorum=off"} {
		for _, n := range []string{"elections"} {
			t.Log(v, n, seedsThatBreak(t, v, n, "one-vote", 100), seedsThatBreak(t, v, n, "election-safety", 100))
		}
	}
}
