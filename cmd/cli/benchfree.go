package cli

import (
	"runtime"
	"sync"
	"time"
)

// Benchmarks of many cores say little on a machine that does something else as well. So before and
// after them two loops run side by side that touch no memory: where two cores are free they do
// twice as much as one alone.
const (
	freeTurns   = 20_000_000
	freePercent = 180         // of one loop: what two must do for the machine to count as free
	freeWait    = time.Minute // in all
	freeTries   = 3           // so often benchmarks run, if the machine does not stay free

	// freePause lies between two looks at a machine that is not free. A look keeps two cores busy for
	// up to a fifth of a second there, so without a pause two who wait would each keep the machine
	// from being free for the other. With it they leave the machine alone for most of the time, and
	// begin half a second late at most.
	freePause = time.Second / 2
)

// isFree says that the machine has nothing else to do, as far as a few hundredths of a second show.
func isFree() bool {
	if runtime.GOMAXPROCS(0) < 2 {
		return true // there is nothing to compare with
	}
	one := sideBySide(1)
	return sideBySide(2)*freePercent <= 2*one*100
}

// sideBySide is how long so many loops take at once.
func sideBySide(loops int) time.Duration {
	var all sync.WaitGroup
	var sums [2 * 64]uint64 // each loop's in a cache line of its own
	start := time.Now()
	for i := range loops {
		all.Go(func() {
			x := uint64(88172645463325252)
			for range freeTurns {
				x = xorshift(x)
			}
			sums[i*64] = x
		})
	}
	all.Wait()
	return time.Since(start)
}

// patience is how long is still left to wait for the machine to be free.
type patience struct{ left time.Duration }

// runFree runs a benchmark once; one of many cores while the machine is free, or else as it is.
func (a *app) runFree(r benchRun, folder string, p *patience) (out output, err error) {
	if !r.wall {
		return a.runBench(r, folder)
	}
	for range freeTries {
		a.whenFree(p)
		start := time.Now()
		if out, err = a.runBench(r, folder); err != nil || isFree() {
			break
		}
		if p.left -= time.Since(start); p.left <= 0 {
			break
		}
	}
	return out, err
}

func (a *app) whenFree(p *patience) {
	start := time.Now()
	for p.left > time.Since(start) && !isFree() && !a.interrupted() {
		time.Sleep(freePause)
	}
	p.left -= time.Since(start)
}
