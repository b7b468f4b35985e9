package clocks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// What only makes events: tick is something that a node does for itself, say a message to another.
// Each node has the words that it has said and heard in the total order of Lamport's stamps, as a
// replica would have commands that commute with nothing.
type (
	say  struct{ To, Word string }
	tick struct{}
)

func (say) Kind() string     { return "say" }
func (tick) Kind() string    { return "tick" }
func (s say) Keys() []string { return []string{s.Word} }

func (s say) String() string { return "say " + s.To + " " + s.Word }

// spoken is the message of a word.
type spoken struct{ Word string }

func (spoken) Kind() string     { return "said" }
func (s spoken) Keys() []string { return []string{s.Word} }

func (s spoken) String() string { return "said " + s.Word }

// saying is a word and the stamp of its sending.
type saying struct {
	Word string
	At   Lamport
}

// stampedAt is the answer to both: the stamp that the request has led to.
type stampedAt struct{ Stamp Stamp }

func (stampedAt) Kind() string     { return "at" }
func (t stampedAt) String() string { return "at " + t.Stamp.String() }

// ordered says that a node now has its words in this order, the new one among them.
type ordered struct {
	New   saying
	Words []saying
}

func (ordered) Kind() string     { return "order" }
func (o ordered) Keys() []string { return []string{o.New.Word} }

func (o ordered) String() string { return "order " + wordsOf(o.Words) }

// wordsOf is the words of sayings, in their order.
func wordsOf(list []saying) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = s.Word
	}
	return strings.Join(words, " ")
}

// stampOps are the requests that only make events.
func stampOps() []opForm {
	return []opForm{
		{"say", "NODE WORD", func(w []string, _ string) (sim.Op, error) {
			return say{w[0], w[1]}, nil
		}},
		{"tick", "", func([]string, string) (sim.Op, error) { return tick{}, nil }},
	}
}

// begin sends the word. The client is told at once, whether or not it arrives.
func (s say) begin(n *node, env *sim.Env, c sim.Call) {
	to, ok := n.find(env, c.ID, s.To)
	if !ok {
		return
	}
	n.send(env, to, spoken{s.Word})
	n.order(env, saying{s.Word, n.clocks.Last.Lamport})
	env.Return(c.ID, stampedAt{n.clocks.Last})
}

// begin is the event that a request is anyway.
func (tick) begin(n *node, env *sim.Env, c sim.Call) { env.Return(c.ID, stampedAt{n.clocks.Last}) }

// arrive takes up a word.
func (s spoken) arrive(n *node, env *sim.Env, _ sim.NodeID) {
	n.order(env, saying{s.Word, n.clocks.Got.Lamport})
}

// order puts a word in its place, unless the network has copied it.
func (n *node) order(env *sim.Env, s saying) {
	words := n.clocks.Words
	if slices.Contains(words, s) {
		return
	}
	at := slices.IndexFunc(words, func(o saying) bool { return n.rules.stamp.sooner(s.At, o.At) })
	if at < 0 {
		at = len(words)
	}
	n.clocks.Words = slices.Insert(slices.Clone(words), at, s)
	env.Note(ordered{s, n.clocks.Words})
}

// String is the word, the count and the node.
func (s saying) String() string { return fmt.Sprintf("%s %v@%d", s.Word, s.At, s.At.Node) }
