package results_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// tableOf is the first table after a heading of clocks.md: the numbers of its rows, and 0 of words.
func tableOf(t *testing.T, heading string) [][]float64 {
	t.Helper()
	words := map[string]bool{"on": true, "from": true} // that cells begin with which are no numbers
	text, err := os.ReadFile("clocks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n"+heading+"\n\n")
	if !found {
		t.Fatalf("clocks.md has no %q", heading)
	}
	table, _, _ := strings.Cut(rest, "\n\n")
	var rows [][]float64
	for _, line := range strings.Split(table, "\n")[2:] {
		var row []float64
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			cell, _, _ = strings.Cut(strings.TrimSpace(cell), " ") // no interval, no %
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil && !words[cell] {
				t.Fatalf("%q under %q: %v", cell, heading, err)
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	if len(rows) < 5 {
		t.Fatalf("the table under %q has %d rows, want five at least", heading, len(rows))
	}
	return rows
}

// What the document says: updates are lost once skew exceeds the interval between writes, and not
// before; none with versions, siblings, or stamps that move on with what they have seen.
func TestUpdatesAreLostOnceSkewExceedsTheInterval(t *testing.T) {
	last := 0.0
	for _, row := range tableOf(t, "## Lost updates against skew") {
		if lost := row[1]; lost > 0 != (row[0] > 1) || lost < last {
			t.Errorf("by wall clock %v %% are lost at a skew of %v intervals, %v %% with less skew",
				lost, row[0], last)
		}
		last = row[1]
		for k, lost := range row[2:] {
			if lost > 0 {
				t.Errorf("column %d loses %v %% at a skew of %v intervals, want none", k+3, lost, row[0])
			}
		}
	}
	if last < 35 || last > 67 {
		t.Errorf("by wall clock %v %% are lost at the greatest skew, want 1/3 to 2/3", last)
	}
}

// A step of a chain loses by (1-1/3)(1-interval/skew)²/2, and the chain as much at least.
func TestUpdatesAreLostAsOftenAsPredictedWhereFewAre(t *testing.T) {
	for _, row := range tableOf(t, "## Lost updates against skew") {
		if row[0] <= 1 {
			continue
		}
		step := 100. / 3 * (1 - 1/row[0]) * (1 - 1/row[0])
		if row[1] < step-0.5 || row[0] <= 2 && row[1] > step+1 {
			t.Errorf("%v %% are lost at a skew of %v intervals, predicted are %.1f for a step", row[1],
				row[0], step)
		}
	}
}

func TestConcurrentUpdatesAreLostByEveryLastWriterAndBySiblingsNever(t *testing.T) {
	last, refused := 0.0, 0.0
	for _, row := range tableOf(t, "## Lost updates of concurrent writers") {
		if row[6] <= refused || row[6] < row[1] {
			t.Errorf("at %v a condition refuses %v %%, want more than %v and than are lost, %v", row[0],
				row[6], refused, row[1])
		}
		refused = row[6]
		for _, lost := range row[1:4] {
			if lost == 0 {
				t.Errorf("a last writer loses nothing at %v: %v", row[0], row)
			}
		}
		if row[1] < last || row[4] > 0 || row[5] > 0 {
			t.Errorf("at %v: %v, want more than %v by wall clock, and none by siblings or a condition",
				row[0], row, last)
		}
		last = row[1]
	}
}

func TestPruningMakesAsManyFalseConflictsAsPredicted(t *testing.T) {
	for _, row := range tableOf(t, "## False conflicts against the limit") {
		for k, writers := range []float64{5, 10, 20} {
			want := max(0, 100*(1-row[0]/writers))
			if got := row[k+1]; got < want-1 || got > want+1 {
				t.Errorf("limit %v, %v writers: %v %%, want %v", row[0], writers, got, want)
			}
		}
	}
}

// By max(0, difference - delay): what the document says, to a microsecond or two, which is the grain.
func TestHybridStampsAreAheadByWhatClocksDifferMoreThanMessagesTake(t *testing.T) {
	for _, row := range tableOf(t, "## Hybrid clocks against the error of clocks") {
		for k, delay := range []float64{0.05, 5} {
			want := max(0, row[1]-delay)
			if got := row[2+k]; got < want-0.002 || got > want+0.002 {
				t.Errorf("error %v ms, delay %v ms, clocks differ by %v: ahead by %v, want %.3f", row[0],
					delay, row[1], got, want)
			}
		}
	}
}

// A count of its own makes no false descent. One from the version at hand does: between two replicas
// that count for one writer, and against an old copy if it has been pruned.
func TestOnlyACountThatIsUsedTwiceLosesSilently(t *testing.T) {
	rows := tableOf(t, "## Silent loss: where the count comes from")
	if len(rows)%3 != 0 {
		t.Fatalf("%d rows, want three for each of several settings", len(rows))
	}
	for i := 0; i < len(rows); i += 3 {
		durable, own, shared := rows[i], rows[i+1], rows[i+2]
		pruned := durable[1] < durable[0]
		if durable[4]+durable[6] > 0 {
			t.Errorf("%v: a count on a disk makes a false descent", durable)
		}
		if own[4] > 0 || durable[0] == 6 && pruned != (own[6] > 0) {
			t.Errorf("%v: want no false descent but against an old copy, where much is pruned", own)
		}
		if shared[4] == 0 || pruned != (shared[3] > 0) {
			t.Errorf("%v: want false descents, and false conflicts exactly where it is pruned", shared)
		}
	}
}

func TestVectorsGrowWithTheirWritersUnlessTheyArePruned(t *testing.T) {
	rows := tableOf(t, "## Size of version vectors against writers")
	first, last := rows[0], rows[len(rows)-1]
	if writers := last[0] / first[0]; last[1] < writers*first[1] || last[2] > 15*first[2] {
		t.Errorf("%v writers take %v bytes, pruned to ten %v; one takes %v", last[0], last[1], last[2],
			first[1])
	}
}

func TestEqualStampsAreConcurrentAndCloseOnesOften(t *testing.T) {
	for _, row := range tableOf(t, "## Close Lamport stamps") {
		for k, share := range row[1:] {
			if row[0] == 0 && share != 100 || share < 50 {
				t.Errorf("%v apart, column %d: %v %% are concurrent", row[0], k+2, share)
			}
		}
	}
}

func TestStreamsAreReorderedOnceSkewExceedsTheInterval(t *testing.T) {
	for _, row := range tableOf(t, "## Streams by the producers' clocks") {
		if row[1] > 0 != (row[0] > 1) || row[2] > 0 {
			t.Errorf("skew of %v intervals: late are %v %% by stamps and %v %% by numbers", row[0], row[1],
				row[2])
		}
	}
}

// The picture of a table has a point for each of its numbers, at the height that the axis gives it.
func TestAPictureShowsWhatItsTableSays(t *testing.T) {
	svg, err := os.ReadFile("clocks-lost.svg")
	if err != nil {
		t.Fatal(err)
	}
	rows := tableOf(t, "## Lost updates against skew")
	for curve := range rows[0][1:] {
		points := regexp.MustCompile(fmt.Sprintf(`<circle class="d%d" cx="(\d+)" cy="(\d+)"`, curve)).
			FindAllSubmatch(svg, -1)
		if len(points) != len(rows) {
			t.Fatalf("curve %d has %d points, want %d", curve+1, len(points), len(rows))
		}
		last := 0.0
		for i, p := range points {
			x, _ := strconv.ParseFloat(string(p[1]), 64)
			y, _ := strconv.ParseFloat(string(p[2]), 64)
			// the axis goes from 348 up to 44, which is 50 per cent
			if got, want := (348-y)/304*50, rows[i][curve+1]; got < want-0.2 || got > want+0.2 || x <= last {
				t.Errorf("curve %d, row %d: drawn at %v, which is %.1f, want %v", curve+1, i+1, x, got, want)
			}
			// and along from 64 by 466 to the last
			if got, want := (x-64)/466*rows[len(rows)-1][0], rows[i][0]; got < want-0.1 || got > want+0.1 {
				t.Errorf("curve %d, row %d: drawn %v along, which is %.2f, want %v", curve+1, i+1, x, got, want)
			}
			last = x
		}
	}
}
