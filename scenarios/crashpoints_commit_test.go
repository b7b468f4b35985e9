package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/downset/downset/model/commit"
)

// lostOrTorn are the cells of a phase with an unsynced record that breaks if the record goes.
func lostOrTorn(phase, property string) []string {
	var all []string
	for _, cell := range []string{"end lost", "end torn", "now lost", "now torn"} {
		all = append(all, phase+": "+cell+" "+property)
	}
	return all
}

// always are the cells of a phase in which nothing is unsynced.
func always(property string, phases ...string) []string {
	var all []string
	for _, phase := range phases {
		all = append(all, phase+": end lost "+property, phase+": now lost "+property)
	}
	return all
}

// both is a phase of either participant.
func both(f func(phase, property string) []string, phase, property string) []string {
	return slices.Concat(f("P "+phase, property), f("Q "+phase, property))
}

func alwaysOne(phase, property string) []string { return always(property, phase) }

// TestCrashPointsOfCommit says of each variant that a crash can make lose or contradict a decision
// where that is, by reasoning from the rules of the protocol.
func TestCrashPointsOfCommit(t *testing.T) {
	const small, refused = "commit/small.txt", "commit/small-refused.txt"
	for _, c := range []struct {
		story, variant string
		want           []string
	}{
		{small, "logged", nil},
		{refused, "logged", nil},
		// Once C has decided it has said so, to itself and then to its client; it knows nothing after a
		// crash, and answers abort to who asks. When both are told, it no longer matters to them: but C
		// never forgets what it does not remember, since nobody acknowledges to it any more.
		{small, "in-memory", slices.Concat(
			always("agreement", "C receives yes tx1 from Q, before return commit tx1 P Q",
				"C after return commit tx1 P Q, before send commit tx1 to P",
				"C after send commit tx1 to P, before send commit tx1 2nd to Q"),
			always("termination", "C after send commit tx1 2nd to Q", "C receives ack tx1 from P, no effect",
				"C receives ack tx1 from Q, before append ended tx1"))},
		// The same, but the record is written: only a crash that loses it is one.
		{small, "tells-first", slices.Concat(
			lostOrTorn("C after append decided tx1, before return commit tx1 P Q", "agreement"),
			lostOrTorn("C after return commit tx1 P Q, before send commit tx1 to P", "agreement"),
			lostOrTorn("C after send commit tx1 to P, before send commit tx1 2nd to Q", "agreement"),
			lostOrTorn("C after send commit tx1 2nd to Q", "termination"),
			lostOrTorn("C receives ack tx1 from P, no effect", "termination"),
			lostOrTorn("C receives ack tx1 from Q, before append ended tx1", "termination"))},
		// From the vote until the commit is durable all hangs on the record of the vote. A participant
		// that has lost it is told to commit what it knows nothing of.
		{small, "votes-first", slices.Concat(
			both(lostOrTorn, "after send yes tx1 to C", "termination"),
			both(lostOrTorn, "receives commit tx1 from C, before append committed tx1", "termination"),
			both(lostOrTorn, "after append committed tx1, before sync committed tx1", "termination"))},
		// The same if it is the node that forgets: but a committed record that stays is a decision.
		{small, "forgets-promise", slices.Concat(
			both(alwaysOne, "after send yes tx1 to C", "termination"),
			both(alwaysOne, "receives commit tx1 from C, before append committed tx1", "termination"),
			both(lostOrTorn, "after append committed tx1, before sync committed tx1", "termination"))},
		// Until the acknowledgement C tells again. After it C forgets, and answers abort to who asks.
		{small, "acks-first", both(lostOrTorn, "after send ack tx1 to C", "stable")},
		// Asked by P, which is prepared, C commits what Q has never heard of.
		{small, "presumes-commit",
			always("all-yes", "C after send prepare tx1 to P, before send prepare tx1 2nd to Q")},
		// P has decided to abort before it says no. If it forgets that before C has heard of it, it is
		// asked again, and has forgotten as well that it is to refuse.
		{refused, "refuses-first", lostOrTorn("P after append refused tx1, before send no tx1 to C", "stable")},
	} {
		t.Run(c.variant+" in "+c.story, func(t *testing.T) {
			s := read(t, c.story)
			_, x := campaign(t, commit.Protocol, s, c.variant, 0)
			if c.variant == "logged" {
				x.Crashes = 2
			}
			r := crashPoints(t, x)
			slices.Sort(c.want)
			if got := breaking(r); !slices.Equal(got, c.want) {
				t.Errorf("%s breaks at\n\t%s\nwant\n\t%s", c.variant, strings.Join(got, "\n\t"),
					strings.Join(c.want, "\n\t"))
			}
			if c.variant == "logged" && (len(broken(r)) > 0 || len(r.Pairs) < 1000 || !r.Complete()) {
				t.Errorf("logged breaks %q in %d of %d pairs", broken(r), len(r.Pairs), r.OfPairs)
			}
		})
	}
}
