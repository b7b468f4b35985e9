package raft_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/sim"
)

// step is a command of a client, in words, and the answer that it must get.
type step struct {
	call   sim.CallID
	client sim.ClientID
	words  string
	want   string
}

func TestAStateMachineAppliesEachCommandOnce(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []step
		end   string
	}{
		{"what was put is read", []step{{1, 1, "put x 1", "wrote at 1"},
			{2, 1, "get x through log", "1 at 2"}}, "x=1"},
		{"nothing is read of what was never put", []step{{1, 1, "get x through log",
			"empty at 1"}}, ""},
		{"a swap wants the value that is there", []step{{1, 1, "cas x empty 1", "swapped at 1"},
			{2, 1, "cas x empty 2", "not swapped at 2"}, {3, 1, "cas x 1 3", "swapped at 3"}},
			"x=3"},
		{"a copy has the same answer, and no effect", []step{{1, 1, "put x 1", "wrote at 1"},
			{2, 2, "put x 2", "wrote at 2"}, {1, 1, "put x 1", "wrote at 1"}}, "x=2"},
		{"a copy of a swap has the answer of the first", []step{
			{1, 1, "cas x empty 1", "swapped at 1"}, {1, 1, "cas x empty 1", "swapped at 1"}},
			"x=1"},
		{"what a client asked before is a copy too", []step{{1, 1, "put x 1", "wrote at 1"},
			{3, 1, "put x 3", "wrote at 2"}, {1, 1, "put x 1", "wrote at 2"}}, "x=3"},
		{"keys stand in their order", []step{{1, 1, "put y 1", "wrote at 1"},
			{2, 2, "put x 2", "wrote at 2"}}, "x=2 y=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s raft.Store
			for i, step := range c.steps {
				cmd, err := raft.CommandOf(step.call, step.client, strings.Fields(step.words)...)
				if err != nil {
					t.Fatal(err)
				}
				if got := sim.Text(s.Apply(int64(i+1), cmd)); got != step.want {
					t.Errorf("%s, the command %d: got %q, want %q", step.words, i+1, got, step.want)
				}
			}
			pairs, _, _ := strings.Cut(s.Digest(), "sessions")
			if pairs = strings.TrimSpace(pairs); pairs != c.end {
				t.Errorf("in the end the state is %q, want %q", pairs, c.end)
			}
		})
	}
}

// Who has been answered what is part of a state: two with the same data may differ in it.
func TestADigestTellsSessionsApart(t *testing.T) {
	var s, u raft.Store
	for _, client := range []sim.ClientID{1, 2} {
		c, err := raft.CommandOf(sim.CallID(client), client, "put", "x", "1")
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(int64(client), c)
		if client == 2 {
			u.Apply(2, c)
		}
	}
	if s.Digest() == u.Digest() {
		t.Errorf("two sessions and one have the digest %q both", s.Digest())
	}
}

func TestACommandThatIsDecodedIsTheOneThatWasEncoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := func(label string) string { return rapid.StringMatching(`[!-~é]{1,8}`).Draw(t, label) }
		words := [][]string{{"put", word("key"), word("value")},
			{"cas", word("key"), word("old"), word("new")}, {"cas", word("key"), "empty", word("new")},
			{"get", word("key"), "through", "log"}}[rapid.IntRange(0, 3).Draw(t, "request")]
		call := sim.CallID(rapid.Uint32().Draw(t, "call"))
		want, err := raft.CommandOf(call, sim.ClientID(rapid.Uint32().Draw(t, "client")), words...)
		if err != nil {
			t.Skip("a value that is none")
		}
		text := raft.WireCodec.Encode(want)
		got, err := raft.WireCodec.Decode(text)
		if err != nil || got != want {
			t.Errorf("%q is decoded to %v, error %v, want %v", text, got, err, want)
		}
	})
}

func TestWhatIsNoCommandIsNotDecoded(t *testing.T) {
	for _, text := range []string{"", "put", "put 1 2 0 x", "put 1 2 0 x 1 2", "put a 2 0 x 1",
		"get 1 2 0 x", "cas 1 2 0 x 1", "members 1 2 0 A B"} {
		if c, err := raft.WireCodec.Decode([]byte(text)); err == nil {
			t.Errorf("%q is decoded to %v, want an error", text, c)
		}
	}
}
