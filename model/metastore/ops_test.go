package metastore_test

import (
	"strings"
	"testing"

	"github.com/downset/downset/model/metastore"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func TestRequestsAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"put x 1", "put x 1 if 3", "put x 1 if 0 lease 2", "put x 1 if seen",
		"delete x", "delete a to c", "delete prefix a", "delete from b", "delete all", "get x", "get x at 3",
		"get all at 3 local limit 2 keys count mod 1 5", "pages all by 2", "update x 1", "compact 3",
		"compact seen", "compact seen 2", "grant 1 50ms", "revoke 1", "keepalive 1", "evict 5s",
		"watch x", "watch prefix a from 3 prev", "unwatch x", "bookmark all", "stall x", "follow a to c",
		"attend", "snapshot", "transfer B", `put \- \x20`, "put to prefix",
		"txn then put x 1 end", "txn if mod x = 3 and exists y then put x 1 , delete y , get all else yield no end",
		"txn if not ( exists x or value y != 1 ) then txn then put x 1 end end"} {
		op, err := metastore.Protocol.ParseOp(strings.Fields(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := sim.Text(op); got != text && !strings.Contains(text, "to prefix") {
			t.Errorf("%s is written %s", text, got)
		}
	}
}

func TestRequestsOfMetadataAreUpdates(t *testing.T) {
	for text, want := range map[string]string{
		"configure limit 3": "update sys/config/limit 3",
		"baseline A B":      "update sys/baseline A,B",
		"assign mail B":     "update sys/service/mail B",
	} {
		op, err := metastore.Protocol.ParseOp(strings.Fields(text))
		if err != nil || sim.Text(op) != want {
			t.Errorf("%s is %v, %v, want %s", text, op, err, want)
		}
	}
}

func TestWhatIsNoRequestIsSaidToBeNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "want a request",
		"putt x 1":                   `unknown request "putt"; did you mean "put"`,
		"put x":                      "want a value at the end",
		"put x 1 if":                 "want a revision",
		"put x 1 lease 0":            "a number from 1",
		"put x 1 2":                  `want nothing more, got "2"`,
		`put \xzz 1`:                 `want \xNN`,
		"get x at 0":                 "a number from 1",
		"delete":                     "want a key",
		"grant 1 soon":               "want a duration",
		"grant -1 5s":                "a number from 1",
		"txn put x 1 end":            `want "then"`,
		"txn then put x 1":           `want "end"`,
		"txn then put x 1 if 3 end":  "no condition of its own",
		"txn then compact 3 end":     "want put, delete, get or txn in a transaction, got compact",
		"txn if modd x = 1 then end": `unknown test "modd"; did you mean "mod"`,
		"txn if mod x ~ 1 then end":  `unknown comparison "~"`,
		"txn if mod x = y then end":  `want a number, got "y"`,
		"baseline":                   "baseline wants nodes",
	} {
		_, err := metastore.Protocol.ParseOp(strings.Fields(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	deep := strings.Repeat("txn then ", 200) + strings.Repeat(" end", 200)
	if _, err := metastore.Protocol.ParseOp(strings.Fields(deep)); err == nil {
		t.Error("200 transactions in each other are accepted, want at most 100")
	}
}

func TestAStorySetsUpWhatThereIs(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"servers A B", ""},
		{"servers A Zorro", `servers wants nodes, got "Zorro"`},
		{"servers A A", "A is named twice"},
		{"snapshot 0", "snapshot wants a number above zero"},
		{"window 3\nwindow 4", "window is set twice"},
		{"retain -5s", "retain wants a duration above zero"},
		{"batch", "want one word after batch"},
	} {
		got := checked("A put x 1", c.line)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%q says %q, want %q", c.line, got, c.want)
		}
	}
}

func TestARequestNamesNodesThatAreThere(t *testing.T) {
	for _, line := range []string{"transfer NODE", "assign s NODE", "baseline A NODE"} {
		for node, want := range map[string]string{"B": "", "Zorro": `no node called "Zorro"`} {
			got := checked("A "+strings.ReplaceAll(line, "NODE", node), "")
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%q with node %s says %q, want %q", line, node, got, want)
			}
		}
	}
}

// checked is what is wrong with a story of one request, and some lines that set it up.
func checked(line, setup string) string {
	s, err := scenarios.Parse("story.txt", []byte("-- scenario --\nmodel metastore\nnodes A B\n"+setup+
		"\n\n-- script --\n"+line+"\n\n-- expect --\netcd holds\n"))
	if err == nil {
		err = s.Check(metastore.Protocol)
	}
	if err == nil {
		return ""
	}
	return err.Error()
}
