package main_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/sim"
)

// spoilt is the protocol of coins with a mutant whose coins fall wrong up to a greater number.
func spoilt(wrong, mutant int) []*sim.Protocol {
	coins := coin(wrong)
	p := coins[0]
	v := p.Variants[0]
	v.Name, v.Of, v.Breaks = "loaded", "plain", "heads"
	p.Variants = append(p.Variants, v)
	right, loaded := p.Properties[0].Check, coin(mutant)[0].Properties[0].Check
	p.Properties[0].Check = func(run *sim.Run) (int, *sim.Violation) {
		if run.Plan.Variant.Name == "loaded" {
			return loaded(run)
		}
		return right(run)
	}
	return coins
}

// TestASweepPassesOverSeedsThatTheRightVariantBreaksToo sweeps a mutant of coins that fall wrong
// under some seeds anyhow.
func TestASweepPassesOverSeedsThatTheRightVariantBreaksToo(t *testing.T) {
	for _, c := range []struct {
		wrong, mutant int
		code          int
		want          []string
	}{
		{3, 5, 0, []string{"4 fail; caught, as expected",
			"breaks heads 3 from seed 1 on not kept: plain breaks there too", "breaks heads 1 from seed 4 on "}},
		{5, 5, 1, []string{"5 fail; NOT CAUGHT, want heads broken",
			"breaks heads 5 from seed 1 on not kept: plain breaks there too"}},
		{0, 5, 0, []string{"1 fails; caught, as expected", "breaks heads 1 from seed 1 on "}},
	} {
		t.Run(fmt.Sprint(c.wrong, " of ", c.mutant), func(t *testing.T) {
			t.Chdir(t.TempDir())
			var out, stderr bytes.Buffer
			code := cli.Main(spoilt(c.wrong, c.mutant),
				[]string{"sweep", "--seeds", "20", "--variant", "loaded", "coin"}, &out, &stderr)
			got := strings.Join(strings.Fields(out.String()), " ")
			for _, want := range c.want {
				if code != c.code || !strings.Contains(got, want) {
					t.Errorf("exits with %d, want %d and %q in\n%s%s", code, c.code, want, out.String(),
						stderr.String())
				}
			}
		})
	}
}
