package synchro

import "testing"

func TestScratchM32(t *testing.T) {
	c := streamWrongs()[2]
	p := withRules("P4", nil, c.change)
	run := storyOf(t, p, "changed", c.set, c.script)
	for _, n := range []string{"A","B","C","D"} { t.Log(n, sees(run, n, "wal")); t.Log(sees(run, n, "stopped B"), sees(run, n, "stopped D"), sees(run,n,"owner")) }
	for _, s := range run.Stale { t.Log(s) }
	t.Log(c.name)
}
