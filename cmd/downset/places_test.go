package main_test

import (
	"os"
	"strings"
	"testing"
)

const oneClaim = `# P draws its point.
# twin: none.txt

-- scenario --
model  cut
nodes  P Q

-- script --
P cut 1
check P version 1
for signed: check Q version 0

-- expect --
P cut 1 complete
signed  holds
Q version 1
`

func TestDrawTakesTheFileOfSVGOnEitherSideOfTheStory(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("story.txt", []byte(oneClaim), 0o666); err != nil {
		t.Fatal(err)
	}
	var drawn [3]string
	for i, args := range [][]string{{"story.txt", "--svg", "out.svg"}, {"--svg", "out.svg", "story.txt"},
		{"--svg=out.svg", "story.txt"}} {
		if out, errs, code := run(append([]string{"draw"}, args...)...); code != 0 || out != "" {
			t.Fatalf("draw %q: exit %d, %q, %q, want the file alone", args, code, out, errs)
		}
		text, err := os.ReadFile("out.svg")
		if err != nil {
			t.Fatal(err)
		}
		drawn[i] = string(text)
		if err := os.Remove("out.svg"); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.HasPrefix(drawn[0], "<svg") || drawn[0] != drawn[1] || drawn[0] != drawn[2] {
		t.Errorf("the three ways draw\n%.200s\n%.200s\n%.200s\nwant the same picture", drawn[0], drawn[1], drawn[2])
	}
	_, errs, code := run("draw", "--svg", "out", "story.txt")
	want := "draw wants one story, got 2; a file for --svg ends in .svg, or is written --svg=FILE\n"
	if code != 2 || errs != want {
		t.Errorf("draw --svg out story.txt: exit %d, %q, want 2 and %q", code, errs, want)
	}
}

func TestASweepOfAStorySaysThatItsClaimsAreNotJudged(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("story.txt", []byte(oneClaim), 0o666); err != nil {
		t.Fatal(err)
	}
	out, errs, code := run("sweep", "--seeds", "5", "story.txt")
	want := "claims     4 claims of the story not judged, only properties are; downset run story.txt judges"
	if code != 0 || errs != "" || !strings.Contains(out, want) {
		t.Errorf("sweep of a story: exit %d, %q, want 0 and %q in\n%s", code, errs, want, out)
	}
	if out, _, _ := run("sweep", "--seeds", "5", "--variant", "signed", "cut"); strings.Contains(out, "claims") {
		t.Errorf("a sweep of drawn workloads speaks of claims:\n%s", out)
	}
}

func TestAnUnknownClaimIsAMistakeInTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	story := strings.Replace(oneClaim, "Q version 1", "Q verson 1", 1)
	if err := os.WriteFile("story.txt", []byte(story), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run"}, {"sweep", "--seeds", "5"}, {"draw"}} {
		_, errs, code := run(append(args, "story.txt")...)
		want := "story.txt:16: model cut shows nothing called \"verson\"; did you mean \"version\"?\n"
		if code != 2 || errs != want {
			t.Errorf("downset %q: exit %d, %q, want 2 and %q", args, code, errs, want)
		}
	}
}

func TestAStoryThatIsFurtherUpIsPointedTo(t *testing.T) {
	t.Chdir("testdata")
	for _, c := range []struct{ arg, want string }{
		{"scenarios/cut/backwards.txt", "../../../scenarios/cut/backwards.txt"},
		{"scenarios/cut/backward.txt", "../../../scenarios/cut"},
		{"scenarios/cut/...", "../../../scenarios/cut"},
		{"scenarois/cutt/...", "../../../scenarios/cut"},
	} {
		_, errs, code := run("run", c.arg)
		want := c.arg + `: no such file; did you mean "` + c.want + "\"?\n"
		if code != 2 || errs != want {
			t.Errorf("run %s: exit %d, %q, want 2 and %q", c.arg, code, errs, want)
		}
	}
	t.Chdir("../../..")
	const arg = "scenarios/cut/nothing-like-it.txt"
	_, errs, _ := run("run", arg)
	if !strings.HasPrefix(errs, arg+": no such file; have ") || !strings.HasSuffix(errs, " stories in scenarios/cut\n") {
		t.Errorf("run %s says %q, want how many stories there are", arg, errs)
	}
}
