package main

import (
	"flag"
	"os"
	"testing"

	"github.com/downset/downset/scenarios"
)

var _ = flag.Bool("update", false, "rewrite the claims' values and the stored traces of the stories")

func TestStories(t *testing.T) {
	scenarios.Test(t, withMutants(), os.DirFS("stories"))
}
