package clocks

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// Requests about streams.
type (
	// emit: an event for a partition.
	emit struct{ Part, Text string }
	// consume: this node is a consumer of the partition from now on.
	consume struct{ Part string }
	// polls: this node asks for what it lacks of all that it consumes, and says what it has.
	polls struct{}
	// trims: the partition is to keep nothing older than Age.
	trims struct {
		Part string
		Age  time.Duration
	}
)

func (emit) Kind() string    { return "emit" }
func (consume) Kind() string { return "consume" }
func (polls) Kind() string   { return "poll" }
func (trims) Kind() string   { return "trim" }

func (e emit) Keys() []string    { return []string{e.Part, e.Text} }
func (c consume) Keys() []string { return []string{c.Part} }
func (t trims) Keys() []string   { return []string{t.Part} }

func (t trims) String() string { return fmt.Sprintf("trim %s %v", t.Part, t.Age) }

// streamOps are their forms.
func streamOps() []opForm {
	return []opForm{
		{"emit", "PARTITION EVENT", func(w []string, _ string) (sim.Op, error) {
			return emit{w[0], w[1]}, nil
		}},
		{"consume", "PARTITION", func(w []string, _ string) (sim.Op, error) {
			return consume{w[0]}, nil
		}},
		{"poll", "", func([]string, string) (sim.Op, error) { return polls{}, nil }},
		{"trim", "PARTITION AGE", func(w []string, _ string) (sim.Op, error) {
			age, err := length(w[1])
			return trims{w[0], age}, err
		}},
	}
}

// What nodes say to each other of streams.
type (
	emission struct {
		ID         sim.CallID
		Part, Text string
		At         sim.Time // the producer's clock
	}
	subscribe struct {
		ID   sim.CallID
		Part string
	}
	trim struct {
		ID   sim.CallID
		Part string
		Age  time.Duration
	}
	// streamDone answers one of the above.
	streamDone struct {
		ID     sim.CallID
		Part   string
		Result sim.Body
	}
	// streamed is an event for a consumer.
	streamed struct {
		Part  string
		Event streamEvent
	}
	// behind tells a consumer that nothing below First is kept.
	behind struct {
		Part  string
		First int64
	}
	// position is what a consumer has: all below Next, and those of Beyond. Asks says that it wants
	// the rest again.
	position struct {
		Part   string
		Next   int64
		Beyond []int64
		Asks   bool
	}
)

func (emission) Kind() string   { return "emit" }
func (subscribe) Kind() string  { return "subscribe" }
func (trim) Kind() string       { return "trim" }
func (streamDone) Kind() string { return "done" }
func (streamed) Kind() string   { return "event" }
func (behind) Kind() string     { return "behind" }
func (p position) Kind() string {
	if p.Asks {
		return "poll"
	}
	return "ack"
}

func (e emission) Keys() []string   { return []string{e.Part, e.Text} }
func (s subscribe) Keys() []string  { return []string{s.Part} }
func (t trim) Keys() []string       { return []string{t.Part} }
func (d streamDone) Keys() []string { return append([]string{d.Part}, sim.KeysOf(d.Result)...) }
func (s streamed) Keys() []string   { return []string{s.Part, s.Event.Text} }
func (b behind) Keys() []string     { return []string{b.Part} }
func (p position) Keys() []string   { return []string{p.Part} }

func (s streamed) String() string {
	return fmt.Sprintf("event %s %s %d", s.Part, s.Event.Text, s.Event.Number)
}
func (b behind) String() string   { return fmt.Sprintf("behind %s %d", b.Part, b.First) }
func (p position) String() string { return fmt.Sprintf("%s %s %d", p.Kind(), p.Part, p.Next) }

func (e emission) call() sim.CallID   { return e.ID }
func (s subscribe) call() sim.CallID  { return s.ID }
func (t trim) call() sim.CallID       { return t.ID }
func (d streamDone) call() sim.CallID { return d.ID }

// Results.
type (
	numbered struct {
		Part, Text string
		Number     int64
	}
	following struct {
		Part string
		From int64
	}
	keeping struct {
		Part  string
		First int64
	}
	polled struct{ Seen []string }
)

func (numbered) Kind() string  { return "numbered" }
func (following) Kind() string { return "following" }
func (keeping) Kind() string   { return "kept" }
func (polled) Kind() string    { return "polled" }

func (n numbered) Keys() []string { return []string{n.Text} }
func (n numbered) String() string {
	return fmt.Sprintf("numbered %s %s %d", n.Part, n.Text, n.Number)
}
func (f following) String() string { return fmt.Sprintf("following %s from %d", f.Part, f.From) }
func (k keeping) String() string   { return fmt.Sprintf("kept %s from %d", k.Part, k.First) }
func (p polled) String() string {
	return strings.TrimSpace("polled " + strings.Join(p.Seen, ", "))
}

// Timers: resend of a leader, due of a consumer that waits for a while before it delivers.
type (
	resend struct{ Part string }
	due    struct {
		Part   string
		Number int64
	}
)

func (resend) Kind() string { return "resend" }
func (due) Kind() string    { return "due" }

func (r resend) Keys() []string { return []string{r.Part} }
func (d due) Keys() []string    { return []string{d.Part} }

func (e emit) begin(n *node, env *sim.Env, c sim.Call) {
	n.ask(env, n.leaderOf(e.Part), emission{c.ID, e.Part, e.Text, env.Now()})
}

func (e consume) begin(n *node, env *sim.Env, c sim.Call) {
	n.ask(env, n.leaderOf(e.Part), subscribe{c.ID, e.Part})
}

func (t trims) begin(n *node, env *sim.Env, c sim.Call) {
	n.ask(env, n.leaderOf(t.Part), trim{c.ID, t.Part, t.Age})
}

func (polls) begin(n *node, env *sim.Env, c sim.Call) {
	var seen []string
	for i := range n.streams.Subs {
		s := &n.streams.Subs[i]
		n.poll(env, s)
		seen = append(seen, strings.TrimSpace(s.Part+" "+texts(s.Seen)))
	}
	env.Return(c.ID, polled{seen})
}

// arrive appends an event, unless it has been: whoever is asked twice says twice the same.
func (e emission) arrive(n *node, env *sim.Env, from sim.NodeID) {
	p := n.streams.lead(e.Part)
	number := n.rules.stream.known(p, e.ID)
	if number == 0 {
		n.rules.stream.early(n, env, e, from)
		n.append(env, p, e, from)
		number = p.Next - 1
	}
	told := n.rules.stream.told(p, number)
	n.send(env, from, streamDone{e.ID, e.Part, numbered{e.Part, e.Text, told}})
	n.feed(env, p)
}

// arrive takes in a consumer, which is to have all that is kept.
func (s subscribe) arrive(n *node, env *sim.Env, from sim.NodeID) {
	p := n.streams.lead(s.Part)
	if p.follower(from) == nil {
		f := followed{s.Part, from, p.First}
		p.follow(f)
		n.rules.stream.remember(env, f)
		env.Note(f)
	}
	n.send(env, from, streamDone{s.ID, s.Part, following{s.Part, p.follower(from).From}})
	n.feed(env, p)
}

func (t trim) arrive(n *node, env *sim.Env, from sim.NodeID) {
	p := n.streams.lead(t.Part)
	done := n.trim(env, p, t)
	n.send(env, from, streamDone{t.ID, t.Part, keeping{t.Part, done.To + 1}})
}

// arrive answers the client. A consumer hears here from where on it is one.
func (d streamDone) arrive(n *node, env *sim.Env, _ sim.NodeID) {
	if f, ok := d.Result.(following); ok {
		n.begins(env, consumes(f))
	}
	n.answer(env, d.ID, d.Result)
}

// arrive hears what a consumer has. One that asks is believed whatever it says; one that does not
// may have said it long ago.
func (p position) arrive(n *node, env *sim.Env, from sim.NodeID) {
	led := n.streams.lead(p.Part)
	f := led.follower(from)
	switch {
	case f == nil:
		return
	case p.Asks:
		f.Next, f.Beyond, f.Sent, f.Rounds = p.Next, p.Beyond, p.Next-1, 0
	case p.Next > f.Next || len(p.Beyond) > len(f.Beyond):
		f.Next, f.Beyond, f.Rounds = max(f.Next, p.Next), p.Beyond, 0
		f.Sent = max(f.Sent, f.Next-1)
	}
	n.feed(env, led)
}
