package results_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// tableOf is the first table after a heading of clocks.md: the numbers of its rows.
func tableOf(t *testing.T, heading string) [][]float64 {
	t.Helper()
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
			x, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(cell), " %"), 64)
			if err != nil {
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

func TestConcurrentUpdatesAreLostByEveryLastWriterAndBySiblingsNever(t *testing.T) {
	last := 0.0
	for _, row := range tableOf(t, "## Lost updates of concurrent writers") {
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

func TestHybridStampsAreAheadByNoMoreThanClocksDiffer(t *testing.T) {
	for _, row := range tableOf(t, "## Hybrid clocks against the error of clocks") {
		apart, quick, slow := row[1], row[2], row[3]
		if quick > apart || slow > quick || apart > 0 && quick == 0 {
			t.Errorf("error %v ms: ahead by %v and %v ms, clocks differ by %v", row[0], quick, slow, apart)
		}
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
			last = x
		}
	}
}
