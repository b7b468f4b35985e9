package scenarios_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
)

func TestARequestSpeaksOfNodesThatAreThere(t *testing.T) {
	for _, c := range []struct{ name, model, setup, line, want string }{
		{"synchro expels nobody it does not know", "synchro", "", "P expel Z", `story.txt:8: no node called "Z"; have P Q R`},
		{"synchro expels a node", "synchro", "", "P expel Q", ""},
		{"synchro expels one that joins later", "synchro", "", "P expel R", ""},
		{"synchro settles no stranger's queue", "synchro", "", "P settle-queue Z confirm", `story.txt:8: no node called "Z"; have P Q R`},
		{"synchro settles a node's queue", "synchro", "", "P settle-queue Q rollback", ""},
		{"ignite has no stranger in a baseline", "ignite", "key x on P", "P baseline P Z Q", `story.txt:8: no node called "Z"; have P Q R`},
		{"ignite has nodes in a baseline", "ignite", "key x on P", "P baseline P Q", ""},
		{"commit has no stranger as participant", "commit", "", "P commit tx1 Z", `story.txt:8: no node called "Z"; have P Q R`},
		{"commit has participants", "commit", "", "P commit tx1 Q", ""},
		{"cut tells no stranger of a transaction", "cut", "", "P commit tx1 Z", `story.txt:8: no node called "Z"; have P Q R`},
		{"cut tells those who are there or will be", "cut", "", "P commit tx1 Q R", ""},
		{"a line for one variant alone is read as well", "synchro", "", "for P4: P expel Z", `story.txt:8: no node called "Z"; have P Q R`},
		{"a trigger's line is read as well", "synchro", "", "when P notes owns P expel Z", `story.txt:8: no node called "Z"; have P Q R`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := model.Lookup(c.model)
			first := p.VariantNames()[0]
			text := "-- scenario --\nmodel " + c.model + "\nnodes P Q\nlater R\nvariants " + first + "\n" + c.setup +
				"\n-- script --\n" + c.line + "\n-- expect --\n* holds\n"
			text = strings.Replace(text, "for P4", "for "+first, 1)
			s, err := scenarios.Parse("story.txt", []byte(text))
			if err == nil {
				err = s.Check(p)
			}
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%q says %q, want %q", c.line, got, c.want)
			}
		})
	}
}
