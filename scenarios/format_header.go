package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// headerLines are the lines of -- scenario --: as they were written, or made of the fields of a
// scenario that a program made.
func (s *Scenario) headerLines() []Line {
	if s.Header != nil {
		return slices.Clone(s.Header)
	}
	h := &header{}
	h.who(s)
	n := &s.Network
	h.when(s.Explore != nil, append([]string{"explore"}, s.Explore.words()...)...)
	h.when(n.Manual, "network", "manual")
	h.when(n.InFlight != sim.Spare, "inflight", fates[n.InFlight])
	h.links(lastOfEach(n.Links))
	h.disk(n)
	h.percent(n.Crash, "crash")
	h.number(int64(n.Crashes), "crashes")
	h.dist(n.Restart, "restart")
	h.percent(n.Break, "break")
	h.duration(n.Detect, "detect")
	h.dist(n.Reopen, "reopen")
	h.duration(n.Timeout, "timeout")
	h.dist(n.Late, "late")
	h.number(int64(s.Clients), "clients")
	h.number(int64(s.Ops), "ops")
	h.duration(s.Span, "span")
	h.when(s.Seeds != Seeds{}, "seeds", seedsText(s.Seeds))
	h.number(int64(s.Budget.Events), "budget", "events")
	h.duration(s.Budget.Time, "budget", "time")
	h.number(s.Budget.Bytes, "budget", "bytes")
	h.duration(s.Budget.Linger, "budget", "linger")
	return h.lines
}

// header collects the lines of what is not as it would be without them.
type header struct {
	lines []Line
}

func (h *header) when(said bool, words ...string) {
	if said {
		h.lines = append(h.lines, Line{Words: words})
	}
}

func (h *header) percent(p sim.PPM, words ...string) {
	h.when(p > 0, append(words, percentText(p))...)
}

func (h *header) number(n int64, words ...string) {
	h.when(n > 0, append(words, fmt.Sprint(n))...)
}

func (h *header) duration(d time.Duration, words ...string) {
	h.when(d > 0, append(words, durationText(d))...)
}

func (h *header) dist(d sim.Dist, words ...string) {
	h.when(d != sim.Dist{}, append(words, delayWords(d)...)...)
}

// who is in the story, and under which rules.
func (h *header) who(s *Scenario) {
	h.when(s.Model != "", "model", s.Model)
	h.when(len(s.Nodes) > 0, append([]string{"nodes"}, s.Nodes...)...)
	h.when(len(s.Later) > 0, append([]string{"later"}, s.Later...)...)
	for _, line := range s.Setup {
		h.lines = append(h.lines, Line{Words: line.Words, Line: line.Line})
	}
	h.when(len(s.Played) > 0, append([]string{"variants"}, s.Played...)...)
	h.when(s.Timed, "time", "runs")
	h.when(s.Fixed, "order", "fixed")
}

// links says of each link what it has, and what it lacks that a link before it has: what comes
// later wins, trait by trait.
func (h *header) links(links []sim.Link) {
	for i, l := range links {
		var was sim.Link // the most of each trait that links before it have in common with it
		for _, k := range links[:i] {
			if _, ok := common(k, l.From, l.To); ok {
				was.Delay.Low = max(was.Delay.Low, k.Delay.Low, k.Delay.High)
				was.Loss = max(was.Loss, k.Loss)
				was.Duplicate = max(was.Duplicate, k.Duplicate)
			}
		}
		link := linkWords(l.From, l.To)
		h.when(l.Delay != sim.Dist{} || was.Delay.Low > 0,
			slices.Concat([]string{"delay"}, link, delayWords(l.Delay))...)
		h.when(l.Loss > 0 || was.Loss > 0,
			slices.Concat([]string{"loss"}, link, []string{percentText(l.Loss)})...)
		h.when(l.Duplicate > 0 || was.Duplicate > 0,
			slices.Concat([]string{"duplicate"}, link, []string{percentText(l.Duplicate)})...)
	}
}

func (h *header) disk(n *sim.Network) {
	slow := "disk slow"
	if told := (n.Told != sim.Dist{}); told || n.SyncTime != (sim.Dist{}) {
		slow += " " + strings.Join(delayWords(n.SyncTime), " ")
		if told {
			slow += " told " + strings.Join(delayWords(n.Told), " ")
		}
	}
	h.when(n.DiskSlow, strings.Fields(slow)...)
	h.percent(n.SyncFail, "disk", "fails")
	h.percent(n.Torn, "disk", "torn")
	h.when(n.Keep, "disk", "keeps", "some")
}
