package raft

import "time"

// The times of both engines, by a node's own clock. One follower's patience is between election
// and twice that: election, and a part that is drawn. Where nothing is drawn (still time), nodes
// differ by a twentieth of it, in the order of their names, so that one of them is first.
const (
	tick      = 10 * time.Millisecond
	heartbeat = 2 * tick
	election  = 10 * tick
)
