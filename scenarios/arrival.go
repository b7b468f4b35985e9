package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// arrival is an event that reached its end: the name of its delay, what people call it, and how
// long it took.
type arrival struct {
	name sim.Name
	text string
	took time.Duration
}

// arrivals are the deliveries of a run in order, each under the name that its delay has.
func arrivals(run *sim.Run) []arrival {
	names := make([]sim.Name, len(run.Trace)) // of what was put on its way at that entry
	counts := map[sim.Name]int32{}
	var all []arrival
	for i, e := range run.Trace {
		if name, ok := departure(run, e); ok {
			counts[name]++
			name.N = counts[name]
			names[i] = name
		}
		if e.Kind == sim.EntryCopied && e.Cause >= 0 {
			names[i] = names[e.Cause]
		}
		if name, ok := arrived(run, e, names); ok {
			if e.Kind == sim.EntryLogged {
				counts[name]++ // each node takes the log in order
				name.N = counts[name]
			}
			took := e.At.Sub(run.Trace[e.Cause].At)
			all = append(all, arrival{name, taken(run, e), took})
		}
	}
	return all
}

// departure is the name, without ordinal, of the delay of what is put on its way at e.
func departure(run *sim.Run, e sim.Entry) (sim.Name, bool) {
	switch e.Kind {
	case sim.EntrySent, sim.EntryPublished:
		return delayName(run, e.Node, e.Peer, e.Body), true
	case sim.EntryQueued:
		return delayName(run, e.Node, e.Node, e.Body), true
	}
	return sim.Name{}, false
}

// arrived is the name of the delay of what arrives at e.
func arrived(run *sim.Run, e sim.Entry, names []sim.Name) (sim.Name, bool) {
	switch e.Kind {
	case sim.EntryDelivered, sim.EntryWorked, sim.EntrySequenced:
		if e.Cause >= 0 && names[e.Cause] != (sim.Name{}) {
			return names[e.Cause], true
		}
	case sim.EntryLogged:
		return delayName(run, sim.LogEnd, e.Node, e.Body), e.Cause >= 0
	}
	return sim.Name{}, false
}

func delayName(run *sim.Run, at, to sim.NodeID, body sim.Body) sim.Name {
	return sim.Name{
		What: sim.Delay,
		At:   run.Name(at),
		To:   run.Name(to),
		Of:   body.Kind(),
		Keys: strings.Join(sim.KeysOf(body), " "),
	}
}

// taken is an arrival in words: "Q's notify tx5".
func taken(run *sim.Run, e sim.Entry) string {
	words := append([]string{e.Body.Kind()}, sim.KeysOf(e.Body)...)
	return fmt.Sprintf("%s's %s", run.Name(e.Node), strings.Join(words, " "))
}

// turn is what is known of a run and of the same run with delays.
type turn struct {
	base, other []arrival
	delays      []sim.Exception
	same        func(delays []sim.Exception) bool // whether delays have the outcome of these
}

// pair is the two deliveries that the i-th delay turns around and that matter: the delayed one, and
// among those it now comes after the first with which the outcome changes.
func (t *turn) pair(i int) Pair {
	late := t.delays[i].Name
	was := position(t.base, late)
	if was < 0 {
		return Pair{First: nameText(late)}
	}
	first := t.base[was].text
	passed := overtakers(t.base, t.other, was)
	if len(passed) == 0 {
		return Pair{First: first}
	}
	for k := 1; k < len(passed); k++ {
		if t.same(behind(t.delays, i, passed[k:])) {
			return Pair{first, passed[k-1].text}
		}
	}
	return Pair{first, passed[len(passed)-1].text}
}

// overtakers are the arrivals that come after the was-th in base and before it in other, at the
// same end if there are such.
func overtakers(base, other []arrival, was int) []arrival {
	late := base[was].name
	is := position(other, late)
	var here, anywhere []arrival
	for _, a := range base[was+1:] {
		if at := position(other, a.name); at < 0 || at > is {
			continue
		}
		anywhere = append(anywhere, a)
		if a.name.To == late.To {
			here = append(here, a)
		}
	}
	if len(here) > 0 {
		return here
	}
	return anywhere
}

// behind delays some arrivals more than the i-th delay does, so that they stay behind it.
func behind(delays []sim.Exception, i int, some []arrival) []sim.Exception {
	more := slices.Clone(delays)
	for _, a := range some {
		if !told(delays, a.name) {
			more = append(more, sim.Exception{Name: a.name, Value: delays[i].Value + 1})
		}
	}
	return more
}

func position(list []arrival, name sim.Name) int {
	return slices.IndexFunc(list, func(a arrival) bool { return a.name == name })
}

// nameText is a delay's name in words: "P->disk row k".
func nameText(n sim.Name) string {
	text := strings.TrimSpace(n.At + "->" + n.To + " " + n.Of + " " + n.Keys)
	if n.N > 1 {
		text += fmt.Sprintf(" (%d)", n.N)
	}
	return text
}
