package spacetime_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/downset/downset/model/cut"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/spacetime"
)

const stories = "../../scenarios/cut"

// play plays one variant of a story of the cut.
func play(t *testing.T, file, variant string) *sim.Run {
	t.Helper()
	s := read(t, filepath.Join(stories, file))
	plan, err := s.Grid()[0].Scenario.Plan(cut.Protocol, variant, 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func read(t *testing.T, file string) *scenarios.Scenario {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheDraftsPicturesComeOutAsItDescribesThem(t *testing.T) {
	for _, c := range []struct{ file, variant, says string }{
		{"backwards.txt", "unsigned", "notify tx5 crosses cut 1 backwards"},
		{"backwards.txt", "signed", ""},
		{"forwards.txt", "unsigned", "notify tx5 is in a channel of cut 1"},
		{"forwards.txt", "signed", "notify tx5 [0] is in a channel of cut 1"},
	} {
		name := strings.TrimSuffix(c.file, ".txt") + "-" + c.variant
		t.Run(name, func(t *testing.T) {
			run := play(t, c.file, c.variant)
			o := spacetime.Options{Point: cut.Protocol.Point, Width: 80, Height: 15}
			text := spacetime.Text(run, o)
			if got := strings.Contains(text, " cut 1 backwards") || strings.Contains(text, "a channel"); got != (c.says != "") {
				t.Errorf("got an arrow that crosses the cut: %t, want %t", got, c.says != "")
			}
			if !strings.Contains(text, c.says) {
				t.Errorf("want %q in\n%s", c.says, text)
			}
			if got := strings.Count(text, "\n"); got > 15 {
				t.Errorf("got %d lines, want at most 15:\n%s", got, text)
			}
			golden(t, filepath.Join("story", name+".txt"), text)
			golden(t, filepath.Join("story", name+".svg"), string(spacetime.SVG(run, o)))
		})
	}
}

func TestEveryStoryOfTheCutHasItsPictures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(stories, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			variants, err := read(t, file).Variants(cut.Protocol)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range variants {
				run := play(t, filepath.Base(file), v)
				o := spacetime.Options{Point: cut.Protocol.Point, Height: 40}
				if got := strings.Count(spacetime.Text(run, o), "\n"); got < 3 || got > 40 {
					t.Errorf("%s: got %d lines, want 3 to 40", v, got)
				}
				if _, err := elements(spacetime.SVG(run, o)); err != nil {
					t.Errorf("%s: %v", v, err)
				}
			}
		})
	}
}
