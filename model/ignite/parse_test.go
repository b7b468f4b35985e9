package ignite_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
)

func TestRequestsAreParsed(t *testing.T) {
	const whole = "want commit TX [KEY | KEY=VALUE | KEY+N | KEY-N]... [reads KEY...] [MODE] [SYNC]: "
	scenarios.Requests(t, ignite.Protocol, [][3]string{
		{"a transaction with everything", "commit T x y=5 z+3 z-3 reads w optimistic primary-sync",
			"commit T"},
		{"a transaction that is open", "commit T", "commit T"},
		{"the sync mode first", "commit T x full-async serializable", "commit T"},
		{"a transaction that is opened", "begin T pessimistic", "begin T"},
		{"writes in it", "write T x y=2", "access T"},
		{"reads in it", "read T z", "access T"},
		{"its end by the client", "rollback T", "rollback T"},
		{"its rest", "suspend T", "suspend T"},
		{"and its waking", "resume T", "resume T"},
		{"a no to prepare", "refuse T", "refuse T"},
		{"a fault of commit", "fail T", "fail T"},
		{"a cut", "cut c1", "cut c1"},
		{"a full snapshot", "snapshot F", "snapshot F"},
		{"a restore", "restore c1", "restore c1"},
		{"a baseline", "baseline P Q", "baseline P Q"},

		{"no word", "", "want a request: begin, write, read, commit, rollback, suspend, resume, " +
			"refuse, fail, cut, snapshot, baseline, restore"},
		{"a slip of the pen", "comit T x", `unknown request "comit"; did you mean "commit"?`},
		{"nobody's commit", "commit", whole + "want the name of a transaction"},
		{"a mode for a name", "commit optimistic x",
			whole + `want the name of a transaction, got "optimistic"`},
		{"a key after the mode", "commit T x optimistic y",
			whole + `want keys before mode and sync, got "y"; have pessimistic optimistic ` +
				"serializable full-sync primary-sync full-async"},
		{"two modes", "commit T x optimistic serializable",
			whole + `want one at most of what "serializable" is`},
		{"reads of nothing", "commit T x reads optimistic", whole + `want keys after "reads"`},
		{"a key read twice", "commit T reads x x", whole + "want each key once, got x twice"},
		{"a read that sets", "commit T reads x=5", whole + `want a key to read, got "x=5"; have ` +
			"pessimistic optimistic serializable full-sync primary-sync full-async"},
		{"nothing to set it to", "commit T x=", whole + `want a value after "x="`},
		{"nothing to set", "commit T =5", whole + `want a key before "=5"`},
		{"nothing to add", "commit T x+0", whole + `want a number from 1 to 1000000 after "x+", got "0"`},
		{"a sum too great", "commit T x-1000001",
			whole + `want a number from 1 to 1000000 after "x-", got "1000001"`},
		{"a number written otherwise", "commit T x+03",
			whole + `want a number from 1 to 1000000 after "x+", got "03"`},
		{"a sync mode with a slip", "commit T x ful-sync", whole +
			`want a number from 1 to 1000000 after "ful-", got "sync"; did you mean "full-sync"?`},
		{"keys too early", "begin T x", "want begin TX [MODE] [SYNC]: want no keys yet; have " +
			"pessimistic optimistic serializable full-sync primary-sync full-async"},
		{"a mode too late", "write T x optimistic",
			"want write TX KEY...: want keys to write and nothing else"},
		{"a write of nothing", "write T", "want write TX KEY...: want keys to write and nothing else"},
		{"a read of nothing", "read T", "want read TX KEY...: want keys to read"},
		{"a read in a mode", "read T x optimistic",
			"want read TX KEY...: want keys to read and nothing else"},
		{"an empty baseline", "baseline", "want baseline NODE...: want the names of nodes"},
		{"a node twice", "baseline P Q P", "want baseline NODE...: want each node once, got P twice"},
		{"two cuts", "cut c1 c2", "want cut CUT: want one name, got 2"},
		{"no cut", "restore", "want restore CUT: want one name, got 0"},
	})
}

func TestARequestSaysWhatItDoes(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"commit T x y=5 z+3 z-4 reads w optimistic primary-sync",
			"{T optimistic primary-sync [{x T 0 false} {y 5 0 false} {z  3 true} {z  -4 true}] [w]}"},
		{"commit T", "{T pessimistic full-sync [] []}"},
		{"begin T serializable full-async", "{T serializable full-async}"},
		{"write T x y+1", "{T [{x T 0 false} {y  1 true}] []}"},
		{"read T x y", "{T [] [x y]}"},
	} {
		op, err := ignite.Protocol.ParseOp(strings.Fields(c.words))
		if err != nil {
			t.Errorf("ParseOp of %q: %v", c.words, err)
			continue
		}
		if got := fmt.Sprint(op); got != c.want {
			t.Errorf("ParseOp of %q = %s, want %s", c.words, got, c.want)
		}
	}
}
