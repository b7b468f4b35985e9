package pages

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/downset/downset/model/clocks"
	"github.com/downset/downset/sim"
)

// sizes is the table of how large a version vector grows by writers that take turns.
func sizes() string {
	var b strings.Builder
	b.WriteString("\n## Size of version vectors against writers\n\n" +
		"| writers | not pruned | limit 10 | limit 3 |\n|---:|---:|---:|---:|\n")
	for _, writers := range []int{1, 2, 5, 10, 20, 50, 100, 200} {
		fmt.Fprintf(&b, "| %d |", writers)
		for _, limit := range []int{1 << 20, 10, 3} {
			var v clocks.VersionVector
			for k := range 10 * writers {
				v = v.Bump(actor(k%writers), sim.Time(k)*1_000_000).Prune(limit)
			}
			fmt.Fprintf(&b, " %d |", v.Size())
		}
		b.WriteString("\n")
	}
	return b.String()
}

func actor(k int) string { return "W" + strconv.Itoa(k+1) }

// falseConflicts is the table of how often a version, whose writer had seen the one before, looks
// concurrent to it, since its vector was pruned.
func falseConflicts() string {
	var b strings.Builder
	b.WriteString("\n## False conflicts against the limit\n\n" +
		"| limit | 5 writers | 10 writers | 20 writers | 20, predicted " +
		"|\n|---:|---:|---:|---:|---:|\n")
	for _, limit := range []int{1, 2, 3, 5, 8, 10, 15, 20} {
		fmt.Fprintf(&b, "| %d |", limit)
		for _, writers := range []int{5, 10, 20} {
			fmt.Fprintf(&b, " %s |", percent(concurrentToLast(writers, limit)))
		}
		fmt.Fprintf(&b, " %s |\n", percent(max(0, 20-limit), 20))
	}
	return b.String()
}

// concurrentToLast lets writers that are drawn one after the other write what they have just read,
// and counts the writes that look concurrent to what they read. A writer's count is durable: it
// goes on where it was, pruned or not.
func concurrentToLast(writers, limit int) (conflicts, writes int) {
	draw := rand.New(rand.NewPCG(7, uint64(writers*100+limit)))
	counts := make([]int64, writers)
	var v clocks.VersionVector
	for k := range 50_000 {
		w := draw.IntN(writers)
		counts[w]++
		next := v.Set(actor(w), counts[w], sim.Time(k)).Prune(limit)
		if v.Compare(next) != clocks.Before && len(v) > 0 {
			conflicts++
		}
		v, writes = next, writes+1
	}
	return conflicts, writes
}

// silentLoss is the table of what two replicas make of each other's versions, by where the count of
// a writer comes from and whether both replicas serve the same writers.
func silentLoss() string {
	var b strings.Builder
	b.WriteString("\n## Silent loss: where the count comes from\n\n" +
		"| writers | limit | a writer's count | compared | false conflicts | false descents |\n" +
		"|---:|---:|---|---:|---:|---:|\n")
	for _, writers := range []int{6, 20} {
		for _, limit := range []int{3, 10} {
			for _, from := range sources {
				c, d, n := twoBranches(writers, limit, from)
				fmt.Fprintf(&b, "| %d | %d | %s | %d | %s | %s |\n", writers, limit, from, n,
					percent(c, n), percent(d, n))
			}
		}
	}
	return b.String()
}

// source is where the count of a writer comes from.
type source string

// The sources. In the last of them the same writer counts on both replicas.
const (
	durableCount source = "on the disk of its replica"
	vectorCount  source = "from the pruned vector"
	sharedCount  source = "from the pruned vector, on both replicas"
)

var sources = []source{durableCount, vectorCount, sharedCount}

// branch is a version on one of two replicas.
type branch struct {
	vector clocks.VersionVector
	own    int // how many writes it has taken up since both were one
}

// twoBranches lets two replicas take writes, compares their versions after each, and now and then
// merges them. It counts comparisons that see a conflict where one had seen the other, and those
// that see a descent where neither had.
func twoBranches(writers, limit int, from source) (conflicts, descents, compared int) {
	draw := rand.New(rand.NewPCG(11, uint64(writers*100+limit)))
	counts := make([]int64, writers)
	var at [2]branch
	for k := 1; k <= 20_000; k++ {
		replica, w := draw.IntN(2), draw.IntN(writers/2)
		if from != sharedCount {
			w = 2*w + replica
		}
		b := &at[replica]
		counts[w]++
		if from != durableCount {
			counts[w] = b.vector.Get(actor(w)) + 1
		}
		b.vector = b.vector.Set(actor(w), counts[w], sim.Time(k)).Prune(limit)
		b.own++
		is, says := truth(at[0], at[1]), at[0].vector.Compare(at[1].vector)
		compared++
		switch {
		case says == clocks.Concurrent && is != clocks.Concurrent:
			conflicts++
		case says != clocks.Concurrent && is == clocks.Concurrent:
			descents++
		}
		if k%4 == 0 {
			at[0] = branch{vector: at[0].vector.Merge(at[1].vector).Prune(limit)}
			at[1] = at[0]
		}
	}
	return conflicts, descents, compared
}

// truth is how two branches stand: since they were equal last, each has what it has taken up.
func truth(a, b branch) clocks.Relation {
	switch {
	case a.own == 0 && b.own == 0:
		return clocks.Equal
	case a.own == 0:
		return clocks.Before
	case b.own == 0:
		return clocks.After
	}
	return clocks.Concurrent
}

// percent is a share in per cent, with one decimal.
func percent(part, whole int) string {
	whole = max(1, whole)
	tenths := (2000*part + whole) / (2 * whole)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}
