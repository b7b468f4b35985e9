package model

import (
	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/model/commit"
	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/model/metastore"
	"github.com/downset/downset/model/raft"
	"github.com/downset/downset/model/register"
	"github.com/downset/downset/model/synchro"
	"github.com/downset/downset/sim"
)

// All is every protocol, in the order in which they are listed.
var All = []*sim.Protocol{
	cut.Protocol,
	register.Protocol,
	commit.Protocol,
	ignite.Protocol,
	synchro.Protocol,
	clocks.Protocol,
	raft.Protocol,
	metastore.Protocol,
}

// Lookup is the protocol called name, nil if there is none.
func Lookup(name string) *sim.Protocol {
	for _, p := range All {
		if p.Name == name {
			return p
		}
	}
	return nil
}
