package main_test

import (
	"strings"
	"testing"
)

// TestThePicturesOfTheDraftAreReadable draws what IEP-89 draws of two phases: the messages of the
// transaction, three nodes, one cut.
func TestThePicturesOfTheDraftAreReadable(t *testing.T) {
	t.Chdir("../..")
	for _, c := range []struct{ story, crosses string }{
		{"s04-finish-crosses", "NFQ T [no cut] is in a channel of cut c1"},
		{"s05-vote-crosses", "NPR T [no cut] is in a channel of cut c1"},
		{"s06-learns-by-finish", "NPR T [no cut] is in a channel of cut c1"},
	} {
		out, errs, code := run("draw", "--only", "NPQ,NPR,NFQ", "scenarios/ignite/"+c.story+".txt")
		var lanes []string
		for line := range strings.Lines(out) {
			if name, _, is := strings.Cut(line, " ──"); is {
				lanes = append(lanes, name)
			}
		}
		if code != 0 || errs != "" || strings.Join(lanes, " ") != "N P Q" || strings.Count(out, "\n") > 20 ||
			!strings.Contains(out, c.crosses) {
			t.Errorf("%s: exit %d, %q, lanes %q, want N P Q, at most 20 lines and %q:\n%s", c.story, code, errs,
				lanes, c.crosses, out)
		}
	}
}
