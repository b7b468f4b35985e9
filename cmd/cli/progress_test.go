package cli_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/downset/downset/cmd/cli"
)

// TestAClockTellsWhatIsUnderWayUnlessABarDoes makes the ticks itself. A tick is taken only when the
// clock has written, or left out, what stands before it, so how often it writes is no matter of time.
func TestAClockTellsWhatIsUnderWayUnlessABarDoes(t *testing.T) {
	const emptied, ticks = "\r\x1b[K", 3
	for _, c := range []struct {
		name   string
		barred bool
		want   int // how often the label is written: at once, and at each tick
	}{
		{"no bar has the line", false, 1 + ticks},
		{"a bar has the line", true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			var taken atomic.Bool
			taken.Store(c.barred)
			tick := make(chan time.Time)
			stop := cli.Ticking(&out, "writing x.md", tick, &taken)
			for range ticks {
				tick <- time.Time{}
			}
			stop()
			lines, ends := strings.CutSuffix(out.String(), emptied)
			if !ends {
				t.Errorf("the clock writes %q, want its line empty in the end", out.String())
			}
			written := strings.Split(lines, emptied)[1:]
			if len(written) != c.want {
				t.Errorf("the clock writes %q, want its label %d times", out.String(), c.want)
			}
			for _, line := range written {
				passed, labelled := strings.CutPrefix(line, "writing x.md, ")
				if _, err := time.ParseDuration(passed); !labelled || err != nil {
					t.Errorf("the clock writes %q, want its label and the time passed", line)
				}
			}
		})
	}
}
