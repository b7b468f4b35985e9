package cli_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/downset/downset/cmd/cli"
)

func TestAClockTellsWhatIsUnderWayUnlessABarDoes(t *testing.T) {
	for _, barred := range []bool{false, true} {
		var out strings.Builder
		var taken atomic.Bool
		taken.Store(barred)
		stop := cli.Ticking(&out, "writing x.md", time.Millisecond, &taken)
		time.Sleep(20 * time.Millisecond)
		stop()
		if got := strings.Contains(out.String(), "writing x.md, 0s"); got == barred {
			t.Errorf("with a bar (%v) the clock writes %q, want its label without a bar only", barred, out.String())
		}
		if !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("the clock ends with %q, want its line empty", out.String())
		}
	}
}
