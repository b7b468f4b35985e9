package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// benchFolder is a folder with benchmarks.
type benchFolder struct {
	folder string
	time   string // for one of them
	wall   bool   // they are of many cores, and take the time of the wall
}

func benchFolders() []benchFolder {
	return []benchFolder{
		{"sim", "300ms", false},
		{"sim/search", "500ms", true},
		{"checker", "300ms", false},
		{"model/cut", "500ms", false},
		{"model/commit", "500ms", false},
	}
}

// benchRun is one benchmark to run.
type benchRun struct {
	benchFolder
	name string // with the last part of the folder before it, as in the table
}

// benchRuns are the benchmarks that the table speaks of.
func benchRuns() []benchRun {
	var all []benchRun
	seen := map[string]bool{"": true}
	for _, l := range benchLines() {
		for _, name := range []string{l.against, l.name} {
			if !seen[name] {
				seen[name] = true
				all = append(all, newBenchRun(name))
			}
		}
	}
	return all
}

func newBenchRun(name string) benchRun {
	first, rest, _ := strings.Cut(name, ".")
	for _, f := range benchFolders() {
		if path.Base(f.folder) != first {
			continue
		}
		if strings.HasPrefix(rest, "TenMillion") || strings.HasPrefix(rest, "Crowd") {
			f.time = "1x"
		}
		if strings.HasSuffix(rest, "/core") || rest == "Orders" {
			f.wall = false // of one core
		}
		return benchRun{f, name}
	}
	panic("cli: no folder for the benchmark " + name)
}

// program is where its test program is built.
func (r benchRun) program(folder string) string {
	return filepath.Join(folder, strings.ReplaceAll(r.folder, "/", "-"))
}

// pattern is what -bench wants to run it alone.
func (r benchRun) pattern() string {
	_, name, _ := strings.Cut(r.name, ".")
	return "^Benchmark" + strings.ReplaceAll(name, "/", "$/^") + "$"
}

func (a *app) buildRuns(runs []benchRun, folder string) error {
	built := map[string]bool{}
	for _, r := range runs {
		if built[r.folder] {
			continue
		}
		built[r.folder] = true
		cmd := exec.CommandContext(a.stop, "go", "test", "-c", "-o", r.program(folder), "./"+r.folder)
		if text, err := cmd.CombinedOutput(); err != nil {
			return tool(fmt.Errorf("go test -c ./%s: %w\n%s", r.folder, err, text))
		}
	}
	return nil
}

// output is what a benchmark printed. Share is how much of the time it had a core, in thousandths;
// 1000 for one that takes the time of the wall.
type output struct {
	text  []byte
	share int64
}

func (a *app) runBench(r benchRun, folder string) (output, error) {
	cmd := exec.CommandContext(a.stop, r.program(folder), "-test.run", "XXX", "-test.bench",
		r.pattern(), "-test.benchmem", "-test.benchtime", r.time)
	cmd.Dir, cmd.Stderr = r.folder, a.err
	cmd.Env = append(os.Environ(), "GOGC=100", "GOMEMLIMIT=off")
	if !r.wall {
		cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
	}
	start := time.Now()
	text, err := cmd.Output()
	if err != nil {
		return output{}, tool(fmt.Errorf("benchmark %s: %w\n%s", r.name, err, text))
	}
	share := int64(1000)
	if !r.wall {
		busy := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		share = int64(busy * 1000 / max(1, time.Since(start)))
	}
	return output{text, share}, nil
}
