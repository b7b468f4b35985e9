package scenarios

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// chances are the words of -- chance --, each with the choice that it decides.
var chances = []struct {
	name string
	what sim.Choice
	read func(*reader, *sim.Exception)
}{
	{"delay", sim.Delay, (*reader).delayed},
	{"drop", sim.Lost, (*reader).lost},
	{"duplicate", sim.Copy, (*reader).copied},
	{"late", sim.Tardy, (*reader).tardy},
	{"crash", sim.CrashAt, (*reader).crashed},
	{"restart", sim.RestartIn, (*reader).restarted},
	{"keep", sim.KeepRows, (*reader).kept},
	{"torn", sim.Tear, (*reader).torn},
	{"fail", sim.SyncFails, (*reader).failing},
	{"break", sim.BreakAt, (*reader).broken},
	{"lose", sim.LoseAfter, (*reader).cutOff},
	{"draw", sim.Drawn, (*reader).drawn},
}

// chance reads -- chance --: decisions by name, and what is chosen.
func (p *parser) chance(sec *section) error {
	for _, l := range sec.lines {
		r := p.reader(l)
		c := Chosen{Exception: sim.Exception{Line: l.Line}, Comments: l.Comments}
		if p.open(r) {
			c.Text = strings.Join(l.Words, " ")
		} else if r.decision(&c.Exception); r.msg == "" {
			p.once(r, decisionText(c.Exception), l.Line)
		}
		if err := p.mark(r, l.Line); err != nil {
			p.wrong = append(p.wrong, err)
			continue
		}
		p.s.Chance = append(p.s.Chance, c)
	}
	return nil
}

// decision takes a name and what is chosen.
func (r *reader) decision(e *sim.Exception) {
	names := make([]string, len(chances))
	for i, c := range chances {
		names[i] = c.name
	}
	i := r.oneOf(names)
	e.Name.What = chances[i].what
	chances[i].read(r, e)
}

// between takes the link that a decision is about: two single ends, FROM->TO.
func (r *reader) between(e *sim.Exception) {
	w := r.next("FROM->TO")
	from, to, ok := strings.Cut(w, "->")
	if !ok || from == "*" || to == "*" {
		r.failf("want FROM->TO, both named, got %q", w)
	}
	r.ends([]string{from}, []string{to})
	e.Name.At, e.Name.To = from, to
}

// about takes [KIND KEY...] [2nd], up to the words that end the line.
func (r *reader) about(e *sim.Exception, last ...string) {
	end := len(r.words) - len(last)
	for i, w := range last {
		if end+i < r.at || w != "" && r.words[end+i] != w {
			r.at = min(max(end+i, r.at), len(r.words))
			r.want(lastForm(last))
			return
		}
	}
	inner := reader{words: r.words[:max(end, r.at)], at: r.at, msg: r.msg}
	e.Name.Of, e.Name.Keys, e.Name.N = inner.named()
	r.msg, r.at = inner.msg, max(end, r.at)
}

// lastForm says how a line must end, for messages.
func lastForm(last []string) string {
	if last[0] == "is" {
		return `"is VALUE" at the line's end`
	}
	return `"` + last[0] + ` DURATION" at the line's end`
}

// named takes [KIND KEY...] [2nd], all that there is. Of the words only the last can be an ordinal.
func (r *reader) named() (kind, keys string, n int32) {
	rest, n := r.rest(), 1
	if last := len(rest) - 1; last >= 0 && ordinalLike(rest[last]) {
		nth, ok := parseOrdinal(rest[last])
		if !ok {
			r.failf("want an ordinal such as 1st, 2nd, 3rd, 4th, got %q", rest[last])
		}
		rest, n = rest[:last], int32(nth)
	}
	if len(rest) == 0 {
		return "", "", n
	}
	return rest[0], strings.Join(rest[1:], " "), n
}

// by takes "by 30ms".
func (r *reader) by(e *sim.Exception, least int64) {
	r.must("by")
	e.Value = least + int64(r.duration())
	r.end()
}

func (r *reader) delayed(e *sim.Exception) {
	r.between(e)
	if e.Name.At == "clock" {
		r.failf(`want "late", which is the word for the delay of timers`)
	}
	r.about(e, "by", "")
	r.by(e, 0)
}

func (r *reader) lost(e *sim.Exception) {
	r.between(e)
	r.about(e)
	e.Value = 1
}

func (r *reader) copied(e *sim.Exception) {
	r.between(e)
	r.about(e, "by", "")
	r.by(e, 1)
}

func (r *reader) tardy(e *sim.Exception) {
	r.between(e)
	if e.Name.At != "clock" {
		r.failf("want the link of a timer, clock->NODE")
	}
	r.about(e, "by", "")
	r.by(e, 0)
}

// boundaries are the effects that a crash may fall before or after.
var boundaries = []string{"append", "sync", "send", "publish", "return"}

func (r *reader) crashed(e *sim.Exception) {
	e.Name.At = r.node()
	sides := []string{"before", "after"}
	side := sides[r.oneOf(sides)]
	e.Name.To = side + " " + boundaries[r.oneOf(boundaries)]
	r.about(e)
	e.Value = 1
}

func (r *reader) restarted(e *sim.Exception) {
	e.Name.At = r.node()
	e.Name.N = int32(r.nth(1))
	r.must("after")
	e.Value = 1 + int64(r.duration())
	r.end()
}

func (r *reader) kept(e *sim.Exception) {
	e.Name.At = r.node()
	e.Value = r.number(0, 1<<31-1)
	e.Name.N = int32(r.nth(1))
	r.end()
}

func (r *reader) torn(e *sim.Exception) {
	e.Name.At = r.node()
	e.Name.N = int32(r.nth(1))
	e.Value = 1
	r.end()
}

func (r *reader) failing(e *sim.Exception) {
	r.between(e)
	if e.Name.To != "disk" {
		r.failf("want the link of a sync, NODE->disk")
	}
	r.about(e)
	e.Value = 1
}

func (r *reader) broken(e *sim.Exception) {
	r.stream(e)
	r.about(e)
	e.Value = 1
}

func (r *reader) cutOff(e *sim.Exception) {
	r.stream(e)
	r.must("after")
	r.about(e)
	e.Value = 1
}

// stream takes the link of a stream, which lies between two nodes.
func (r *reader) stream(e *sim.Exception) {
	r.between(e)
	if slices.Contains(ends, e.Name.At) || slices.Contains(ends, e.Name.To) {
		r.failf("want the link of a stream, from node to node")
	}
}

func (r *reader) drawn(e *sim.Exception) {
	e.Name.At = r.node()
	r.about(e, "is", "")
	e.Name.Of = strings.TrimSpace(e.Name.Of + " " + e.Name.Keys)
	e.Name.Keys = ""
	r.must("is")
	e.Value = r.number(0, 1<<62)
	r.end()
}
