package main_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// overtakes is a run in which two properties of different classes break.
var overtakes = []string{"run", "--variant", "P0/resolve-empty=write",
	"../../scenarios/synchro/rollback-overtakes.txt"}

func TestAReportSaysTheWorstClassOfAllThatBreaks(t *testing.T) {
	for _, c := range []struct {
		name       string
		args       []string
		want, lack string
	}{
		{"of another property", overtakes, "; silent divergence (C1); ", "detected loss"},
		{"of one where the first has none", []string{"run", "../../scenarios/cut/disk-lost.txt"},
			"; detected loss (durable); ", "silent"},
		{"of its own", []string{"run", "../../scenarios/cut/backwards.txt"}, "silent divergence; ", " ("},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errs, _ := run(c.args...)
			line := regexp.MustCompile(`(?m)^.*as the story expects.*$`).FindString(out)
			if !strings.Contains(line, c.want) || strings.Contains(line, c.lack) {
				t.Errorf("got %q, want %q and no %q\n%s", line, c.want, c.lack, errs)
			}
		})
	}
}

func TestTheTableOfAReportTellsTheStory(t *testing.T) {
	out, errs, _ := run(overtakes...)
	_, table, _ := strings.Cut(out, "\n   entry ")
	table, _, _ = strings.Cut(table, "\n\n")
	var rows []string
	for line := range strings.Lines(table) {
		rows = append(rows, strings.Join(strings.Fields(strings.TrimPrefix(line, ">")), " "))
	}
	at := 0
	for _, want := range []string{"A invokes put k", "A crashes losing no record",
		"B notes stored ROLLBACK", "B sends row 2.2 ROLLBACK(1, 2) to A", "A sends row 1.3 SYNC k to B",
		"A receives row 2.2 ROLLBACK(1, 2) from B", "A notes undone k",
		"B receives row 1.3 SYNC k from A", "B notes committed k"} {
		next := slices.IndexFunc(rows[at:], func(row string) bool { return strings.Contains(row, want) })
		if next < 0 {
			t.Fatalf("no row %q after row %d:\n%s\n%s", want, at, strings.Join(rows, "\n"), errs)
		}
		at += next
	}
	for _, row := range rows {
		words := strings.Fields(row)
		if len(words) > 3 && slices.Contains([]string{"queues", "works", "syncs", "flushes", "told"}, words[3]) {
			t.Errorf("a row tells what is small: %q", row)
		}
	}
}

func TestOnlyWhatCannotBothBeIsCalledSo(t *testing.T) {
	for _, c := range []struct {
		name, variant, story string
		want                 []string
	}{
		{"a row undone here and committed there", "P0/resolve-empty=write", "synchro/rollback-overtakes",
			[]string{"cannot both be", "[692] A notes undone k", "[1018] B notes committed k"}},
		{"two writes of one transaction", "no-included", "ignite/s04-finish-crosses",
			[]string{"shown by", "[37] P writes data T x @2", "[81] Q writes data T y @3"}},
		{"writes of two transactions", "merged", "ignite/m12-nobody-signs",
			[]string{"shown by", "[77] P writes data A x @2", "[121] P writes data B x @5"}},
		{"a message sent after a cut and taken up before", "unsigned", "cut/backwards",
			[]string{"cannot both be", "[57] P sends notify tx5 to Q", "[62] Q notes commits tx5 in 0"}},
		{"two decisions", "acks-first", "commit/acks-first",
			[]string{"cannot both be", "[28] P notes commit tx1", "[45] P notes abort tx1"}},
		{"what there should have been", "copies", "register/copies",
			[]string{"shown by", "[63] A notes quorum of 3 for querying x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errs, _ := run("run", "--variant", c.variant, "../../scenarios/"+c.story+".txt")
			shown := regexp.MustCompile(`(?m)^(cannot both be|shown by)\n(  \[.*\n)+`).FindString(out)
			var got []string
			for line := range strings.Lines(shown) {
				got = append(got, strings.TrimSpace(line))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q\n%s", got, c.want, errs)
			}
		})
	}
}

func TestDrawingAFewLeavesOutStreamsThatConcernNothingShown(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"of many that broke, the ends of what was lost", []string{"--variant", "P0/resolve-empty=write",
			"--only", "k,z,ROLLBACK", "../../scenarios/synchro/rollback-overtakes.txt"},
			[]string{"386 stream with A broken", "387 stream with A broken"}},
		{"what made a node send is told with it", []string{"--only", "notify",
			"../../scenarios/cut/broken-stream.txt"},
			[]string{"18 stream with P broken", "19 stream with Q broken", "24-25 stream with Q opened, notify tx1"}},
		{"nothing of what was lost is shown", []string{"--variant", "P0/resolve-empty=write",
			"--only", "x", "../../scenarios/synchro/rollback-overtakes.txt"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errs, code := run(append([]string{"draw"}, c.args...)...)
			var got []string
			for _, m := range regexp.MustCompile(`(?m)^ *([\d-]+) .*(stream with \S+ \w+(, notify tx1)?)`).FindAllStringSubmatch(out, -1) {
				got = append(got, m[1]+" "+m[2])
			}
			if code != 0 || !slices.Equal(got, c.want) {
				t.Errorf("exit %d, got %q\nwant %q\n%s%s", code, got, c.want, errs, out)
			}
		})
	}
}

// crossing are the sentences of a picture about messages that cross a cut.
func crossing(out string) []string {
	return regexp.MustCompile(`(?m)^\w.* (crosses|is in a channel of) cut .*$`).FindAllString(out, -1)
}

func TestDrawingAFewSaysOfCutsWhatTheWholePictureSays(t *testing.T) {
	const tx5, backwards = "notify tx5 ", "crosses cut 1 backwards: "
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--only", "notify", "../../scenarios/cut/backwards.txt"},
			[]string{tx5 + backwards + "sent after (57), received before (59)"}},
		{[]string{"--only", "notify", "../../scenarios/cut/broken-stream.txt"},
			[]string{"notify tx1 " + backwards + "sent after (25), received before (28)"}},
		{[]string{"--variant", "draft", "--only", "NFQ,NPR", "../../scenarios/ignite/s05-vote-crosses.txt"},
			[]string{"NPR T [no cut] is in a channel of cut c1: sent before (22), received after (47)"}},
		{[]string{"--variant", "draft", "--only", "NFQ,NPR", "../../scenarios/ignite/s06-learns-by-finish.txt"},
			[]string{"NPR T [no cut] is in a channel of cut c1: sent before (22), received after (40)"}},
	} {
		out, errs, code := run(append([]string{"draw"}, c.args...)...)
		if got := crossing(out); code != 0 || !slices.Equal(got, c.want) {
			t.Errorf("draw %s: exit %d, got %q\nwant %q\n%s%s", strings.Join(c.args, " "), code, got, c.want, errs, out)
		}
		whole, _, _ := run("draw", c.args[len(c.args)-1])
		for _, sentence := range c.want {
			if !strings.Contains(whole, sentence) {
				t.Errorf("the whole picture of %s does not say %q", c.args[len(c.args)-1], sentence)
			}
		}
	}
}
