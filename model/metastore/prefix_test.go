package metastore_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/model/metastore"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// What holds of a run holds of how far it had come at any time, but for claims about the end: judges
// must not take what has not happened yet for what never does.
func TestEveryBeginningOfARunHolds(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 3
	}
	for _, v := range metastore.Protocol.Variants[:2] {
		for seed := uint64(301); seed < 301+seeds; seed++ {
			run, err := sim.Execute(search.Random(metastore.Protocol, v, seed, search.Mix))
			if err != nil {
				t.Fatal(err)
			}
			for end := 1; end < len(run.Trace); end += 1 + len(run.Trace)/25 {
				part := *run
				part.Trace, part.Memo, part.End, part.Why = run.Trace[:end], nil, sim.Halted, "cut"
				part.Epilogue = min(run.Epilogue, end)
				for _, f := range checker.Judge(&part, metastore.Protocol.Properties).Findings {
					if f.Violation != nil {
						t.Fatalf("%s, seed %d, up to entry %d: %s: %s", v.Name, seed, end, f.Property.Name,
							f.Violation.Reason)
					}
					if f.Undecided != "" && f.Property.Scope != sim.ScopeEnd {
						t.Fatalf("%s, seed %d, up to entry %d: %s: %s", v.Name, seed, end, f.Property.Name,
							f.Undecided)
					}
				}
			}
		}
	}
}
