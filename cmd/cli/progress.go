package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/downset/downset/sim/search"
)

// bar is a line that shows how far a sweep is; nil if nobody is looking.
type bar struct {
	out   io.Writer
	label string
	total int
	start time.Time
	limit time.Duration // 0: the seeds are the measure
	drawn *atomic.Bool  // whether a bar has the line
}

// barWidth is the length of the bar proper.
const barWidth = 30

// progress is a bar on standard error, if that is a terminal.
func (a *app) progress(label string, total int) *bar {
	if !terminal(a.err) {
		return nil
	}
	a.barred.Store(true)
	return &bar{out: a.err, label: label, total: total, start: time.Now(), drawn: &a.barred}
}

// clock shows on standard error, if that is a terminal, for how long something has been under way,
// while no bar is there, until what it gives is called.
func (a *app) clock(label string) (stop func()) {
	if !terminal(a.err) {
		return func() {}
	}
	out, end := a.out, ticking(a.err, label, time.Tick(time.Second), &a.barred)
	a.out = wiping{out, a.err}
	return func() {
		end()
		a.out = out
	}
}

// wiping writes where a clock may stand on the line, which goes first.
type wiping struct{ out, err io.Writer }

func (w wiping) Write(text []byte) (int, error) {
	fmt.Fprint(w.err, wipe)
	return w.out.Write(text)
}

// wipe empties a terminal's line.
const wipe = "\r\x1b[K"

// ticking writes a label and the time passed, at once and at each tick, but while another has the
// line.
func ticking(w io.Writer, label string, ticks <-chan time.Time, taken *atomic.Bool) (stop func()) {
	start, end, ended := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			if !taken.Load() {
				fmt.Fprintf(w, "%s%s, %s", wipe, label, time.Since(start).Round(time.Second))
			}
			select {
			case <-end:
				fmt.Fprint(w, wipe)
				return
			case <-ticks:
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// terminal says that someone reads w as it is written.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// within makes time the measure, if there is a limit.
func (b *bar) within(limit time.Duration) {
	if b != nil {
		b.limit = limit
	}
}

// show draws the bar anew.
func (b *bar) show(s search.Summary) {
	if b == nil {
		return
	}
	rate, part := "", filled(int64(s.Seeds), int64(b.total))
	passed := time.Since(b.start)
	if b.limit > 0 {
		part = filled(int64(passed), int64(b.limit))
	}
	if passed > time.Second {
		rate = fmt.Sprintf(", %d a second", int64(s.Seeds)*int64(time.Second)/int64(passed))
	}
	fmt.Fprintf(b.out, "\r\x1b[K%s %s %d seeds, %d fail%s", b.label, part, s.Seeds,
		s.Failing, rate)
}

// filled is "[#####.....]".
func filled(done, total int64) string {
	n := 0
	if total > 0 {
		n = int(min(barWidth, done/max(1, total/barWidth)))
	}
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", barWidth-n) + "]"
}

// clear takes the bar away.
func (b *bar) clear() {
	if b != nil {
		b.drawn.Store(false)
		fmt.Fprint(b.out, wipe)
	}
}
