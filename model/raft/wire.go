package raft

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/downset/downset/sim"
)

// wireCodec turns the commands of this state machine into bytes and back, as words: no word of a
// request has a blank in it, and none is empty but the value that a key is to have in a cas, for
// which "empty" stands, which is no value.
type wireCodec struct{}

// Encode is "put 7 2 0 x 1": the request, call, client and try, and the words of the request.
func (wireCodec) Encode(c Command) []byte {
	m, ok := c.(command)
	if !ok {
		panic(fmt.Sprintf("a command %T", c))
	}
	text := fmt.Sprintf("%s %d %d %d %s", m.Op.Kind(), m.Call, m.Client, m.Try,
		strings.Join(m.Keys(), " "))
	return []byte(text)
}

// Decode reads that.
func (wireCodec) Decode(text []byte) (Command, error) {
	words := strings.Split(string(text), " ")
	wrong := func() (Command, error) { return nil, fmt.Errorf("no command: %q", text) }
	if len(words) < 4 {
		return wrong()
	}
	var n [3]int64
	for i := range n {
		k, err := strconv.ParseInt(words[i+1], 10, 64)
		if err != nil {
			return wrong()
		}
		n[i] = k
	}
	op := decodeOp(words[0], words[4:])
	if op == nil {
		return wrong()
	}
	return command{sim.CallID(n[0]), sim.ClientID(n[1]), n[2], op}, nil
}

// decodeOp is a request that can be in a log, nil if the words are none.
func decodeOp(kind string, words []string) sim.Op {
	switch {
	case kind == "put" && len(words) == 2:
		return put{words[0], words[1]}
	case kind == "get" && len(words) == 2:
		return get{words[0], words[1]}
	case kind == "cas" && len(words) == 3:
		if words[1] == noValue {
			words[1] = ""
		}
		return cas{words[0], words[1], words[2]}
	}
	return nil
}
