package search_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// drawn is a random tiny story of probes. What x leads to is y and z, y leads to z and z to no
// message, so that it comes to an end.
func drawn(seed uint64) tiny {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	x := tiny{model: pick("probes", "probes", "probes", "slow probes", "logged probes"), nodes: pick("P Q", "P Q R")}
	nodes := strings.Fields(x.nodes)
	deeds := func(most int, messages ...string) string {
		var do []string
		for range 1 + r.IntN(most) {
			switch verb := pick("send", "send", "send", "flow", "note", "note", "disk", "own", "return", "other"); verb {
			case "send", "flow":
				if len(messages) > 0 {
					do = append(do, pick(verb, verb, "mail")+" "+pick(nodes...)+" "+pick(messages...))
				}
			case "note":
				do = append(do, pick("note a", "note b", "note c", "all"))
			case "disk":
				do = append(do, pick("append r", "append s; sync", "append u; flush", "append v; replace w", "sync"))
			case "own":
				do = append(do, pick("later w", "after 5ms t", "after 2ms u", "cancel t"))
			case "return":
				do = append(do, "return "+pick("1", "2", "3"))
			default:
				do = append(do, pick("forget", "if got x", "if got y", "close "+pick(nodes...)))
				if x.model == "logged probes" {
					do = append(do, "publish l")
				}
			}
		}
		return strings.Join(do, "; ")
	}
	for range 2 + r.IntN(4) {
		who := pick(append(nodes, "*")...)
		switch pick("got x", "got x", "got y", "got z", "else") {
		case "got x":
			x.rules = append(x.rules, reaction{who + " got x", deeds(3, "y", "z")})
		case "got y":
			x.rules = append(x.rules, reaction{who + " got y", deeds(2, "z")})
		case "got z":
			x.rules = append(x.rules, reaction{who + " got z", pick("note a", "note b; append z", "forget", "return 1")})
		default:
			x.rules = append(x.rules, reaction{who + " " + pick("fired t", "worked w", "synced", "durable", "opened", "broken", "logged l", "members 1"),
				pick("note a", "note b", "append k", "send "+pick(nodes...)+" z", "flow "+pick(nodes...)+" z", "return 2")})
		}
	}
	for range 1 + r.IntN(2) {
		x.script = append(x.script, pick("", "", "1 ", "2 ")+pick(nodes...)+" "+deeds(3, "x", "x", "y", "z"))
	}
	bounds := []*int{&x.opt.Timers, &x.opt.Crashes, &x.opt.Losses, &x.opt.Duplicates, &x.opt.Partitions, &x.opt.Breaks}
	for range r.IntN(3) {
		*bounds[r.IntN(len(bounds))] = 1
	}
	x.opt.Keep = r.IntN(2) == 0
	return x
}

// More of them by SOUND=FROM-TO.
func TestDrawnStoriesAreSoundAgainstPathsThatAreNotPruned(t *testing.T) {
	from, to := 1, 25
	if a, b, ok := strings.Cut(os.Getenv("SOUND"), "-"); ok {
		from, _ = strconv.Atoi(a)
		to, _ = strconv.Atoi(b)
	}
	compared := 0
	seeds := []uint64{51, 427, 837, 1368} // which showed something once
	for seed := from; seed <= to; seed++ {
		seeds = append(seeds, uint64(seed))
	}
	for _, seed := range seeds {
		x := drawn(seed)
		p := x.protocol()
		ok := true
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if ok = compareAll(t, x.plan(p, p.Variants[0]), x.opt); t.Failed() {
				t.Logf("%s\nof %s\nrules %q", x.name("plain"), x.nodes, x.rules)
			}
		})
		if ok {
			compared++
		}
	}
	t.Logf("%d of %d stories were small enough", compared, len(seeds))
	if compared < len(seeds)/2 {
		t.Errorf("%d of %d stories were compared, want half", compared, len(seeds))
	}
}
