package search

import (
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

// spread calls f with every number below n, from so many jobs at a time. It says whether stop ended
// it early. A panic of f becomes one of spread, with a *Crash; with one job, f runs right here.
func spread(jobs, n int, stop <-chan struct{}, f func(job, i int)) (cut bool) {
	if jobs == 1 {
		for i := range n {
			if closed(stop) {
				return true
			}
			f(0, i)
		}
		return false
	}
	var next, cuts atomic.Int64
	var crash atomic.Pointer[Crash]
	var all sync.WaitGroup
	for job := range jobs {
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					crash.Store(&Crash{r, debug.Stack()})
				}
			}()
			for i := int(next.Add(1) - 1); i < n && crash.Load() == nil; i = int(next.Add(1) - 1) {
				if closed(stop) {
					cuts.Add(1)
					return
				}
				f(job, i)
			}
		})
	}
	all.Wait()
	if c := crash.Load(); c != nil {
		panic(c)
	}
	return cuts.Load() > 0
}

func closed(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// pick is the list if it is no longer than most, else so many of it in their order, chosen by seed.
func pick(all []Struck, most int, seed uint64) []Struck {
	if most = max(most, 0); len(all) <= most {
		return all
	}
	at := map[int]int{} // of a shuffled list: what stands elsewhere than at its own place
	place := func(i int) int {
		if v, moved := at[i]; moved {
			return v
		}
		return i
	}
	chosen := make([]int, most)
	for i := range chosen {
		d := drawer{seed}
		j := i + int(d.below(int64(len(all)-i), "sample", i))
		chosen[i] = place(j)
		at[j] = place(i)
	}
	slices.Sort(chosen)
	some := make([]Struck, most)
	for i, k := range chosen {
		some[i] = all[k]
	}
	return some
}
