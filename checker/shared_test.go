package checker_test

import (
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// TestOneJudgingReadsCommitsOnce counts how often a model is asked whether a fact is a commit.
func TestOneJudgingReadsCommitsOnce(t *testing.T) {
	run, asked := forwards().run, 0
	m := onTape
	m.Commit = func(b sim.Body) (string, bool) {
		asked++
		return onTape.Commit(b)
	}
	properties := m.Properties()
	checker.Judge(run, properties)
	once := asked
	if once == 0 {
		t.Fatal("Judge never asks whether a fact is a commit")
	}
	if run.Memo != nil {
		t.Error("Judge leaves a memo in the run, which is never to be changed")
	}
	asked = 0
	for _, p := range properties {
		p.Check(run)
	}
	if asked <= once {
		t.Errorf("%d questions by Judge, %d by checks that share nothing: want fewer by Judge", once, asked)
	}
	asked = 0
	checker.Judge(run, properties)
	if asked != once {
		t.Errorf("%d questions by the second Judge, want %d as by the first: nothing outlives a judging", asked,
			once)
	}
}

// TestWhatIsSharedIsOfOneRun hands checks a memo in which stands what was read of another run.
func TestWhatIsSharedIsOfOneRun(t *testing.T) {
	properties := onTape.Properties()
	right, wrong := *forwards().run, *backwards().run
	right.Memo = map[any]any{}
	for _, p := range properties {
		p.Check(&right)
	}
	wrong.Memo = right.Memo
	broken := 0
	for _, p := range properties {
		if _, v := p.Check(&wrong); v != nil {
			broken++
		}
	}
	want := len(checker.Judge(backwards().run, properties).Broken())
	if broken < want || want == 0 {
		t.Errorf("%d properties broken by a run after another was read, want %d", broken, want)
	}
}
