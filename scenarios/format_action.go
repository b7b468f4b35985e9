package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// ActionText is an action as a script says it: "for draft: at 5ms when P sends finish crash P".
func ActionText(a sim.Action) string { return strings.Join(actionWords(a), " ") }

func actionWords(a sim.Action) []string {
	var words []string
	if len(a.For) > 0 {
		words = append(append(words, "for"), a.For...)
		words[len(words)-1] += ":"
	}
	if a.Maybe {
		words = append(words, "maybe")
	}
	switch a.Place {
	case sim.At:
		words = append(words, "at", durationText(a.Offset))
	case sim.After:
		words = append(words, "after", durationText(a.Offset))
	case sim.InTurn:
	}
	if a.When != nil {
		words = append(words, triggerWords(a)...)
	}
	return append(words, deedWords(a)...)
}

// triggerWords are a trigger's, with a colon where one could take words of the event for the line.
func triggerWords(a sim.Action) []string {
	var words []string
	t := a.When
	if t.Before {
		words = append(words, "before")
	}
	if t.Every {
		words = append(words, "every")
	}
	if !t.Before && !t.Every {
		words = append(words, "when")
	}
	words = append(words, eventWords(t.Event)...)
	colon := func(w string) bool { return strings.HasSuffix(w, ":") }
	if slices.ContainsFunc(deedWords(a), colon) || blurred(a) {
		words[len(words)-1] += ":"
	}
	return words
}

// blurred says that one could take words of a trigger's event for the line, or the other way round.
func blurred(a sim.Action) bool {
	e := a.When.Event
	asked := a.Verb == sim.Request && len(a.Words) > 0 && isVerb(a.Words[0])
	return asked && e.Nth == 0 || slices.ContainsFunc(matterWords(e.Kind, e.Keys, 0), startsLine)
}

// startsLine says that a line could begin with this word: a verb, or what may be a node.
func startsLine(w string) bool {
	return w == "by" || isVerb(w) || w != "" && w[0] >= 'A' && w[0] <= 'Z'
}

// deedWords are a verb and what it is about.
func deedWords(a sim.Action) []string {
	name := verbName(a.Verb)
	switch a.Verb {
	case sim.Request:
		return requestWords(a)
	case sim.Hold, sim.Release, sim.Deliver, sim.DeliverAll, sim.DeliverUpto, sim.Drop, sim.Duplicate:
		return append(strings.Fields(name), patternWords(a.Pattern)...)
	case sim.Crash:
		if a.Forever {
			return []string{name, a.Node, "for", "good"}
		}
		return []string{name, a.Node}
	case sim.Restart, sim.Pause, sim.Resume, sim.Join, sim.Leave:
		return []string{name, a.Node}
	case sim.Partition:
		return append([]string{name}, groupWords(a)...)
	case sim.Heal, sim.Settle:
		return []string{name}
	case sim.Jump:
		sign, d := "+", a.Amount
		if d < 0 {
			sign, d = "-", -d
		}
		return []string{"clock", a.Node, sign + durationText(time.Duration(d))}
	case sim.Drift:
		return []string{"clock", a.Node, "drift", fmt.Sprint(a.Amount)}
	case sim.SpoilDisk:
		words := []string{name, a.Node, spoils[a.Fault]}
		if a.Fault == sim.DiskKeep {
			words = append(words, fmt.Sprint(a.Amount))
		}
		return words
	case sim.Wake:
		return append([]string{name, a.Node, "until"}, claimWords(a.Claim)...)
	case sim.CheckClaim:
		return append([]string{name}, claimWords(a.Claim)...)
	case sim.Until:
		return append([]string{name}, eventWords(a.Event)...)
	case sim.Wait:
		return nil
	}
	panic(fmt.Sprintf("scenarios: verb %d", uint8(a.Verb)))
}

func requestWords(a sim.Action) []string {
	var words []string
	if a.Client > 0 {
		words = append(words, "by", fmt.Sprint(a.Client))
	}
	return append(append(words, a.Node), a.Words...)
}

func claimWords(c sim.Claim) []string { return slices.Concat(c.Who, c.Words) }

func groupWords(a sim.Action) []string {
	var words []string
	for i, g := range a.Groups {
		switch {
		case i == 1 && a.OneWay:
			words = append(words, "->")
		case i > 0:
			words = append(words, "|")
		}
		words = append(words, g...)
	}
	return words
}

// verbName is the word for a verb, "" for a request and for waiting.
func verbName(verb sim.Verb) string {
	switch verb {
	case sim.DeliverAll:
		return "deliver all"
	case sim.DeliverUpto:
		return "deliver upto"
	case sim.Drift:
		return "clock"
	}
	for _, v := range verbs {
		if v.verb == verb {
			return v.name
		}
	}
	return ""
}
