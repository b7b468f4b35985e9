package ignite_test

import (
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
)

// A node that came up twice while the oldest server was away is greeted for its first life only. It
// refuses a cut, as it must: the greeting is none of the life that it is in.
const greetedInAnotherLife = `# A client is greeted for another life, and refuses a cut.

-- scenario --
model     ignite
nodes     P Q
client    P
key       x on Q
variants  fixed
time      runs
delay     1ms

-- load --
at 0s by 1 P snapshot F3
at 10ms by 2 Q commit tx1 x
at 10ms pause Q
at 10ms by 2 P snapshot F1
at 10ms crash P
at 10ms by 2 P cut c1
at 37ms restart P
at 37ms resume Q

-- expect --
fixed  holds

-- chance --
crash P after publish snapshot F3
restart P after 1ms
delay log->Q joined P by 10ms
delay log->Q joined P 2nd by 1ms
crash Q after send leave tx1 near
restart Q after 1ms
`

func TestAGreetingOfAnotherLifeIsNoReasonToTakePart(t *testing.T) {
	s, err := scenarios.Parse("greeted.txt", []byte(greetedInAnotherLife))
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Play(s, ignite.Protocol, scenarios.PlayOptions{NoOrders: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Played[0].Verdict.Findings {
		if f.Violation != nil {
			t.Errorf("%s: %s", f.Property.Name, f.Violation.Reason)
		}
		if f.Property.Name == "finishes" && f.Premises == 0 {
			t.Error("no cut was refused, so nothing was judged")
		}
	}
}
