package sim_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// lines reads a script in the words of the tests: those of scenarios, but for a comma that ends the
// event of a trigger.
func lines(text []string) []sim.Action {
	var script []sim.Action
	for i, l := range text {
		a := line(l)
		a.Line, a.Text = i+1, l
		script = append(script, a)
	}
	return script
}

func line(text string) sim.Action {
	w := strings.Fields(text)
	switch w[0] {
	case "maybe":
		a := line(strings.Join(w[1:], " "))
		a.Maybe = true
		return a
	case "for":
		who, rest, _ := strings.Cut(strings.Join(w[1:], " "), ": ")
		a := line(rest)
		a.For = strings.Fields(who)
		return a
	case "at", "after":
		a := sim.Action{Verb: sim.Wait}
		if len(w) > 2 {
			a = line(strings.Join(w[2:], " "))
		}
		a.Place, a.Offset = sim.At, length(w[1])
		if w[0] == "after" {
			a.Place = sim.After
		}
		return a
	case "when", "every", "before":
		return triggered(w)
	case "by":
		a := line(strings.Join(w[2:], " "))
		a.Client, _ = strconv.Atoi(w[1])
		return a
	}
	return plainLine(w)
}

// triggered reads "when EVENT, LINE", "every EVENT, LINE", "before [every] EVENT, LINE".
func triggered(w []string) sim.Action {
	t := &sim.Trigger{Before: w[0] == "before", Every: w[0] == "every"}
	w = w[1:]
	if w[0] == "every" {
		t.Every, w = true, w[1:]
	}
	on, rest, _ := strings.Cut(strings.Join(w, " "), ", ")
	t.Event = event(strings.Fields(on))
	a := line(rest)
	a.When = t
	return a
}

var eventKinds = map[string]sim.EventKind{"sends": sim.Sends, "receives": sim.Receives, "sets": sim.Sets,
	"fires": sim.Fires, "writes": sim.Writes, "syncs": sim.Syncs, "notes": sim.Notes, "returns": sim.Returns}

func event(w []string) sim.Event {
	kind, keys, nth := rest(w[2:])
	return sim.Event{Node: w[0], What: eventKinds[w[1]], Kind: kind, Keys: keys, Nth: nth}
}

// rest reads KIND KEY... Nth.
func rest(w []string) (kind string, keys []string, nth int) {
	if k := len(w); k > 0 && len(w[k-1]) > 2 {
		last := w[k-1]
		n, err := strconv.Atoi(last[:len(last)-2])
		if err == nil && strings.Contains("st nd rd th", last[len(last)-2:]) {
			nth, w = n, w[:k-1]
		}
	}
	if len(w) > 0 {
		kind, keys = w[0], w[1:]
	}
	return kind, keys, nth
}

// pattern reads A->B KIND KEY... Nth, with + between several ends.
func pattern(w []string) sim.Pattern {
	from, to, _ := strings.Cut(w[0], "->")
	p := sim.Pattern{From: strings.Split(from, "+"), To: strings.Split(to, "+")}
	p.Kind, p.Keys, p.Nth = rest(w[1:])
	return p
}

var nodeVerbs = map[string]sim.Verb{"restart": sim.Restart, "pause": sim.Pause, "resume": sim.Resume,
	"join": sim.Join, "leave": sim.Leave}

var plainVerbs = map[string]sim.Verb{"heal": sim.Heal, "settle": sim.Settle, "wait": sim.Wait}

var patternVerbs = map[string]sim.Verb{"hold": sim.Hold, "release": sim.Release, "deliver": sim.Deliver,
	"drop": sim.Drop, "duplicate": sim.Duplicate}

func plainLine(w []string) sim.Action {
	if v, ok := nodeVerbs[w[0]]; ok {
		return sim.Action{Verb: v, Node: w[1]}
	}
	if v, ok := plainVerbs[w[0]]; ok {
		return sim.Action{Verb: v}
	}
	if v, ok := patternVerbs[w[0]]; ok {
		if w[1] == "all" {
			return sim.Action{Verb: sim.DeliverAll, Pattern: pattern(w[2:])}
		}
		if w[1] == "upto" {
			return sim.Action{Verb: sim.DeliverUpto, Pattern: pattern(w[2:])}
		}
		return sim.Action{Verb: v, Pattern: pattern(w[1:])}
	}
	switch w[0] {
	case "crash":
		return sim.Action{Verb: sim.Crash, Node: w[1], Forever: len(w) > 2}
	case "partition":
		return partition(w[1:])
	case "clock":
		return clock(w[1:])
	case "disk":
		return spoil(w[1:])
	case "wake":
		return sim.Action{Verb: sim.Wake, Node: w[1], Claim: claim(w[3:])}
	case "check":
		return sim.Action{Verb: sim.CheckClaim, Claim: claim(w[1:])}
	case "until":
		return sim.Action{Verb: sim.Until, Event: event(w[1:])}
	}
	return sim.Action{Verb: sim.Request, Node: w[0], Words: w[1:]}
}

func claim(w []string) sim.Claim { return sim.Claim{Who: w[:1], Words: w[1:]} }

func partition(w []string) sim.Action {
	a := sim.Action{Verb: sim.Partition, Groups: [][]string{nil}}
	for _, x := range w {
		if x == "|" || x == "->" {
			a.OneWay = a.OneWay || x == "->"
			a.Groups = append(a.Groups, nil)
			continue
		}
		last := len(a.Groups) - 1
		a.Groups[last] = append(a.Groups[last], x)
	}
	return a
}

func clock(w []string) sim.Action {
	a := sim.Action{Verb: sim.Jump, Node: w[0]}
	if w[1] == "drift" {
		n, err := strconv.ParseInt(w[2], 10, 64)
		if err != nil {
			panic(err)
		}
		a.Verb, a.Amount = sim.Drift, n
		return a
	}
	a.Amount = int64(length(w[1]))
	return a
}

func spoil(w []string) sim.Action {
	a := sim.Action{Verb: sim.SpoilDisk, Node: w[0]}
	switch w[1] {
	case "torn":
		a.Fault = sim.DiskTorn
	case "failing":
		a.Fault = sim.DiskFailing
	case "lost":
		a.Fault = sim.DiskLost
	case "keep":
		n, _ := strconv.Atoi(w[2])
		a.Fault, a.Amount = sim.DiskKeep, int64(n)
	default:
		panic(fmt.Sprint(w))
	}
	return a
}
