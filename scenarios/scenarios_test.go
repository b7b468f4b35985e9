package scenarios_test

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
)

var _ = flag.Bool("update", false, "rewrite the claims' values and the stored traces of the stories")

// TestMain lets the collector rest: the tests play thousands of runs, of which nothing stays.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a fifth less time
	}
	os.Exit(m.Run())
}

func TestEveryStoryComesOutAsItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector; the command's tests play some of them")
	}
	scenarios.TestAll(t, model.Lookup, os.DirFS("."))
}
