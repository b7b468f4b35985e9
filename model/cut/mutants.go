package cut

import "github.com/downset/downset/sim"

// Mutants are wrong on purpose, to measure the checkers: each says what it spoils and which
// property must catch it. They spoil one answer of a policy, or tamper with a node at its door.
var sabotaged = []variant{
	{name: "apply-first", of: "signed", breaks: "consistent-cut",
		form: form{policy: byVersion{}},
		doc:  "applies a message, then looks at its version",
		wrap: func(n *node) sim.Machine { return applyFirst{n} }},
	{name: "deaf", of: "signed", breaks: "consistent-cut",
		form: form{policy: byVersion{}},
		doc:  "signs messages, but does not look at the version of those it gets",
		wrap: func(n *node) sim.Machine { return deaf{n} }},
	{name: "notify-unsigned", of: "signed", breaks: "consistent-cut",
		form: form{policy: notifyUnsigned{}},
		doc:  "signs every kind of message but notify"},
	{name: "answer-unsigned", of: "signed", breaks: "consistent-cut",
		form: form{policy: answerUnsigned{}},
		doc:  "signs every kind of message but the answers to ask"},
	{name: "signed-at-commit", of: "signed", breaks: "consistent-cut",
		form: form{policy: signedAtCommit{}},
		doc:  "signs a notification with the version of its commit, not of its sending"},
	{name: "restamped", of: "signed", breaks: "termination",
		form: form{policy: restamped{}},
		doc:  "a notification sent again tells the version of its sending, not of its commit"},
	{name: "ahead", of: "signed", breaks: "versions",
		form: form{policy: ahead{}},
		doc:  "signs notifications with the version after its own"},
	{name: "takes-later", of: "signed", breaks: "channel-state",
		form: form{policy: takesLater{}},
		doc:  "compares with <=: takes messages of after the cut for channel state"},
	{name: "takes-none", of: "signed", breaks: "channel-state",
		form: form{policy: takesNone{}},
		doc:  "records no channel state"},
	{name: "early", of: "signed", breaks: "completeness",
		form: form{policy: early{}},
		doc:  "completes a cut once it knows how many messages it lacks"},
	{name: "copies", of: "signed", breaks: "completeness",
		form: form{policy: byVersion{}},
		doc:  "counts a copy of a message as another message",
		wrap: func(n *node) sim.Machine { return copies{n} }},
	{name: "twice", of: "signed", breaks: "one-point",
		form: form{policy: byVersion{}},
		doc:  "a request draws a point that a message had drawn already",
		wrap: func(n *node) sim.Machine { return twice{n} }},
	{name: "differs", of: "signed", breaks: "one-point",
		form: form{policy: byVersion{}},
		doc:  "follows any version that differs (the letter of step 4), older ones too",
		wrap: func(n *node) sim.Machine { return differs{n} }},
	{name: "skips", of: "signed", breaks: "termination",
		form: form{policy: byVersion{}},
		doc:  "draws only the newest of several cuts that it learns of at once",
		wrap: func(n *node) sim.Machine { return skips{n} }},
	{name: "forgetful", of: "signed", breaks: "one-point",
		form: form{policy: byVersion{}},
		doc:  "begins with version 0 after a restart",
		wrap: func(n *node) sim.Machine { return forgetful{n} }},
	{name: "told-first", of: "signed", breaks: "durable",
		form: form{policy: byVersion{}},
		doc:  "notifies the others of a transaction before it is on the disk",
		wrap: func(n *node) sim.Machine { return toldFirst{n} }},
	{name: "newcomer", of: "signed", breaks: "completeness",
		form: form{policy: byVersion{}},
		doc:  "a node that joins acts at once, with version 0",
		wrap: func(n *node) sim.Machine { return newcomer(n) }},
	{name: "marker-late", of: "markers", breaks: "consistent-cut",
		form: form{policy: markerLate{}, streams: true},
		doc:  "sends its markers in a later step, not with the point",
		wrap: func(n *node) sim.Machine { return markerSender{n} }},
	{name: "marker-aside", of: "markers", breaks: "consistent-cut",
		form: form{policy: byMarker{}, streams: true},
		doc:  "puts a marker aside and takes up first what follows it",
		wrap: func(n *node) sim.Machine { return markerAside{n} }},
	{name: "mute", of: "markers", breaks: "completeness",
		form: form{policy: byMarker{}, streams: true},
		doc:  "says no transaction again on a channel that is up again",
		wrap: func(n *node) sim.Machine { return mute{n} }},
}

type applyFirst struct{ *node }

func (a applyFirst) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	s := m.(signed)
	a.apply(env, from, s.Message)
	a.learn(env, s.Version, s.Kind())
	a.settle(env)
}

type deaf struct{ *node }

func (d deaf) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	d.node.Receive(env, from, m.(signed).Message)
}

type notifyUnsigned struct{ byVersion }

func (p notifyUnsigned) stamp(n *node, m sim.Message) sim.Message {
	if _, ok := m.(notify); ok {
		return m
	}
	return p.byVersion.stamp(n, m)
}

type answerUnsigned struct{ byVersion }

func (p answerUnsigned) stamp(n *node, m sim.Message) sim.Message {
	if _, ok := m.(sent); ok {
		return m
	}
	return p.byVersion.stamp(n, m)
}

type signedAtCommit struct{ byVersion }

func (p signedAtCommit) stamp(n *node, m sim.Message) sim.Message {
	if t, ok := m.(notify); ok {
		return signed{t.Version, m}
	}
	return p.byVersion.stamp(n, m)
}

type restamped struct{ byVersion }

func (p restamped) stamp(n *node, m sim.Message) sim.Message {
	if t, ok := m.(notify); ok {
		m = notify{t.Tx, n.version}
	}
	return p.byVersion.stamp(n, m)
}

type ahead struct{ byVersion }

func (p ahead) stamp(n *node, m sim.Message) sim.Message {
	if _, ok := m.(notify); ok {
		return signed{n.version + 1, m}
	}
	return p.byVersion.stamp(n, m)
}

type takesLater struct{ byVersion }

func (takesLater) takes(cut, version int) bool { return version <= cut }

type takesNone struct{ byVersion }

func (takesNone) takes(int, int) bool { return false }

type early struct{ byVersion }

func (early) whole(_ *node, s *share, peer sim.NodeID) bool {
	_, told := s.Sent[peer]
	return told
}

type copies struct{ *node }

func (c copies) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if t, ok := m.(signed).Message.(notify); ok && c.heard(from, t.Tx) {
		c.came[from] = append(c.came[from], arrival(t))
	}
	c.node.Receive(env, from, m)
}

type twice struct{ *node }

func (t twice) Invoke(env *sim.Env, c sim.Call) {
	if d, ok := c.Op.(draw); ok && d.Cut == t.version {
		t.version--
	}
	t.node.Invoke(env, c)
}

type differs struct{ *node }

func (d differs) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if s := m.(signed); s.Version < d.version {
		d.version = s.Version
	}
	d.node.Receive(env, from, m)
}

type skips struct{ *node }

func (s skips) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	s.version = max(s.version, m.(signed).Version-1)
	s.node.Receive(env, from, m)
}

type forgetful struct{ *node }

func (f forgetful) Start(env *sim.Env) {
	f.node.Start(env)
	f.version, f.open = 0, nil
}

type toldFirst struct{ *node }

func (t toldFirst) Invoke(env *sim.Env, c sim.Call) {
	if op, ok := c.Op.(commit); ok && !t.known[op.Tx] && !t.guest.waits {
		to, _ := t.receivers(env, op.To)
		t.tell(env, committed{op.Tx, t.version, t.id, to})
	}
	t.node.Invoke(env, c)
}

func newcomer(n *node) *node {
	n.guest.waits = false
	return n
}

// markerLate leaves the markers to a step of its own, which markerSender takes.
type markerLate struct{ byMarker }

func (markerLate) spread(n *node, env *sim.Env) { env.Later(marker{n.version}) }

type markerSender struct{ *node }

func (s markerSender) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	if from == s.id {
		byMarker{}.spread(s.node, env)
		return
	}
	s.node.Receive(env, from, m)
}

type mute struct{ *node }

func (m mute) Notice(env *sim.Env, what sim.Notice) {
	if what.What == sim.Opened {
		own := m.own
		m.own = nil
		defer func() { m.own = own }()
	}
	m.node.Notice(env, what)
}

type markerAside struct{ *node }

// put is a marker from a peer that its receiver has put aside.
type put struct {
	From sim.NodeID
	marker
}

func (a markerAside) Receive(env *sim.Env, from sim.NodeID, m sim.Message) {
	switch m := m.(type) {
	case marker:
		env.Later(put{from, m})
	case put:
		a.node.Receive(env, m.From, m.marker)
	default:
		a.node.Receive(env, from, m)
	}
}
