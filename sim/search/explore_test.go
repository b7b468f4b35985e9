package search_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/model"
	"github.com/downset/downset/sim"
)

// tiny is a story so small that every path of it can be played.
type tiny struct {
	model    string // or "probes", "logged probes", "slow probes"
	variants string // "" is all
	nodes    string
	later    string
	rules    []reaction
	script   []string
	opt      sim.WalkOptions
}

func (x tiny) name(variant string) string {
	text := x.model + " " + variant + ": " + strings.Join(x.script, ", ")
	for _, b := range []struct {
		n    int
		what string
	}{{x.opt.Timers, "timers"}, {x.opt.Crashes, "crashes"}, {x.opt.Losses, "losses"}, {x.opt.Duplicates, "copies"},
		{x.opt.Partitions, "partitions"}, {x.opt.Breaks, "breaks"}} {
		if b.n > 0 {
			text += fmt.Sprintf(" +%d %s", b.n, b.what)
		}
	}
	return text
}

// plan is the story under a variant.
func (x tiny) plan(p *sim.Protocol, v sim.Variant) *sim.Plan {
	plan := &sim.Plan{Protocol: p, Variant: v, Nodes: strings.Fields(x.nodes), Later: strings.Fields(x.later)}
	plan.Budget.Events = 500 // a timer that sets itself again never ends
	plan.Network.DiskSlow = strings.HasPrefix(x.model, "slow")
	for _, r := range x.rules {
		plan.Setup = append(plan.Setup, r)
	}
	for _, l := range x.script {
		plan.Script = append(plan.Script, told(l))
	}
	return plan
}

// told reads a line: "1 P REQUEST" is client 1's request at P, "P REQUEST" one of a client of its own.
func told(text string) sim.Action {
	w := strings.Fields(text)
	switch w[0] {
	case "crash":
		return sim.Action{Verb: sim.Crash, Node: w[1]}
	case "restart":
		return sim.Action{Verb: sim.Restart, Node: w[1]}
	case "join":
		return sim.Action{Verb: sim.Join, Node: w[1]}
	case "leave":
		return sim.Action{Verb: sim.Leave, Node: w[1]}
	case "heal":
		return sim.Action{Verb: sim.Heal}
	case "partition":
		return sim.Action{Verb: sim.Partition, Groups: [][]string{{w[1]}, w[2:]}}
	case "1", "2":
		return sim.Action{Verb: sim.Request, Client: int(w[0][0] - '0'), Node: w[1], Words: w[2:]}
	}
	return sim.Action{Verb: sim.Request, Node: w[0], Words: w[1:]}
}

// protocol is what the story is about.
func (x tiny) protocol() *sim.Protocol {
	switch x.model {
	case "probes", "slow probes":
		return probes(false)
	case "logged probes":
		return probes(true)
	}
	return model.Lookup(strings.TrimPrefix(x.model, "slow "))
}

type some = sim.WalkOptions

// tinies are the stories.
var tinies = []tiny{
	{model: "cut", nodes: "P Q", script: []string{"P commit tx1 Q", "Q cut 1"}},
	{model: "cut", nodes: "P Q", script: []string{"P cut 1"}, opt: some{Losses: 1}},
	{model: "cut", nodes: "P Q", script: []string{"P commit tx1 Q"}, opt: some{Duplicates: 1}},
	{model: "cut", nodes: "P Q", script: []string{"P commit tx1 Q"}, opt: some{Crashes: 1, Keep: true}},
	{model: "cut", variants: "signed unsigned", nodes: "P Q", script: []string{"1 P commit tx1 Q", "1 P cut 1"}, opt: some{Timers: 1}},
	{model: "register", nodes: "P Q", script: []string{"P write x 1"}, opt: some{Losses: 1}},
	{model: "register", nodes: "P Q", script: []string{"P read x"}, opt: some{Timers: 1}},
	{model: "register", nodes: "P Q", script: []string{"P write x 1"}, opt: some{Crashes: 1, Keep: true}},
	{model: "register", variants: "abd own-answer", nodes: "P Q", script: []string{"1 P write x 1", "1 Q read x"}},
	{model: "commit", nodes: "P Q", script: []string{"P commit tx1 Q"}, opt: some{Losses: 1}},
	{model: "commit", nodes: "P Q", script: []string{"P commit tx1 Q"}, opt: some{Crashes: 1, Keep: true}},
	{model: "commit", nodes: "P Q", script: []string{"P commit tx1 Q"}, opt: some{Timers: 1}},
	{model: "commit", nodes: "P Q R", script: []string{"P commit tx1 Q R"}},
	{model: "commit", variants: "half copies flinches", nodes: "P Q", script: []string{"Q refuse tx1", "P commit tx1 Q"}, opt: some{Duplicates: 1}},

	{model: "probes", nodes: "P Q R", script: []string{"P send Q a; send R b; send Q c"}},
	{model: "probes", nodes: "P Q", script: []string{"P note a; send Q x; return 1", "Q note c; return 2"}},
	{model: "probes", nodes: "P Q R", rules: []reaction{{"Q got x", "note a; send R y"}, {"R got y", "note c"}, {"R got z", "note c"}},
		script: []string{"P send Q x; send R z"}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got x", "note b"}, {"Q got y", "if got x; note a"}},
		script: []string{"P send Q x; send Q y; send Q z"}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got x", "panic x"}}, script: []string{"P send Q x; send Q y"}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got x", "fail it"}, {"P got y", "note a"}}, script: []string{"P send Q x; send P self", "Q send P y"}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got 1", "append r1"}, {"Q opened", "note o"}},
		script: []string{"P flow Q 1; flow Q 2; flow Q 3"}, opt: some{Breaks: 1}},
	{model: "probes", nodes: "P Q", script: []string{"P mail Q 1; mail Q 2; send Q 3", "P mail Q 4"}, opt: some{Breaks: 1}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"P broken", "flow Q again"}}, script: []string{"P flow Q 1; close Q; flow Q 2"}, opt: some{Crashes: 1}},
	{model: "probes", nodes: "P Q R", rules: []reaction{{"Q got 1", "flow R 2"}, {"R got 2", "note c"}},
		script: []string{"P note a; flow Q 1", "R flow Q 3"}, opt: some{Partitions: 1}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"P worked w", "append w; sync; note a; send Q x"}, {"Q got x", "append x"}},
		script: []string{"P later w; later v; note b"}, opt: some{Crashes: 1, Keep: true}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"P start 1", "note one"}, {"P start 2", "note two"}},
		script: []string{"P append r; append s; note b; send Q x; append t; sync; note a"}, opt: some{Crashes: 1, Keep: true}},
	{model: "probes", nodes: "P Q", script: []string{"P note b; append r; send Q x; replace snap; sync; return 1"}, opt: some{Crashes: 2, Keep: true}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got x", "replace s; flush; append r; send P y"}, {"Q durable", "send P d"}, {"Q synced", "note a"}},
		script: []string{"P send Q x"}, opt: some{Crashes: 1, Keep: true}},
	{model: "slow probes", nodes: "P Q", rules: []reaction{{"Q got x", "append r; sync; send P y; note a"}, {"Q got z", "note b; append z"}},
		script: []string{"P send Q x; send Q z"}, opt: some{Crashes: 1}},
	{model: "slow probes", nodes: "P Q", rules: []reaction{{"Q got x", "append r; flush; send P y"}, {"Q durable", "note b"}, {"Q synced", "note a"}},
		script: []string{"P send Q x; send Q z"}, opt: some{Crashes: 1, Keep: true}},
	{model: "slow probes", nodes: "P Q", rules: []reaction{{"Q got x", "append r; sync; append s; sync; flow P y"}},
		script: []string{"P send Q x", "Q send P w"}, opt: some{Breaks: 1}},
	{model: "slow cut", variants: "signed unsigned", nodes: "P Q", script: []string{"P commit tx1 Q"}, opt: some{Crashes: 1}},
	{model: "slow register", nodes: "P Q", script: []string{"P write x 1"}},
	{model: "slow commit", variants: "presumed-abort forgets-promise answers-early", nodes: "P Q", script: []string{"P commit tx1 Q"}, opt: some{Crashes: 1}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"P fired t", "send Q x"}, {"Q got x", "note a; after 3ms u"}, {"Q got y", "cancel u; note b"}},
		script: []string{"P after 5ms t; after 2ms v; send Q y"}, opt: some{Timers: 2}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"P fired t", "after 1ms t; send Q x"}}, script: []string{"P after 5ms t", "Q send P y"}, opt: some{Timers: 1}},
	{model: "probes", nodes: "P Q", script: []string{"P send Q a; send Q b; send Q c"}, opt: some{Losses: 1, Duplicates: 1}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got x", "note b; send P y"}}, script: []string{"P send Q x"}, opt: some{Duplicates: 2, Losses: 1}},
	{model: "probes", nodes: "P Q R", script: []string{"P send Q x; send R x", "Q send R y"}, opt: some{Partitions: 1}},
	{model: "probes", nodes: "P Q R", script: []string{"P send Q x; return 1", "partition P Q R", "P send R y; return 2", "heal"}},
	{model: "probes", nodes: "P Q", script: []string{"1 P return 2", "2 Q return 1", "1 Q return 3"}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got x", "send P y"}, {"P got y", "return 1"}},
		script: []string{"1 P send Q x", "2 Q return 0", "1 P return 2"}, opt: some{Losses: 1}},
	{model: "probes", nodes: "P Q", later: "R", rules: []reaction{{"* members 3", "send R hello; note a"}, {"R got hello", "note b"}},
		script: []string{"P send Q x", "join R"}},
	{model: "probes", nodes: "P Q R", rules: []reaction{{"* members 2", "send P bye; note a"}}, script: []string{"Q send R x", "leave R"}},
	{model: "probes", nodes: "P Q", script: []string{"P append r; send Q x", "crash P", "restart P", "Q send P y"}},
	{model: "logged probes", nodes: "P Q", rules: []reaction{{"Q logged x", "note a; send P z"}, {"Q logged y", "note b"}},
		script: []string{"P publish x", "Q publish y"}},
	{model: "logged probes", nodes: "P Q", rules: []reaction{{"* members 1", "note a"}}, script: []string{"P publish x"}, opt: some{Crashes: 1}},
	{model: "logged probes", nodes: "P", later: "Q", rules: []reaction{{"P members 2", "publish y"}, {"Q logged y", "note c"}},
		script: []string{"P note a; publish x", "join Q"}},
	{model: "probes", nodes: "P Q R", rules: []reaction{{"R got x", "if got y; note b"}, {"R got y", "if got x; note a"}},
		script: []string{"P send R x", "Q send R y", "R forget"}},
	{model: "probes", nodes: "P Q", rules: []reaction{{"Q got x", "all"}, {"Q got y", "forget"}}, script: []string{"P send Q x; send Q y", "Q later w"}},
}

func TestWhatIsPrunedIsSoundAgainstPathsThatAreNot(t *testing.T) {
	compared := map[string]int{}
	stories, large := 0, 0
	for i, x := range tinies {
		p := x.protocol()
		for k, v := range p.Variants {
			if x.variants == "" && len(p.Variants) > 1 && (i+k)%3 > 0 && os.Getenv("SOUND") == "" {
				continue // a third of them each; with SOUND=all all
			}
			if x.variants != "" && !strings.Contains(" "+x.variants+" ", " "+v.Name+" ") {
				continue
			}
			t.Run(x.name(v.Name), func(t *testing.T) {
				begin := time.Now()
				defer func() { t.Log(time.Since(begin)) }()
				if !compareAll(t, x.plan(p, v), x.opt) {
					large++
					return
				}
				stories++
				compared[p.Name]++
			})
		}
	}
	t.Logf("%d stories compared: %v; %d were too large", stories, compared, large)
	if stories < 50 {
		t.Errorf("%d stories were compared, want at least 50", stories)
	}
	for _, name := range []string{"cut", "register", "commit", "probes"} {
		if compared[name] < 10 {
			t.Errorf("%d stories of %s were compared, want at least 10", compared[name], name)
		}
	}
}

// compareAll compares a story as it is explored in every way with all its paths. It says whether the
// story was small enough.
func compareAll(t *testing.T, plan *sim.Plan, opt sim.WalkOptions) bool {
	t.Helper()
	for _, deep := range []bool{false, true} {
		opt.Deep = deep
		all := newEnds(deep)
		paths, ok := unpruned(plan, opt, all)
		if !ok {
			return false
		}
		for _, full := range []bool{true, false} {
			found, x := explored(t, plan, opt, full, 1)
			if why := found.against(all); why != "" {
				t.Errorf("deep %v, full %v: %s", deep, full, why)
			}
			t.Logf("deep %v, full %v: %d paths with %d ends, %d states with %d ends; %d verdicts, %d final states, %d traces",
				deep, full, paths, all.count, x.States, x.Ends, len(all.verdicts), len(all.states), len(all.traces))
		}
	}
	return true
}
