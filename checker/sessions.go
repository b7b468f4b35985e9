package checker

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// Version is one version of what is kept under a key: the Number-th, from 1. Number 0 is that there
// was none.
type Version struct {
	Key    string
	Number int64
}

func (v Version) String() string {
	if v.Number == 0 {
		return "no version of " + v.Key
	}
	return fmt.Sprintf("version %d of %s", v.Number, v.Key)
}

// SessionModel reads sessions and versions from the history of a run, and gives the four session
// guarantees (Terry and others, 1994) as properties. Versions of one key are numbered in the order
// in which they came to be, and no two of them alike; different keys need not be related.
type SessionModel struct {
	// Session names the session of an operation; nil: each client is one. A client whose operation
	// ended unknown goes on under another number, and only the protocol knows whether as the same
	// session. The operations of one session follow each other.
	Session func(o Operation) string
	// Saw is the versions that an operation read, before any that it made; Made is those. They are
	// asked about operations that returned.
	Saw, Made func(op sim.Op, result sim.Body) []Version
	// Applied is the versions that a node took over at an entry (a fact, a record), all at once; nil
	// if that cannot be seen. What a node has applied once it has for good.
	Applied func(e sim.Entry) []Version
}

// Properties are the guarantees. Monotonic writes and writes-follow-reads are about the versions
// that clients see, and where Applied is given, about the order in which each node applies them.
func (m SessionModel) Properties() []sim.Property {
	return []sim.Property{
		m.property("read-your-writes", "a session reads its own writes, or later ones",
			(*sessions).readYourWrites),
		m.property("monotonic-reads", "a session never reads something older than it read before",
			(*sessions).monotonicReads),
		m.property("monotonic-writes", "everywhere, the writes of a session come in its order",
			(*sessions).monotonicWrites),
		m.property("writes-follow-reads",
			"everywhere, a session's writes come after what it had read before",
			(*sessions).writesFollowReads),
	}
}

func (m SessionModel) property(name, doc string, check func(*sessions)) sim.Property {
	return sim.Property{Name: name, Doc: doc, Class: sim.Silent,
		Check: func(run *sim.Run) (premises int, v *sim.Violation) {
			h, err := ReadHistory(run)
			if err != nil {
				panic(fmt.Errorf("checker: %w", err))
			}
			s := m.read(run, h)
			check(s)
			return s.premises, s.violation
		}}
}

// sessions is what a run says of sessions, and a check's result so far.
type sessions struct {
	run       *sim.Run
	list      [][]visit // by session, each in its order
	applies   func(e sim.Entry) []Version
	premises  int
	violation *sim.Violation
}

// visit is an operation that returned, with what it saw and what it made.
type visit struct {
	*Operation
	saw, made []Version
}

func (m SessionModel) read(run *sim.Run, h History) *sessions {
	s := &sessions{run: run, applies: m.Applied}
	number := map[string]int{}
	for i := range h {
		o := &h[i]
		if o.Fate != Returned {
			continue
		}
		name := fmt.Sprint(o.Client)
		if m.Session != nil {
			name = m.Session(*o)
		}
		at, known := number[name]
		if !known {
			at = len(s.list)
			number[name] = at
			s.list = append(s.list, nil)
		}
		if v := s.list[at]; len(v) > 0 && v[len(v)-1].Return > o.Call {
			panic(fmt.Sprintf("checker: calls %d and %d of session %s overlap", v[len(v)-1].ID,
				o.ID, name))
		}
		s.list[at] = append(s.list[at], visit{o, versions(m.Saw, o), versions(m.Made, o)})
	}
	return s
}

func versions(read func(sim.Op, sim.Body) []Version, o *Operation) []Version {
	if read == nil {
		return nil
	}
	return read(o.Op, o.Result)
}

// mark is a version that a session knows of a key, and the visit it has it from.
type mark struct {
	Version
	from *visit
}

// marks is the latest version a session knows of each key, in the order in which it met the keys.
type marks struct {
	list []mark
	at   map[string]int
}

func (k *marks) get(key string) (mark, bool) {
	i, known := k.at[key]
	if !known {
		return mark{}, false
	}
	return k.list[i], true
}

func (k *marks) raise(list []Version, from *visit) {
	if k.at == nil {
		k.at = map[string]int{}
	}
	for _, v := range list {
		i, known := k.at[v.Key]
		switch {
		case !known:
			k.at[v.Key] = len(k.list)
			k.list = append(k.list, mark{v, from})
		case k.list[i].Number < v.Number:
			k.list[i] = mark{v, from}
		}
	}
}

func (s *sessions) readYourWrites() {
	for _, visits := range s.list {
		var made marks
		for i := range visits {
			s.notBelow(&visits[i], visits[i].saw, &made, "had made")
			made.raise(visits[i].made, &visits[i])
		}
	}
}

func (s *sessions) monotonicReads() {
	for _, visits := range s.list {
		var saw marks
		for i := range visits {
			s.notBelow(&visits[i], visits[i].saw, &saw, "had read")
			saw.raise(visits[i].saw, &visits[i])
		}
	}
}

// notBelow wants versions that a visit read to be no older than the session knows.
func (s *sessions) notBelow(at *visit, saw []Version, known *marks, how string) {
	for _, v := range saw {
		m, ok := known.get(v.Key)
		if !ok {
			continue
		}
		s.premises++
		if v.Number < m.Number {
			s.condemn([]int{m.from.Return, at.Call, at.Return}, "%s read %v, but its session %s"+
				" version %d (call %d)", s.who(at), v, how, m.Number, m.from.ID)
		}
	}
}

func (s *sessions) monotonicWrites() {
	s.ordered(func(v *visit) []Version { return v.made }, nil, "had made")
}

func (s *sessions) writesFollowReads() {
	saw := func(v *visit) []Version { return v.saw }
	s.ordered(saw, saw, "had read")
}

// needs is what must come before a version that a visit made.
type needs struct {
	what  Version
	visit *visit
	marks []mark
}

// ordered wants what a session knows of before a visit (and what it learns at the beginning of the
// visit itself) to come before what the visit makes: in the versions, and on every node.
func (s *sessions) ordered(learns, first func(*visit) []Version, how string) {
	before := map[Version]needs{}
	for _, visits := range s.list {
		var known marks
		for i := range visits {
			v := &visits[i]
			if first != nil {
				known.raise(first(v), v)
			}
			s.above(v, &known, how)
			for _, made := range v.made {
				before[made] = needs{made, v, slices.Clone(known.list)}
			}
			known.raise(learns(v), v)
		}
	}
	if s.applies != nil {
		s.everywhere(before, how)
	}
}

// above wants versions that a visit made to be newer than the session knows.
func (s *sessions) above(at *visit, known *marks, how string) {
	for _, v := range at.made {
		m, ok := known.get(v.Key)
		if !ok {
			continue
		}
		s.premises++
		if v.Number <= m.Number {
			s.condemn([]int{m.from.Return, at.Call, at.Return}, "%s made %v, but its session %s"+
				" version %d (call %d)", s.who(at), v, how, m.Number, m.from.ID)
		}
	}
}

// everywhere wants each node to have applied what a version needs once it applies that.
func (s *sessions) everywhere(before map[Version]needs, how string) {
	has := make([]map[string]int64, len(s.run.Nodes)) // by node: the latest version of each key
	for i, e := range s.run.Trace {
		if int(e.Node) >= len(has) {
			continue
		}
		list := s.applies(e)
		if len(list) > 0 && has[e.Node] == nil {
			has[e.Node] = map[string]int64{}
		}
		for _, v := range list {
			has[e.Node][v.Key] = max(has[e.Node][v.Key], v.Number)
		}
		for _, v := range list {
			if need, ok := before[v]; ok {
				s.applied(i, need, has[e.Node], how)
			}
		}
	}
}

func (s *sessions) applied(entry int, need needs, has map[string]int64, how string) {
	for _, m := range need.marks {
		if m.Number == 0 {
			continue
		}
		s.premises++
		if has[m.Key] < m.Number {
			s.condemn([]int{m.from.Return, need.visit.Call, entry}, "%s applies %v without %v,"+
				" which the session of call %d %s (call %d)", s.run.Name(s.run.Trace[entry].Node),
				need.what, m.Version, need.visit.ID, how, m.from.ID)
		}
	}
}

// who is a visit in words.
func (s *sessions) who(v *visit) string {
	return fmt.Sprintf("%s (call %d)", sim.Text(v.Op), v.ID)
}

func (s *sessions) condemn(witness []int, format string, args ...any) {
	slices.Sort(witness)
	s.violation = count(s.violation, &sim.Violation{Reason: fmt.Sprintf(format, args...),
		Witness: slices.Compact(witness), Count: 1})
}
