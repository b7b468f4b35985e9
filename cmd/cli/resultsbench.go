package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The file of benchmarks: medians of several counts, and ratios to a loop that is measured in the
// same run, since these are what compares between machines.

// benchLine is one line of the table: a benchmark, what it is a ratio to, and the line to reach.
type benchLine struct {
	what, name, against string
	must, stretch       string
	number              func(b, against measured) string
}

// measured is what the counts of one benchmark came to.
type measured struct {
	ns     []int64 // in thousandths
	allocs int64
}

func (m measured) median() int64 {
	if len(m.ns) == 0 {
		return 0
	}
	slices.Sort(m.ns)
	return m.ns[len(m.ns)/2]
}

func benchLines() []benchLine {
	times := func(b, r measured) string { return decimal(b.median()*1000/max(1, r.median())) + "x" }
	share := func(b, r measured) string {
		return decimal(b.median()*100_000/max(1, r.median())) + " %"
	}
	seconds := func(b, _ measured) string { return decimal(b.median()/1_000_000_000) + " s" }
	allocs := func(b, _ measured) string { return strconv.FormatInt(b.allocs, 10) }
	const off, event, r1, queued = "/trace=off", "Event/nodes=", "Reference/queued=", "10/queued="
	const trace, on = "Trace/nodes=10/queued=", "/trace=on"
	return []benchLine{
		{"event, trace off", event + queued + "100" + off, r1 + "100", "2.5x", "1.6x", times},
		{"event, trace off", event + queued + "1000" + off, r1 + "1000", "2.5x", "1.6x", times},
		{"event, trace off", event + queued + "10000" + off, r1 + "10000", "2.5x", "1.6x", times},
		{"event, trace on", trace + "100" + on, r1 + "100", "3x", "2x", times},
		{"event, trace on", trace + "1000" + on, r1 + "1000", "3x", "2x", times},
		{"allocations an event", event + "10/queued=1000" + off, "", "1", "0", allocs},
		{"set-up in a run of 500 events", "Setup/events=1", "Setup/events=500", "15 %", "5 %", share},
		{"1,000 nodes against 10", event + "1000/queued=1000" + off, event + "10/queued=10" + off,
			"2x", "1.5x", times},
		{"10,000 nodes against 10", event + "10000/queued=10000" + off, event + "10/queued=10" + off,
			"4x", "2.6x", times},
		{"10 M events on 10,000 nodes", "TenMillion", "", "8 s", "2 s", seconds},
		{"1 M queued, pop and push", "Queue/queued=1000000", r1 + "1000000", "1x", "0.35x", times},
	}
}

// decimal is a number of thousandths.
func decimal(n int64) string { return fmt.Sprintf("%d.%02d", n/1000, n%1000/10) }

func (a *app) writeBench(f resultFlags) error {
	counts := max(f.seeds, 6)
	text, err := a.goTest("-run", "XXX", "-bench", "Reference|Event|Trace|Setup|Queue", "-benchmem",
		"-benchtime", "300ms", "-count", strconv.Itoa(counts), "./sim")
	if err != nil {
		return err
	}
	long, err := a.goTest("-run", "XXX", "-bench", "TenMillion", "-benchtime", "1x", "-benchmem",
		"-count", "5", "./sim")
	if err != nil {
		return err
	}
	all := readBench(append(text, long...))
	return os.WriteFile(filepath.Join(f.dir, "bench.md"), benchText(all, counts), 0o644)
}

// checkBench wants nothing: measurements differ from machine to machine.
func (a *app) checkBench(resultFlags) (string, error) { return "", nil }

func (a *app) goTest(args ...string) ([]byte, error) {
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Stderr = a.err
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go test: %w\n%s", err, text)
	}
	return text, nil
}

var benchPattern = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op` +
	`(?:\s+\d+ B/op\s+(\d+) allocs/op)?`)

func readBench(text []byte) map[string]*measured {
	all := map[string]*measured{}
	for _, m := range benchPattern.FindAllSubmatch(text, -1) {
		name := string(m[1])
		if all[name] == nil {
			all[name] = &measured{}
		}
		ns, _ := strconv.ParseFloat(string(m[2]), 64)
		all[name].ns = append(all[name].ns, int64(ns*1000))
		all[name].allocs, _ = strconv.ParseInt(string(m[3]), 10, 64)
	}
	return all
}

func benchText(all map[string]*measured, counts int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The engine's speed\n\n"+
		"`downset results bench` writes this: medians of %d runs of `go test -bench` on %s/%s, %s,\n"+
		"%d cores. Ratios compare; nanoseconds are this machine's. The reference is a binary heap of\n"+
		"48-byte values in the same benchmark binary, held at the same length, one push and one pop an\n"+
		"event.\n\n", counts, runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.NumCPU())
	b.WriteString("| what | benchmark | ns | against | ns | result | must | stretch |\n")
	b.WriteString("|---|---|--:|---|--:|--:|--:|--:|\n")
	for _, l := range benchLines() {
		m, r := all[l.name], all[l.against]
		if m == nil {
			m = &measured{}
		}
		against := ""
		if r == nil {
			r = &measured{}
		} else {
			against = decimal(r.median())
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", l.what, l.name,
			decimal(m.median()), l.against, against, l.number(*m, *r), l.must, l.stretch)
	}
	b.WriteString("\n" + strings.TrimSpace(benchCosts) + "\n")
	return b.Bytes()
}

// benchCosts is what a profile of the engine's benchmarks says.
const benchCosts = `
## Where the time goes

A profile of BenchmarkEvent and BenchmarkTrace (1,000 queued) puts most of an event into three
places:

1. the queue, about two fifths: pop of a four-ary heap of 24-byte keys, mostly cache misses and
   mispredicted comparisons on the way down; push is a small part;
2. the fate of a message (transmit), about a quarter: its name (a hash of link, kind and keys), the
   count of that name, and two decisions drawn from it;
3. copying the event into and out of its slot in the slab, and the running hash of the two entries
   an event makes, about a tenth each. The trace adds one append of 48 bytes an entry.
`
