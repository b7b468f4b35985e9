package results_test

import (
	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

const restoresIntro = `# Restores of random runs

The variant fixed of ignite is run as a sweep runs it: drawn nodes, workload and delays, crashes,
slow disks, pauses, clocks and late timers. Of each cut that succeeded the whole log of each
baseline node is restored, and compared with a model: the transactions that are before the cut by
the closed form 1.13, which looks at no marks and no sets, applied in the order of the counters.
Of transactions that recovery finished 1.13 says nothing; those are taken as the marks have them.
A key is not compared on a node that had failed to write it. The cut is restored compacted, striped
and indexed as well, and put together from the cut before and its own increment.

Then all logs are cut off as crashes would leave them, three times: each at any record, each about
the marks of the cut, each after its FINISH; half of them end in a torn record. A log that is cut
off restores the same as the whole one or refuses, in all ways alike. A cut that failed must be
refused, whatever is left of the logs: by a node whose log lacks it, or because no log says that it
succeeded.

`

// restorePage tries the restores of the first so many random runs.
func restorePage(n int) (text string, disagreements int, err error) {
	v, err := ignite.Protocol.Variant("fixed")
	if err != nil {
		return "", 0, err
	}
	var all ignite.Trials
	w := new(sim.World)
	for seed := range uint64(n) {
		run, err := w.Execute(search.Random(ignite.Protocol, v, seed+1, search.Mix), sim.Options{})
		if err != nil {
			return "", 0, err
		}
		all.Add(run)
	}
	return restoresIntro + all.Table(), all.Disagreements, nil
}
