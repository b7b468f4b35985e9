package clocks_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/scenarios"
)

func TestARequestNamesNodesThatAreThere(t *testing.T) {
	for _, line := range []string{"say NODE hello", "put x 1 at NODE", "get x at NODE",
		"grow c 1 at NODE", "inc c 1 at NODE", "add s e at NODE", "set r v at NODE",
		"value g-counter c at NODE", "lease at NODE", "act at NODE", "measure NODE"} {
		for _, c := range []struct{ node, want string }{
			{"B", ""},
			{"Zorro", `story.txt:6: no node called "Zorro"; have A B`},
		} {
			if got := checked(line, c.node); got != c.want {
				t.Errorf("%q with node %s says %q, want %q", line, c.node, got, c.want)
			}
		}
	}
}

// checked is what is wrong with a story of one request, in which a node is named.
func checked(line, node string) string {
	line = strings.ReplaceAll(line, "NODE", node)
	s, err := scenarios.Parse("story.txt", []byte("-- scenario --\nmodel clocks\nnodes A B\n\n"+
		"-- script --\nA "+line+"\n\n-- expect --\ndotted holds\n"))
	if err == nil {
		err = s.Check(clocks.Protocol)
	}
	if err == nil {
		return ""
	}
	return err.Error()
}
