package checker_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
)

// ledger reads transactions: "set x 1, set y 1" and "get x, get y", whose results are values with
// commas between.
var ledger = checker.Transactions(func(op sim.Op, result sim.Body) ([]checker.Access, bool) {
	var list []checker.Access
	g, fits := result.(got)
	values := strings.Split(string(g), ",")
	for i, part := range strings.Split(string(op.(asked)), ", ") {
		a, _ := access(asked(part), got(values[min(i, len(values)-1)]))
		list = append(list, a)
	}
	return list, fits
})

func TestTransactionsAreJudgedTogether(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []string
		want  string
	}{
		{"both or none", []string{"1 set x 1, set y 1", "2 get x, get y", "2 = ,", "3 get y, get x", "3 = 1,1",
			"1 ok"}, ""},
		{"an unknown one, seen", []string{"1 set x 1, set y 1", "1 ?", "3 get y", "3 = 1", "3 get x", "3 = 1"}, ""},
		{"one reads its own write", []string{"1 set x 1, get x", "1 = ,1", "2 get x", "2 = 1"}, ""},
		{"one half is seen", []string{"1 set x 1, set y 1", "2 get x, get y", "2 = 1,", "1 ok"},
			"get x, get y -> 1, (call 2) fits no order; at first there is nothing; still open is" +
				" set x 1, set y 1 (call 1)"},
		{"each key alone is right, both are not", []string{"1 set x 1, get y", "2 set y 1, get x", "1 = ,", "2 = ,"},
			"set y 1, get x -> , (call 2) fits no order; one of what returned before it is" +
				" set x 1, get y -> , (call 1), and leaves x=1"},
		{"what was replaced and what was taken back is gone",
			[]string{"1 set x 1, set y 1", "1 ok", "2 set x 2", "2 ok", "2 set y -", "2 ok", "1 get y", "1 = 1"},
			"get y -> 1 (call 4) fits no order; one of what returned before it is set x 1, set y 1 -> ok (call 1)," +
				" set x 2 -> ok (call 2), set y - -> ok (call 3), and leaves x=2"},
		{"one half of an unknown one is seen",
			[]string{"1 set x 1, set y 1", "1 ?", "3 get y", "3 = 1", "3 get x", "3 ="},
			"get x -> nothing (call 3) fits no order; one of what returned before it is" +
				" set x 1, set y 1 (call 1), get y -> 1 (call 2), and leaves x=1 y=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			reasoned(t, ledger, c.steps, c.want)
		})
	}
}

func TestKeysThatNoTransactionJoinsAreApart(t *testing.T) {
	steps := []string{"1 set a 1, set b 1", "2 set b 2, set c 2", "1 ok", "2 ok", "1 get d", "1 = 5",
		"2 get c, get a", "2 = 2,7"}
	_, v, panicked := check(checker.Linearizable(ledger), tell(steps...))
	if panicked != nil || v == nil || v.Count != 2 || !strings.HasPrefix(v.Reason, "get d -> 5 (call 3)") {
		t.Errorf("got %v, panic %v, want d blamed first, and 2 parts wrong", v, panicked)
	}
}
