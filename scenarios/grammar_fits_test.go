package scenarios_test

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	timedOnly = strings.Fields("Delay Loss Copies Crash Crashes Restart Break Detect Reopen Timeout Late " +
		"Clients Ops Span Seeds SyncTimes After Load At")
	stillOnly = strings.Fields("Order Network Explore")
	reserved  = strings.Fields("hold release deliver drop duplicate crash restart pause resume join leave partition heal " +
		"clock disk settle wake check until by for maybe at after before when every if holds breaks undecided loose * ... " +
		"model nodes later variants time order explore network inflight delay loss crashes break detect reopen timeout late clients ops " +
		"span seeds budget log client")
)

// fits is what the grammar cannot say.
func (w *writer) fits(name, text string) bool {
	var words []string
	if !lexical(name) {
		words = strings.Fields(text)
	}
	switch name {
	case "word", "kind", "key", "label", "seen", "value", "property", "setupWord":
		return w.plain(text)
	case "Model", "Order", "Explore", "Network", "InFlight", "Crash", "Crashes", "Restart", "Break", "Detect", "Reopen", "Late",
		"Clients", "Ops", "Seeds":
		return w.rising(text) && w.once("line "+name)
	case "Span", "Timeout":
		return strings.ContainsAny(text, "123456789") && w.once("line "+name)
	case "Nodes", "Later":
		return distinct(append(slices.Clone(w.nodes), words[1:]...)) && w.once("line "+name)
	case "Dist":
		return w.rising(text)
	case "Delay", "Loss", "Copies":
		link := "*->*"
		if strings.Contains(text, "->") {
			link = words[1]
		}
		from, to, _ := strings.Cut(link, "->")
		own := from == to && from != "*"
		return !(own && name != "Delay") && w.once(name+link)
	case "Disk":
		return (w.timed || words[1] == "slow") && w.once(name+words[1])
	case "Budget":
		return strings.ContainsAny(words[2], "123456789") && w.once(name+words[1])
	case "Request":
		return !w.trigger || !slices.Contains(reserved, words[1])
	case "Wait":
		return words[0] != "until" || w.timed
	case "Partition":
		return distinct(nodesOf(words[1:]))
	case "Group", "Who", "For", "Outcome":
		return distinct(strings.Fields(strings.TrimSuffix(text, ":")))
	case "Ends":
		return w.ends(words)
	case "Decision":
		return w.decision(words)
	case "If":
		return w.grid
	case "ExpectLine":
		return w.expectation(words)
	case "Trace":
		return w.once(words[2])
	}
	return true
}

// plain says that a word is one whatever stands before it.
func (w *writer) plain(word string) bool {
	ordinal := strings.TrimLeft(word, "0123456789")
	return !slices.Contains(reserved, word) && !slices.Contains(w.nodes, word) && !strings.HasSuffix(word, ":") &&
		!strings.HasPrefix(word, "--") && !strings.Contains(word, "->") && word != "|" &&
		(ordinal == word || !slices.Contains([]string{"st", "nd", "rd", "th"}, ordinal))
}

// rising says that LOW..HIGH, if there is one, rises.
func (w *writer) rising(text string) bool {
	for _, word := range strings.Fields(text) {
		low, high, ok := strings.Cut(word, "..")
		if !ok {
			continue
		}
		a, err := time.ParseDuration(low)
		b, _ := time.ParseDuration(high)
		if err != nil { // seeds
			from, _ := strconv.Atoi(low)
			to, _ := strconv.Atoi(high)
			return from <= to
		}
		if a >= b {
			return false
		}
	}
	return true
}

func nodesOf(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "|" || w == "->" })
}

// ends says that the ends of a link can be.
func (w *writer) ends(words []string) bool {
	from, to := []string{}, []string{}
	side := &from
	for _, word := range words {
		a, b, arrow := strings.Cut(word, "->")
		*side = append(*side, a)
		if arrow {
			side = &to
			to = append(to, b)
		}
	}
	special := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return n != "*" && !slices.Contains(w.nodes, n) })
	}
	return distinct(from) && distinct(to) && !(special(from) && special(to)) && !slices.Contains(to, "clock")
}

// decision says that a line of -- chance -- is about something new.
func (w *writer) decision(words []string) bool {
	about := strings.Join(words, " ")
	switch words[0] {
	case "torn", "keep", "restart":
		about = words[0] + words[1]
	case "delay", "duplicate", "late", "draw":
		about = strings.Join(words[:len(words)-2], " ")
	}
	return w.once(strings.TrimSuffix(about, " 1st"))
}

// expectation says that a line of -- expect -- is what it looks like, and new.
func (w *writer) expectation(words []string) bool {
	if slices.Contains(outcomeWords, words[1]) {
		return w.once(words[0])
	}
	i := slices.Index(words, "if")
	if i < 0 {
		return true
	}
	var names []string
	for _, cond := range words[i+1:] {
		name, _, _ := strings.Cut(cond, "=")
		names = append(names, name)
	}
	return distinct(names)
}
