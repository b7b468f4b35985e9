package clocks

import (
	"fmt"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// Streams of events. A partition is a log that one node leads: whoever is asked to emit an event
// hands it to the leader, which gives it the next number, has it on its disk, and sends it to every
// consumer, by datagrams that are lost, copied and overtaken, until the consumer says that it has
// it. A consumer gives the application the events by their numbers; numbers are the order, stamps
// are for display, and for how long an event is kept.
//
//	A  --o emit p a------------------o emit p c------   A's clock is slow: stamp 3ms
//	      \                           \
//	P  ----o-1---------------o-2-------o-3-----------   the leader of p numbers a, b, c
//	        \               / \         \
//	B  ------o-a----o emit p b-o-b-------o-c---------   B has seen a, stamp 9ms

// streams are the partitions that this node leads, and what it consumes, each in the order in which
// they were first heard of.
type streams struct {
	Led  []partition
	Subs []subscription
}

// partition is one that this node leads.
type partition struct {
	Part      string
	Log       []streamEvent // what is kept, by number
	Next      int64         // the next number
	First     int64         // no event below is kept
	Taken     []entered     // what has been appended, and what was said of it
	Trims     []trimmed     // what has been dropped, by request
	Consumers []follower
	Resends   bool // a timer is set to send again
}

// streamEvent is an event of a partition. At is its producer's clock when it was asked for it, Kept
// the leader's when it appended it.
type streamEvent struct {
	ID     sim.CallID
	Number int64
	Text   string
	From   sim.NodeID
	At     sim.Time
	Kept   sim.Time
}

// entered says that the event of a call has a number.
type entered struct {
	ID     sim.CallID
	Number int64
}

// follower is a consumer as the leader knows it: it is to have all from From on, has all below Next
// and those of Beyond, and was sent all up to Sent. Rounds counts how often it was sent the same
// without an answer.
type follower struct {
	Node   sim.NodeID
	From   int64
	Next   int64
	Beyond []int64
	Sent   int64
	Rounds int
}

const (
	// ahead of what a consumer says it has, a leader sends so many events
	streamWindow = 64
	// how long a leader waits before it sends again what nobody has said to have
	streamRetry = 25 * time.Millisecond
	// how often it does before it waits to be asked
	streamRounds = 8
)

// What a leader and a consumer have on their disks, and say as facts.
type (
	// appended: the event is in the log of the partition.
	appended struct {
		Part  string
		Event streamEvent
	}
	// followed: the leader of the partition has a consumer, which is to have all from From on.
	followed struct {
		Part string
		Node sim.NodeID
		From int64
	}
	// trimmed: events were dropped, by the request ID: those from From to To, since they are older
	// than Age by the clock of the leader. To is From-1 if there were none.
	trimmed struct {
		Part     string
		ID       sim.CallID
		Age      time.Duration
		From, To int64
	}
)

// onDisk is a fact: after a start the record is on the disk. It may be there and never have been
// spoken of, for a crash may keep what was written and not synced.
type onDisk struct{ Record sim.Record }

func (onDisk) Kind() string     { return "on-disk" }
func (o onDisk) String() string { return "on disk: " + sim.Text(o.Record) }
func (o onDisk) Keys() []string {
	return append([]string{o.Record.Kind()}, sim.KeysOf(o.Record)...)
}

func (appended) Kind() string { return "appended" }
func (followed) Kind() string { return "followed" }
func (trimmed) Kind() string  { return "trimmed" }

func (a appended) Keys() []string { return []string{a.Part, a.Event.Text} }
func (f followed) Keys() []string { return []string{f.Part} }
func (t trimmed) Keys() []string  { return []string{t.Part} }

func (a appended) String() string {
	return fmt.Sprintf("appended %s %s as %d", a.Part, a.Event.Text, a.Event.Number)
}
func (f followed) String() string { return fmt.Sprintf("followed %s from %d", f.Part, f.From) }
func (t trimmed) String() string {
	if t.To < t.From {
		return fmt.Sprintf("trimmed %s of nothing", t.Part)
	}
	return fmt.Sprintf("trimmed %s of %d to %d", t.Part, t.From, t.To)
}

// leaderOf is who leads a partition: the letters of its name add up to a number, and that says
// which of the founders.
func (n *node) leaderOf(part string) sim.NodeID {
	sum := 0
	for i := range len(part) {
		sum += int(part[i])
	}
	return n.founders[sum%len(n.founders)]
}

// start makes partitions and subscriptions of what is on the disk, sends on, and asks for what has
// been missed.
func (s *streams) start(n *node, env *sim.Env) {
	for lsn := env.Disk.First(); lsn <= env.Disk.Last(); lsn++ {
		record := env.Disk.At(lsn)
		switch r := record.(type) {
		case appended:
			n.rules.stream.reappend(s.lead(r.Part), r.Event)
		case followed:
			s.lead(r.Part).follow(r)
		case trimmed:
			s.lead(r.Part).drop(r)
		case consumes:
			s.subscribe(r)
		case delivered:
			s.sub(r.Part).pass(r.Event)
		case skipped:
			s.sub(r.Part).skip(r)
		default:
			continue
		}
		env.Note(onDisk{record})
	}
	n.rules.stream.restarted(s)
	for i := range s.Led {
		n.feed(env, &s.Led[i])
	}
	for i := range s.Subs {
		n.poll(env, &s.Subs[i])
	}
}

// lead is the partition called so, which this node leads.
func (s *streams) lead(part string) *partition {
	for i := range s.Led {
		if s.Led[i].Part == part {
			return &s.Led[i]
		}
	}
	s.Led = append(s.Led, partition{Part: part, Next: 1, First: 1})
	return &s.Led[len(s.Led)-1]
}

// add appends an event that has a number.
func (p *partition) add(e streamEvent) {
	p.Log = append(p.Log, e)
	p.Next = e.Number + 1
	p.Taken = append(p.Taken, entered{e.ID, e.Number})
}

// number is the number of the event of a call, 0 if it has none yet.
func (p *partition) number(id sim.CallID) int64 {
	for _, t := range p.Taken {
		if t.ID == id {
			return t.Number
		}
	}
	return 0
}

// follow takes in a consumer.
func (p *partition) follow(f followed) {
	if p.follower(f.Node) == nil {
		p.Consumers = append(p.Consumers, follower{Node: f.Node, From: f.From, Next: f.From,
			Sent: f.From - 1})
	}
}

// follower is a consumer of the partition, nil if it is none.
func (p *partition) follower(id sim.NodeID) *follower {
	for i := range p.Consumers {
		if p.Consumers[i].Node == id {
			return &p.Consumers[i]
		}
	}
	return nil
}

// drop takes off the log what a trim says.
func (p *partition) drop(t trimmed) {
	p.Trims = append(p.Trims, t)
	for len(p.Log) > 0 && p.Log[0].Number <= t.To {
		p.Log = p.Log[1:len(p.Log):len(p.Log)]
	}
	p.First = max(p.First, t.To+1)
}

// append gives an event the next number, and has it on the disk before anybody hears of it.
func (n *node) append(env *sim.Env, p *partition, e emission, from sim.NodeID) {
	event := streamEvent{ID: e.ID, Number: n.rules.stream.number(p, from), Text: e.Text, From: from,
		At: e.At, Kept: env.Now()}
	p.add(event)
	for i := range p.Consumers {
		p.Consumers[i].Rounds = 0
	}
	env.Disk.Append(appended{p.Part, event})
	env.Disk.Sync()
	env.Note(appended{p.Part, event})
}

// cutoff is how many events from the first on are older than age by the leader's clock: as many as
// are older one after the other, so that what is kept has no holes.
func (p *partition) cutoff(env *sim.Env, r *streamRules, age time.Duration) int {
	old := 0
	for old < len(p.Log) && env.Now().Sub(r.dated(p.Log[old])) > age {
		old++
	}
	return old
}

// trim drops what is older than age.
func (n *node) trim(env *sim.Env, p *partition, t trim) trimmed {
	for _, done := range p.Trims {
		if done.ID == t.ID {
			return done
		}
	}
	old := p.cutoff(env, &n.rules.stream, t.Age)
	done := trimmed{Part: p.Part, ID: t.ID, Age: t.Age, From: p.First, To: p.First - 1}
	if old > 0 {
		done.To = p.Log[old-1].Number
	}
	p.drop(done)
	n.rules.stream.dropped(p)
	env.Disk.Append(done)
	env.Disk.Sync()
	env.Note(done)
	return done
}

// feed sends every consumer what it has not been sent and is next, and sees to it that it is sent
// again.
func (n *node) feed(env *sim.Env, p *partition) {
	waits := false
	for i := range p.Consumers {
		f := &p.Consumers[i]
		n.feedOne(env, p, f)
		waits = waits || f.waits(p)
	}
	switch {
	case waits && !p.Resends:
		env.After(streamRetry, resend{p.Part})
	case !waits && p.Resends:
		env.Cancel(resend{p.Part})
	}
	p.Resends = waits
}

// waits says that a consumer lacks something and is still sent it.
func (f *follower) waits(p *partition) bool { return f.Next < p.Next && f.Rounds < streamRounds }

// feedOne sends one consumer what it has not been sent. One that wants what is no longer kept is
// told so.
func (n *node) feedOne(env *sim.Env, p *partition, f *follower) {
	if f.Rounds >= streamRounds {
		return
	}
	if f.Next < p.First && n.rules.stream.tellsBehind() {
		if f.Sent < p.First-1 {
			n.send(env, f.Node, behind{p.Part, p.First})
			f.Sent = p.First - 1
		}
		return
	}
	for _, e := range p.Log {
		if e.Number > f.Sent && e.Number < f.Next+streamWindow {
			f.Sent = e.Number
			if !has(f.Beyond, e.Number) {
				n.send(env, f.Node, streamed{p.Part, e})
			}
		}
	}
}

// ring sends again what consumers have not said to have.
func (r resend) ring(n *node, env *sim.Env) {
	p := n.streams.lead(r.Part)
	p.Resends = false
	for i := range p.Consumers {
		if f := &p.Consumers[i]; f.waits(p) {
			f.Sent = f.Next - 1
			f.Rounds++
		}
	}
	n.feed(env, p)
}

func has(list []int64, n int64) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// texts are the words of events, for people.
func texts(list []streamEvent) string {
	var words []string
	for _, e := range list {
		words = append(words, e.Text)
	}
	return strings.Join(words, " ")
}
