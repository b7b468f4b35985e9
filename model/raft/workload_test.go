package raft_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestRequestsAreParsed(t *testing.T) {
	scenarios.Requests(t, raft.Protocol, [][3]string{
		{"a put", "put x 1", "put x 1"},
		{"a get", "get x", "get x"},
		{"a get by index", "get x through index", "get x"},
		{"a get through the log", "get x through log", "get x through log"},
		{"a swap", "cas x 1 2", "cas x 1 2"},
		{"a swap of nothing", "cas x empty 2", "cas x empty 2"},
		{"a change", "members A B", "members A B"},
		{"a change with a learner", "members A learns C B", "members A learns C B"},
		{"a transfer", "transfer B", "transfer B"},
		{"a cut", "compact", "compact"},
		{"a put without a value", "put x", "want put KEY VALUE"},
		{"a put of nothing", "put x empty", `put wants a value, and "empty" is to have none`},
		{"a get in no way", "get x via log", "want get KEY [through log|index|lease|local]"},
		{"a get in an unknown way", "get x through lag",
			`unknown way to read "lag"; did you mean "log"?`},
		{"a swap to nothing", "cas x 1 empty", `cas wants a new value, and "empty" is to have none`},
		{"a swap of two words", "cas x 1", "want cas KEY OLD NEW"},
		{"a change to nobody", "members", "want members NODE... [learns NODE...], and a voter among " +
			"them"},
		{"a learner that is missing", "members A learns",
			"want members NODE... [learns NODE...], and a voter among them"},
		{"a member named twice", "members A learns A", "members names A twice"},
		{"a transfer to nobody", "transfer", "want transfer [to] NODE"},
		{"a cut to somewhere", "compact 3", "want compact"},
		{"a slip of the pen", "putt x 1", `unknown request "putt"; did you mean "put"?`},
	})
}

func TestADrawnLoadIsAsASweepWantsIt(t *testing.T) { scenarios.Workload(t, raft.Protocol) }

// What a scenario sets up prints as the line that it was, and lines that cannot be are refused.
func TestLinesOfASetUpAreParsed(t *testing.T) {
	nodes := []string{"A", "B", "C"}
	for _, c := range [][2]string{
		{"voters A B", ""}, {"compact every 10", ""}, {"replace after 300ms", ""}, {"patience spread 20ms", ""},
		{"voters", "want voters NODE [NODE...]"},
		{"voters A A", "voters names A twice"},
		{"voters A D", `voters wants nodes, got "D"`},
		{"compact 10", "want compact every N"},
		{"compact every 0", `compact wants a number above zero, got "0"`},
		{"replace 300ms", "want replace after DURATION"},
		{"replace after 1ms", `replace after wants a duration from 20ms to 1h0m0s, got "1ms"`},
		{"patience spread 1h", `patience spread wants a duration from 20ms to 100ms, got "1h"`},
		{"patience 20ms", "want patience spread DURATION"},
	} {
		got, err := raft.Protocol.ParseSetup(strings.Fields(c[0]), nodes)
		switch {
		case c[1] == "" && err != nil:
			t.Errorf("%s: %v", c[0], err)
		case c[1] == "":
			if text := fmt.Sprint(got); text != c[0] {
				t.Errorf("%s prints as %q", c[0], text)
			}
		case err == nil || !strings.HasPrefix(err.Error(), c[1]):
			t.Errorf("%s: got error %v, want %q", c[0], err, c[1])
		}
	}
}

func TestALineOfASetUpIsSaidOnce(t *testing.T) {
	nodes := []string{"A", "B"}
	var values []any
	for _, text := range []string{"voters A", "compact every 3", "voters B"} {
		v, err := raft.Protocol.ParseSetup(strings.Fields(text), nodes)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	at, err := raft.Protocol.FitSetup(values, nodes)
	if at != 2 || err == nil || err.Error() != "voters is set twice" {
		t.Errorf("got %v at %d, want voters is set twice at 2", err, at)
	}
	if _, err := raft.Protocol.FitSetup(values[:2], nodes); err != nil {
		t.Errorf("two lines that differ: %v", err)
	}
}

// Every request is drawn, each read in every way, and every line of a set-up.
func TestEveryRequestIsDrawn(t *testing.T) {
	var drawn []string
	for seed := uint64(1); seed <= 200; seed++ {
		d := &sim.Draws{Nodes: []string{"A", "B", "C", "D", "E"}, Clients: 3, Ops: 40,
			Span: 400 * time.Millisecond, Seed: seed}
		for _, v := range raft.Protocol.Cluster(d) {
			drawn = append(drawn, strings.Fields(fmt.Sprint(v))[0])
		}
		for _, a := range raft.Protocol.Draw(d) {
			drawn = append(drawn, a.Words[0], a.Words[len(a.Words)-1])
		}
	}
	want := slices.Concat(raft.Protocol.OpWords, raft.Protocol.SetupWords,
		[]string{"log", "lease", "local"})
	for _, word := range want {
		if !slices.Contains(drawn, word) {
			t.Errorf("200 seeds draw no %s", word)
		}
	}
}
