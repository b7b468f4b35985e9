package ignite_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// checked plays a script on nodes N (a client), P and Q, with x on P and y on Q, and gives what is
// wrong with claims about what can be seen at its end, one each, "" if nothing is.
func checked(t *testing.T, script string, claims []string) []string {
	t.Helper()
	const variant = "fixed/entry=atomic/commit=atomic/counts=written"
	s, err := scenarios.Parse("seen.txt", []byte("-- scenario --\nmodel ignite\nnodes N P Q\n"+
		"client N\nkey x on P holds 7\nkey y on Q\n-- script --\n"+script+
		"check "+strings.Join(claims, "\ncheck ")+"\n-- expect --\n"+variant+" holds\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(ignite.Protocol, variant, 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := sim.Execute(plan)
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for _, c := range run.Checks {
		wrong = append(wrong, c.Fails)
	}
	for _, o := range run.Observe() {
		word, _, _ := strings.Cut(o.Name, " ")
		if !slices.Contains(ignite.Protocol.Shows, word) {
			t.Errorf("%s shows %q, which is not among Shows", o.Node, o.Name)
		}
	}
	return wrong[len(wrong)-len(claims):]
}

func TestWhatCanBeSeen(t *testing.T) {
	// S-06: N is in the cut when it decides, and Q learns of the cut from the finish request.
	const held = "hold Q->N NPR T\nhold log->Q start c1\nN commit T x=1 y\nP cut c1\n"
	const s06 = held + "release Q->N NPR T\nrelease log->Q start c1\n"
	for _, c := range []struct {
		name, script string
		seen, unseen []string
	}{
		{"a transaction after a cut", s06, []string{
			"P entered c1 start", "N entered c1 start", "Q entered c1 NFQ",
			"P side T after", "Q side T after", "Q side c1 T after",
			"P wal P S D C F-T", "Q wal T P S D C F-T", "Q wal c1 T P S D C F-T",
			"P data x 1", "Q data y T",
			"P excluded c1 T", "P included c1 empty", "P local c1 finished", "N local c1 open",
			"P cut c1 done", "N outcome T COMMITTED", "N tag T c1",
			"P state T COMMITTED", "Q state T primary COMMITTED", "N state T near COMMITTED",
			"Q finish T user", "P finish T user",
		}, []string{"N side T", "N wal", "Q cut c1", "P data y", "P tag T", "P state T near",
			"P outcome T"}},
		{"the same while NPR is held", held, []string{
			"N state T near PREPARING", "P state T PREPARED", "P cut c1 open", "P wal P S",
			"P local c1 open", "N entered c1 start", "P data x 7", "Q wal T P",
		}, []string{"Q entered c1", "P side T", "N tag T", "N outcome T", "P finish T", "Q data y",
			"Q local c1", "P included c1"}},
		{"a transaction before a cut", "N commit T x=1 y=2\nP cut c1\n", []string{
			"P side T before", "P wal P D C S F", "Q wal c1 T P D C S F", "N tag T none",
			"P included c1 empty", "P excluded c1 empty", "Q data y 2", "Q log P D C S F I",
		}, nil},
		{"two cuts", "P cut c1\nN commit T x=1 y=2\nQ cut c2\n", []string{
			"P side c1 T after", "P side c2 T before", "P side T before", "P wal S F P D C S F",
			"P wal c2 T P D C S F", "P cut c1 done", "Q cut c2 done",
		}, []string{"Q cut c1"}},
		{"a cut that a node refuses", "Q refuse c1\nP cut c1\n", []string{
			"Q local c1 refused: refused on request", "P cut c1 failed: refused on request",
			"P local c1 finished",
		}, []string{"Q cut c1"}},
		{"a participant that refuses", "Q refuse T\nN commit T x=1 y=2\n", []string{
			"N outcome T ROLLED_BACK", "P state T ROLLED_BACK", "P data x 7", "P wal P R",
		}, []string{"Q data y", "P side T", "N tag T"}},
		{"a crash, which takes away what is not done", "N commit U x=5 y=5\nhold Q->N NPR T\n" +
			"N commit T x=1 y=2\ncheck P state T PREPARED\ncrash P for good\n", []string{
			"P state U COMMITTED", "P wal U P D C", "P data x 5", "Q state T PREPARED",
		}, []string{"P state T"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, wrong := range checked(t, c.script, c.seen) {
				if wrong != "" {
					t.Errorf("%q is not so: %s", c.seen[i], wrong)
				}
			}
			if c.unseen == nil {
				return
			}
			for i, wrong := range checked(t, c.script, c.unseen) {
				if !strings.Contains(wrong, " has no ") && !strings.HasPrefix(wrong, "nothing is called") {
					t.Errorf("%q can be seen, want nothing of that name: %q", c.unseen[i], wrong)
				}
			}
		})
	}
}
