package synchro_test

import (
	"testing"

	"github.com/downset/downset/model/synchro"
)

func TestAVoteIsForACandidateWithAllRowsOnceInATermWithoutALeader(t *testing.T) {
	asks := synchro.Announced{Term: 3, Vote: 0, Role: synchro.Candidate, Leader: synchro.Nobody,
		Clock: synchro.Clock{2, 2}}
	for _, c := range []struct {
		name   string
		change func(synchro.Elector, *synchro.Announced)
		want   bool
	}{
		{"a candidate with equal rows", func(synchro.Elector, *synchro.Announced) {}, true},
		{"one with more rows", func(_ synchro.Elector, m *synchro.Announced) {
			m.Clock = synchro.Clock{3, 2, 1}
		}, true},
		{"one with more in one component and less in another",
			func(_ synchro.Elector, m *synchro.Announced) { m.Clock = synchro.Clock{9, 1} }, false},
		{"a vote is given already",
			func(e synchro.Elector, _ *synchro.Announced) { e.Raft().Vote = 1 }, false},
		{"a leader is known",
			func(e synchro.Elector, _ *synchro.Announced) { e.Raft().Leader = 1 }, false},
		{"the sender is no candidate",
			func(_ synchro.Elector, m *synchro.Announced) { m.Role = synchro.Follower }, false},
		{"the vote is for the voter itself",
			func(_ synchro.Elector, m *synchro.Announced) { m.Vote = 2 }, false},
		{"the voter is no member",
			func(e synchro.Elector, _ *synchro.Announced) { e.Leave(2, false) }, false},
		{"the voter is in mode off (P4)",
			func(e synchro.Elector, _ *synchro.Announced) { e.Raft().Mode = synchro.ModeOff }, true},
		{"the voter is in mode off, before P4", func(e synchro.Elector, _ *synchro.Announced) {
			e.Raft().Mode, e.Rules().Elections().OffIdle = synchro.ModeOff, true
		}, false},
	} {
		e, m := synchro.NewElector(), asks
		c.change(e, &m)
		if got := e.Grants(m); got != c.want {
			t.Errorf("%s: granted is %v, want %v", c.name, got, c.want)
		}
	}
}

func TestARaftMessageMustMakeSense(t *testing.T) {
	clock := synchro.Clock{}
	for _, c := range []struct {
		name string
		m    synchro.Announced
		want bool
	}{
		{"a follower", synchro.Announced{Term: 2, Vote: synchro.Nobody}, true},
		{"no term", synchro.Announced{Vote: synchro.Nobody}, false},
		{"a candidate for itself", synchro.Announced{Term: 2, Role: synchro.Candidate, Clock: clock},
			true},
		{"a candidate that votes for another", synchro.Announced{Term: 2, Role: synchro.Candidate,
			Vote: 1, Clock: clock}, false},
		{"a candidate without a vclock", synchro.Announced{Term: 2, Role: synchro.Candidate}, false},
	} {
		if got := synchro.Valid(c.m); got != c.want {
			t.Errorf("%s: valid is %v, want %v", c.name, got, c.want)
		}
	}
}

func TestASourceHasOneVoteInATerm(t *testing.T) {
	e := synchro.NewElector()
	e.Hears(0, synchro.Announced{Term: 3, Vote: 0, Leader: synchro.Nobody})
	e.Hears(0, synchro.Announced{Term: 3, Vote: 1, Leader: synchro.Nobody})
	if e.Votes(0) != 1 || e.Votes(1) != 0 {
		t.Errorf("A said A and then B: they have %d and %d votes, want 1 and 0", e.Votes(0), e.Votes(1))
	}
}

func TestASecondLeaderOfATermIsLeftAlone(t *testing.T) {
	e := synchro.NewElector()
	e.Raft().Leader = 0
	e.Hears(1, synchro.Announced{Term: 3, Vote: 1, Leader: 1, Role: synchro.Leader})
	if e.Raft().Leader != 0 {
		t.Errorf("the leader is node %d, want 0, the first of the term", e.Raft().Leader)
	}
}

func TestOnlyWhatIsOnTheDiskIsAnnounced(t *testing.T) {
	e := synchro.NewElector()
	r := e.Raft()
	r.Term, r.Vote, r.Leader, r.Seen = 4, 1, 1, true
	a := e.Says()
	if a.Term != 3 || a.Vote != synchro.Nobody || a.Leader != synchro.Nobody || a.Seen {
		t.Errorf("term 4 is not on the disk yet: %+v is announced, want term 3 and nothing of 4", a)
	}
	r.DurableTerm, r.DurableVote = 4, 1
	if a = e.Says(); a.Term != 4 || a.Vote != 1 || a.Leader != 1 || !a.Seen {
		t.Errorf("term 4 is on the disk: %+v is announced, want term 4, vote 1, leader 1, seen", a)
	}
}

func TestTheElectionQuorumIsOfRegisteredNodes(t *testing.T) {
	for _, c := range []struct {
		name          string
		operator, set int
		mode          synchro.Mode
		expelled      bool
		want, votes   int
	}{
		{"a majority", 0, 0, synchro.ModeVoter, false, 2, 2},
		{"as set up", 0, 3, synchro.ModeVoter, false, 3, 3},
		{"as set since", 1, 3, synchro.ModeVoter, false, 1, 1},
		{"no more than there are members", 5, 0, synchro.ModeVoter, false, 5, 3},
		{"one member is expelled", 0, 3, synchro.ModeVoter, true, 3, 2},
		{"mode off has enough of itself", 0, 3, synchro.ModeOff, false, 3, 1},
	} {
		e := synchro.NewElector()
		e.Raft().Mode = c.mode
		if c.expelled {
			e.Leave(1, true)
		}
		if q, v := e.Quorums(c.operator, c.set); q != c.want || v != c.votes {
			t.Errorf("%s: quorum %d, of elections %d; want %d and %d", c.name, q, v, c.want, c.votes)
		}
	}
}

func TestFencingIsPutOffAfterTheClusterIsExtended(t *testing.T) {
	e := synchro.NewElector()
	r := e.Raft()
	r.Members, r.Healthy, r.Role = 2, true, synchro.Leader
	e.Looks()
	if r.Role != synchro.Leader || !r.Paused {
		t.Errorf("a third member is not connected yet: role %v, put off is %v; want leader and true",
			r.Role, r.Paused)
	}
	e.Connect(0, 1)
	e.Looks()
	if r.Paused || !r.Healthy {
		t.Errorf("two of three are connected: put off is %v, healthy %v; want false and true", r.Paused,
			r.Healthy)
	}
}

func TestAConnectionCountsOnceThePeerHasSaidWhetherItSeesTheLeader(t *testing.T) {
	for messages, want := range []bool{false, true} {
		e := synchro.NewElector()
		e.Connect(0, int64(messages))
		e.Looks()
		if got := e.Raft().Healthy; got != want {
			t.Errorf("after %d raft messages of A a quorum is healthy: %v, want %v", messages, got, want)
		}
	}
}
