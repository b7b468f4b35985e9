package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// durationText is the duration in the largest unit of which it is a whole number.
func durationText(d time.Duration) string {
	if d == 0 {
		return "0s"
	}
	for _, u := range units {
		if d%u.length == 0 {
			return fmt.Sprintf("%d%s", d/u.length, u.name)
		}
	}
	panic(fmt.Sprintf("scenarios: duration %d", d))
}

// percentText is a share of a million as a percentage, with as few decimals as it takes.
func percentText(p sim.PPM) string {
	text := fmt.Sprintf("%d.%04d", p/10_000, p%10_000)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + "%"
}

// ordinalText is 1st, 2nd, 3rd, 4th, ... 11th, ... 21st.
func ordinalText(n int) string {
	ending := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, ending)
}

func delayWords(d sim.Dist) []string {
	if d.Shape == sim.Constant || d.High <= d.Low {
		return []string{durationText(d.Low)}
	}
	words := []string{durationText(d.Low) + ".." + durationText(d.High)}
	if d.Shape == sim.Heavy {
		words = append(words, "heavy")
	}
	return words
}

func condWords(conds []Cond) []string {
	var words []string
	for _, c := range conds {
		words = append(words, c.Name+"="+c.Value)
	}
	return words
}

func casesWords(c *Cases) []string {
	words := []string{"cases", fmt.Sprint(c.Count)}
	if c.Void > 0 {
		words = append(words, "void", fmt.Sprint(c.Void))
	}
	return words
}

// PatternText is a pattern as a script says it: "A B->C row k 2nd".
func PatternText(p sim.Pattern) string { return strings.Join(patternWords(p), " ") }

func patternWords(p sim.Pattern) []string {
	link := strings.Join(p.From, " ") + "->" + strings.Join(p.To, " ")
	return append(strings.Split(link, " "), matterWords(p.Kind, p.Keys, p.Nth)...)
}

func matterWords(kind string, keys []string, nth int) []string {
	var words []string
	if kind != "" {
		words = append(words, kind)
	}
	words = append(words, keys...)
	if nth > 0 {
		words = append(words, ordinalText(nth))
	}
	return words
}

// EventText is an event as a script says it: "P sends finish tx2 2nd".
func EventText(e sim.Event) string { return strings.Join(eventWords(e), " ") }

func eventWords(e sim.Event) []string {
	return append([]string{e.Node, happenings[e.What]}, matterWords(e.Kind, e.Keys, e.Nth)...)
}

// ExceptionText is an exception as -- chance -- says it: "delay P->Q finish tx2 by 30ms".
func ExceptionText(e sim.Exception) string { return strings.Join(exceptionWords(e), " ") }

func exceptionWords(e sim.Exception) []string {
	words := decisionWords(e)
	by := func(word string, d int64) []string {
		return append(words, word, durationText(time.Duration(max(d, 0))))
	}
	switch e.Name.What {
	case sim.Delay, sim.Tardy:
		return by("by", e.Value)
	case sim.Copy:
		return by("by", e.Value-1)
	case sim.RestartIn:
		return by("after", e.Value-1)
	case sim.Drawn:
		return append(words, "is", fmt.Sprint(e.Value))
	case sim.Lost, sim.CrashAt, sim.KeepRows, sim.Tear, sim.SyncFails, sim.BreakAt, sim.LoseAfter:
		return words
	}
	panic(fmt.Sprintf("scenarios: choice %d", uint8(e.Name.What)))
}

// decisionWords is what an exception is about, without what is chosen.
func decisionWords(e sim.Exception) []string {
	words := []string{choiceName(e.Name.What)}
	switch e.Name.What {
	case sim.CrashAt:
		words = append(words, e.Name.At, e.Name.To)
	case sim.RestartIn, sim.Tear, sim.Drawn:
		words = append(words, e.Name.At)
	case sim.KeepRows:
		words = append(words, e.Name.At, fmt.Sprint(e.Value))
	case sim.LoseAfter:
		words = append(words, e.Name.At+"->"+e.Name.To, "after")
	default:
		words = append(words, e.Name.At+"->"+e.Name.To)
	}
	words = strings.Fields(strings.Join(append(words, e.Name.Of, e.Name.Keys), " "))
	if n := e.Name.N; n > 1 || ordinalLike(words[len(words)-1]) {
		words = append(words, ordinalText(int(max(n, 1))))
	}
	return words
}

// decisionText is the name of what an exception decides.
func decisionText(e sim.Exception) string {
	e.Value = 0
	return strings.Join(decisionWords(e), " ")
}

func choiceName(what sim.Choice) string {
	for _, c := range chances {
		if c.what == what {
			return c.name
		}
	}
	panic(fmt.Sprintf("scenarios: choice %d", uint8(what)))
}
