package checker_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// asked is an operation on registers as the tests write it: "set x 1", "get x", "swap x 1 2",
// "add x 1"; "-" is nothing.
type asked string

func (asked) Kind() string     { return "asked" }
func (a asked) String() string { return string(a) }

// got is what it resulted in.
type got string

func (got) Kind() string     { return "got" }
func (g got) String() string { return cmp.Or(string(g), "nothing") }

// registers reads such operations.
var registers = checker.Registers(access)

func access(op sim.Op, result sim.Body) (checker.Access, bool) {
	a, ours := op.(asked)
	if !ours {
		return checker.Access{}, true
	}
	w := strings.Fields(string(a) + " . .")
	for i := range w {
		w[i] = strings.Trim(w[i], "-")
	}
	g, fits := result.(got)
	switch w[0] {
	case "get":
		return checker.Access{Key: w[1], What: checker.Reads, Value: string(g)}, fits
	case "set":
		return checker.Access{Key: w[1], What: checker.Writes, Value: w[2]}, fits
	case "add":
		return checker.Access{Key: w[1], What: checker.Appends, Value: w[2]}, fits
	case "swap":
		return checker.Access{Key: w[1], What: checker.Swaps, Old: w[2], Value: w[3],
			Done: g == "done"}, fits
	}
	return checker.Access{}, true
}

// tell makes a run of steps: "1 set x 1" is client 1 invoking set x 1, "1 ok" or "1 = 7" what it
// gets, "1 ?" an unknown end, after which the client goes on under another number, "1 no" a
// refusal, and "1 late" an answer after an end. Each is one entry of the trace, all at one instant.
func tell(steps ...string) *sim.Run {
	run := &sim.Run{Plan: &sim.Plan{}, Nodes: []string{"P", "Q"}}
	ids, calls := map[string]sim.ClientID{}, map[string]int64{}
	next := sim.ClientID(10)
	for _, step := range steps {
		who, what, _ := strings.Cut(step, " ")
		if ids[who] == 0 {
			n, _ := strconv.Atoi(who)
			ids[who] = sim.ClientID(n)
		}
		e := sim.Entry{Peer: sim.ClientEnd, Cause: -1, N: calls[who]}
		switch value, isValue := strings.CutPrefix(what, "= "); {
		case isValue:
			e.Kind, e.Body = sim.EntryReturned, got(value)
		case what == "=":
			e.Kind, e.Body = sim.EntryReturned, got("")
		case what == "ok":
			e.Kind, e.Body = sim.EntryReturned, got("ok")
		case what == "no":
			e.Kind, e.Body = sim.EntryRefused, got("no")
		case what == "late":
			e.Kind, e.Body = sim.EntryLate, got("ok")
		case what == "?":
			e.Kind = sim.EntryUnknown
			ids[who], next = next, next+1
		default:
			run.Clients = append(run.Clients, ids[who])
			calls[who] = int64(len(run.Clients))
			e.Kind, e.N, e.Body = sim.EntryInvoked, calls[who], asked(what)
		}
		run.Trace = append(run.Trace, e)
	}
	run.Epilogue = len(run.Trace)
	return run
}

func TestAHistoryIsReadByPositions(t *testing.T) {
	run := tell("1 set x 1", "2 get x", "1 ok", "3 set x 2", "3 ?", "2 no", "3 get x", "3 late",
		"4 get x")
	_, err := checker.ReadHistory(run)
	if err == nil {
		t.Fatal("an answer is late though its call has not ended, and nobody minds")
	}
	run = tell("1 set x 1", "2 get x", "1 ok", "3 set x 2", "3 ?", "3 late", "2 no", "3 get x",
		"3 = 2", "4 get x")
	h, err := checker.ReadHistory(run)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, o := range h {
		until := "never"
		if o.Return != checker.Never {
			until = fmt.Sprint(o.Return)
		}
		lines = append(lines, fmt.Sprintf("%d client %d %v %d-%s %v %v", o.ID, o.Client, o.Op,
			o.Call, until, o.Fate, o.Result))
	}
	want := []string{
		"1 client 1 set x 1 0-2 returned ok",
		"2 client 2 get x 1-6 refused no",
		"3 client 3 set x 2 3-never unknown <nil>",
		"4 client 10 get x 7-8 returned 2",
		"5 client 4 get x 9-never pending <nil>",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestAMalformedHistoryIsAnErrorAndNoVerdict(t *testing.T) {
	invoked := func(call int64, body sim.Body) sim.Entry {
		return sim.Entry{Kind: sim.EntryInvoked, N: call, Body: body}
	}
	ended := func(kind sim.EntryKind, call int64) sim.Entry {
		return sim.Entry{Kind: kind, N: call, Body: got("ok")}
	}
	one := []sim.ClientID{1}
	for _, c := range []struct {
		name    string
		clients []sim.ClientID
		trace   sim.Trace
		want    string
	}{
		{"a call ends twice", one,
			sim.Trace{invoked(1, asked("set x 1")), ended(sim.EntryReturned, 1), ended(sim.EntryReturned, 1)},
			"history: entry 2: call 1 ends twice"},
		{"a call is cut off after its return", one,
			sim.Trace{invoked(1, asked("set x 1")), ended(sim.EntryReturned, 1), ended(sim.EntryUnknown, 1)},
			"history: entry 2: call 1 ends twice"},
		{"a call returns after it was cut off", one,
			sim.Trace{invoked(1, asked("set x 1")), ended(sim.EntryUnknown, 1), ended(sim.EntryReturned, 1)},
			"history: entry 2: call 1 ends twice"},
		{"a call ends before it was invoked", one,
			sim.Trace{ended(sim.EntryReturned, 1), invoked(1, asked("set x 1"))},
			"history: entry 0: call 1 ends, but was never invoked"},
		{"a call ends that nobody made", one,
			sim.Trace{invoked(1, asked("set x 1")), ended(sim.EntryReturned, 7)},
			"history: entry 1: call 7 ends, but was never invoked"},
		{"a number is used for two calls", []sim.ClientID{1, 2},
			sim.Trace{invoked(1, asked("set x 1")), invoked(1, asked("set x 2"))},
			"history: entry 1: call 1 is invoked, want call 2"},
		{"nobody knows whose call it is", nil,
			sim.Trace{invoked(1, asked("set x 1"))},
			"history: entry 0: call 1 is of no client: the run names those of 0 calls"},
		{"a client does two things at once", []sim.ClientID{1, 1},
			sim.Trace{invoked(1, asked("set x 1")), invoked(2, asked("get x")), ended(sim.EntryReturned, 1)},
			"history: client 1 invokes call 2, but its call 1 has not returned"},
		{"a client goes on under its number after an unknown end", []sim.ClientID{1, 1},
			sim.Trace{invoked(1, asked("set x 1")), ended(sim.EntryUnknown, 1), invoked(2, asked("get x"))},
			"history: client 1 invokes call 2, but its call 1 has not returned"},
		{"a call asks for nothing", one, sim.Trace{invoked(1, nil)},
			"history: call 1: it asks for nothing"},
		{"a client has no number", []sim.ClientID{0}, sim.Trace{invoked(1, asked("set x 1"))},
			"history: call 1: it is of client 0, want a client from 1"},
		{"a client has a number out of this world", []sim.ClientID{1 << 30},
			sim.Trace{invoked(1, asked("set x 1"))},
			"history: there is a client 1073741824, want at most 16777216"},
		{"a result is of the wrong type", one,
			sim.Trace{invoked(1, asked("get x")), {Kind: sim.EntryReturned, N: 1, Body: asked("get x")}},
			"history: entry 1: get x cannot result in get x (checker_test.asked)"},
		{"a result is missing", one,
			sim.Trace{invoked(1, asked("get x")), {Kind: sim.EntryReturned, N: 1}},
			"history: entry 1: get x cannot result in  (<nil>)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := &sim.Run{Plan: &sim.Plan{}, Nodes: []string{"P"}, Trace: c.trace, Clients: c.clients}
			property := checker.Linearizable(registers)
			v := checker.Judge(run, []sim.Property{property})
			want := "check panicked: checker: " + c.want
			if f := v.Findings[0]; v.Outcome != checker.Undecided || f.Undecided != want {
				t.Errorf("got %v, %q (violation %v), want undecided, %q", v.Outcome, f.Undecided,
					f.Violation, want)
			}
		})
	}
}

func TestAHistoryFromElsewhereNeedsAPlaceForEachEnd(t *testing.T) {
	set := checker.Operation{ID: 1, Client: 1, Op: asked("set x 1"), Call: 0, Return: 2,
		Fate: checker.Returned, Result: got("ok")}
	stale := checker.Operation{ID: 2, Client: 2, Op: asked("get x"), Call: 2, Return: 3,
		Fate: checker.Returned, Result: got("")}
	// Closed intervals that touch overlap: a search alone would call this stale read legal.
	_, _, err := registers.Check(checker.History{set, stale})
	if want := "history: two things happen at 2, want one place for each"; err == nil || err.Error() != want {
		t.Errorf("the read is called at the return of the write: got %v, want %s", err, want)
	}
	stale.Call, stale.Return = 3, 4
	premises, v, err := registers.Check(checker.History{set, stale})
	if err != nil || v == nil || premises != 2 {
		t.Errorf("the read is called after the return: got %d premises, %v, %v, want a violation", premises, v, err)
	}
	_, _, err = registers.Check(checker.History{stale, set})
	if want := "history: call 1 is invoked at 0, want a place after 3"; err == nil || err.Error() != want {
		t.Errorf("calls out of order: got %v, want %s", err, want)
	}
	set.Return = checker.Never
	_, _, err = registers.Check(checker.History{set})
	want := fmt.Sprintf("history: call 1: it returns at %d, want a place after its call at 0", checker.Never)
	if err == nil || err.Error() != want {
		t.Errorf("returned, but never: got %v, want %s", err, want)
	}
	set.Fate, set.Return = checker.Unknown, 2
	_, _, err = registers.Check(checker.History{set})
	if want := "history: call 1: it is unknown, but returns at 2"; err == nil || err.Error() != want {
		t.Errorf("unknown, but returned: got %v, want %s", err, want)
	}
}
