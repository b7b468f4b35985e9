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

// silentLoss is the table of what two replicas make of each other's versions, and a third of theirs
// that has an old copy, by where the count of a writer comes from and whether both replicas serve
// the same writers.
func silentLoss() string {
	var b strings.Builder
	b.WriteString("\n## Silent loss: where the count comes from\n\n" +
		"| writers | limit | a writer's count | false conflicts | false descents " +
		"| false conflicts, old copy | false descents, old copy |\n" +
		"|---:|---:|---|---:|---:|---:|---:|\n")
	for _, writers := range []int{6, 20} {
		for _, limit := range []int{3, 10} {
			for _, from := range sources {
				p := pruning{writers: writers, limit: limit, from: from}
				p.play()
				fmt.Fprintf(&b, "| %d | %d | %s | %v | %v | %v | %v |\n", writers, limit, from,
					&p.each.conflicts, &p.each.descents, &p.old.conflicts, &p.old.descents)
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

// pruning is two replicas that take writes and prune, and a third that takes none.
type pruning struct {
	writers, limit int
	from           source
	counts         []int64 // by writer, where they are durable
	at             [2]branch
	copied         clocks.VersionVector // what the third has
	each, old      judged               // what the two say of each other, and the third of them
}

// branch is a version on one of two replicas.
type branch struct {
	vector clocks.VersionVector
	own    int // how many writes it has taken up since both were one
}

// judged are comparisons that see a conflict where one had seen the other, and those that see that
// one had seen another which it had not.
type judged struct{ conflicts, descents share }

// tally are those of some writes.
type tally struct{ conflicts, descents, compared int }

func (t *tally) add(is, says clocks.Relation) {
	t.compared++
	switch {
	case says == is:
	case says == clocks.Concurrent:
		t.conflicts++
	default:
		t.descents++
	}
}

func (j *judged) add(t tally) {
	j.conflicts.add(t.conflicts, t.compared)
	j.descents.add(t.descents, t.compared)
}

// Of pruning: after how many writes the two replicas merge, after how many the third gets a copy,
// and so many writes there are, in so many samples.
const (
	mergedAfter, copiedAfter  = 4, 40
	pruneSamples, pruneSample = 200, 1000
)

// play lets both replicas take writes in turns that are drawn, and compares after each.
func (p *pruning) play() {
	draw := rand.New(rand.NewPCG(11, uint64(p.writers*100+p.limit)))
	p.counts = make([]int64, p.writers)
	for sample := range pruneSamples {
		var each, old tally
		for k := 1; k <= pruneSample; k++ {
			replica := draw.IntN(2)
			p.write(replica, p.writer(draw, replica), sim.Time(sample*pruneSample+k))
			each.add(truth(p.at[0], p.at[1]), p.at[0].vector.Compare(p.at[1].vector))
			old.add(clocks.Before, p.copied.Compare(p.at[replica].vector))
			if k%mergedAfter == 0 {
				p.at[0] = branch{vector: p.at[0].vector.Merge(p.at[1].vector).Prune(p.limit)}
				p.at[1] = p.at[0]
			}
			if k%copiedAfter == 0 {
				p.copied = p.at[0].vector
			}
		}
		p.each.add(each)
		p.old.add(old)
	}
}

// writer draws who writes on a replica: any of them, or one of the half that it alone serves.
func (p *pruning) writer(draw *rand.Rand, replica int) int {
	if p.from == sharedCount {
		return draw.IntN(p.writers)
	}
	return 2*draw.IntN(p.writers/2) + replica
}

// write is a write of a writer on a replica, which has seen what is there.
func (p *pruning) write(replica, w int, now sim.Time) {
	b := &p.at[replica]
	p.counts[w]++
	if p.from != durableCount {
		p.counts[w] = b.vector.Get(actor(w)) + 1
	}
	b.vector = b.vector.Set(actor(w), p.counts[w], now).Prune(p.limit)
	b.own++
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
