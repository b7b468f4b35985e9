package scenarios_test

import (
	"flag"
	"os"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
)

var _ = flag.Bool("update", false, "rewrite the claims' values and the stored traces of the stories")

func TestEveryStoryComesOutAsItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector; the command's tests play some of them")
	}
	scenarios.TestAll(t, model.Lookup, os.DirFS("."))
}
