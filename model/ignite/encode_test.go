package ignite_test

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// goldenLog is a log of testdata/wal.golden.
type goldenLog struct {
	story, variant, node string
	letters              []string
	bytes                []byte
}

func goldenLogs(t *testing.T) []goldenLog {
	t.Helper()
	text, err := os.ReadFile("testdata/wal.golden")
	if err != nil {
		t.Fatal(err)
	}
	var logs []goldenLog
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case len(words) == 3:
			logs = append(logs, goldenLog{story: words[0], variant: words[1], node: words[2]})
		default:
			b, err := hex.DecodeString(words[1])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			l := &logs[len(logs)-1]
			l.letters, l.bytes = append(l.letters, words[0]), append(l.bytes, b...)
		}
	}
	return logs
}

// TestGoldenLogs plays the stories of section 5.6, and compares the logs with what was written down
// beforehand.
func TestGoldenLogs(t *testing.T) {
	logs := goldenLogs(t)
	if len(logs) < 20 {
		t.Errorf("%d golden logs, want those of section 5.6", len(logs))
	}
	for _, g := range logs {
		t.Run(g.story+" "+g.node, func(t *testing.T) {
			run := playStory(t, g.story, g.variant)
			var got ignite.Log
			for _, d := range run.Disks {
				if run.Name(d.Node()) == g.node {
					got = aboutT(ignite.ReadLog(d))
				}
			}
			if text := got.Letters("T", "c1"); text != strings.Join(g.letters, " ") {
				t.Fatalf("%s of %s, log of %s: got %s, want %s", g.story, g.variant, g.node, text, g.letters)
			}
			if b := got.Encode(); string(b) != string(g.bytes) {
				t.Errorf("%s of %s, log of %s:\ngot  %x\nwant %x", g.story, g.variant, g.node, b, g.bytes)
			}
			back, err := ignite.Decode(g.bytes)
			if err != nil || !reflect.DeepEqual(back, got) {
				t.Errorf("decoded: got %v, %v, want %v", back, err, got)
			}
		})
	}
}

// playStory plays a story of scenarios/ignite, or of testdata.
func playStory(t testing.TB, story, variant string) *sim.Run {
	t.Helper()
	file := filepath.Join("testdata", story+".txt")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		file = filepath.Join("..", "..", "scenarios", "ignite", story+".txt")
		text, err = os.ReadFile(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
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
	return run
}

// aboutT are the records of transaction T and of cut c1.
func aboutT(l ignite.Log) ignite.Log {
	var rest ignite.Log
	for _, r := range l {
		if (ignite.Log{r}).Letters("T", "c1") != "" {
			rest = append(rest, r)
		}
	}
	return rest
}

// drawRecords draws records of every sort.
func drawRecords(t *rapid.T) ignite.Log {
	l := drawWild(t)
	tx := ignite.TxID{Name: rapid.String().Draw(t, "tx"), Near: sim.NodeID(rapid.Uint16Max(0xfff0).Draw(t, "near")),
		Life: rapid.Int64().Draw(t, "life")}
	number := rapid.Int64()
	part := ignite.Partition{Name: "p", Group: rapid.String().Draw(t, "group"), Counter: number.Draw(t, "counter"),
		Reserved: number.Draw(t, "reserved"), Entries: []ignite.Entry{{Key: "k", Value: "v", Tx: tx}}}
	return append(l,
		ignite.PreparedRecord(tx, ignite.Share{Primary: 1, Backups: []sim.NodeID{2, 300},
			Writes: []ignite.Write{{Key: "k", Add: number.Draw(t, "add"), Adds: true}, {Key: "l", Value: "v"}},
			Reads:  []ignite.Sight{{Key: "m", Counter: number.Draw(t, "read")}}}, ignite.Share{Primary: 2}),
		ignite.CommittedRecord(tx), ignite.RolledBackRecord(tx), ignite.UnknownRecord(tx),
		ignite.GapRecord{Part: "p", From: number.Draw(t, "from"), To: number.Draw(t, "to")},
		ignite.MetaRecord{Version: number.Draw(t, "version"), Forbidden: "why"},
		ignite.GroupBaseRecord{Groups: []string{"", "g"}, Data: []ignite.Partition{part}},
		ignite.PagesRecord{Part: part},
		sim.Torn{})
}

func TestDecodeUndoesEncode(t *testing.T) {
	letters := map[byte]bool{}
	rapid.Check(t, func(t *rapid.T) {
		l := drawRecords(t)
		for _, r := range l {
			letters[ignite.LetterOf(r)] = true
		}
		back, err := ignite.Decode(l.Encode())
		if err != nil || normal(back) != normal(l) {
			t.Fatalf("%v\nbecomes %x\nbecomes %v, %v", l, l.Encode(), back, err)
		}
	})
	for _, letter := range []byte("PCRTDSFBIJGMWHKZ?") {
		if !letters[letter] {
			t.Errorf("no record with the letter %c was drawn", letter)
		}
	}
}

// normal is a log whose lists are nil if they are empty, as they are decoded.
func normal(l ignite.Log) string {
	return regexp.MustCompile(`(\[\][A-Za-z.]+)\{\}`).ReplaceAllString(l.Dump(), "$1(nil)")
}

// A log that a crash cut off at any byte gives the records before, and an error unless the cut is
// between two.
func TestALogCutOffAtAnyByteGivesTheRecordsBefore(t *testing.T) {
	for _, g := range goldenLogs(t) {
		whole, err := ignite.Decode(g.bytes)
		if err != nil {
			t.Fatal(err)
		}
		ends := map[int]int{0: 0} // by size, how many records
		for n := range whole {
			ends[len(whole[:n+1].Encode())] = n + 1
		}
		records := 0
		for n := range g.bytes {
			if have, ok := ends[n]; ok {
				records = have
			}
			_, between := ends[n]
			got, err := ignite.Decode(g.bytes[:n])
			if len(got) != records || (err == nil) != between || err != nil && !strings.Contains(err.Error(), "torn") {
				t.Errorf("%s, the first %d bytes: got %d records, %v, want %d", g.story, n, len(got), err, records)
			}
		}
	}
}

func TestNoBitOfALogCanChangeUnnoticed(t *testing.T) {
	for _, g := range goldenLogs(t) {
		for at := range g.bytes {
			for bit := range 8 {
				b := append([]byte(nil), g.bytes...)
				b[at] ^= 1 << bit
				if got, err := ignite.Decode(b); err == nil {
					t.Errorf("%s, bit %d of byte %d changed: got %v, want an error", g.story, bit, at, got)
				}
			}
		}
	}
}

func TestWhatIsWrongWithARecordIsSaid(t *testing.T) {
	for _, c := range []struct{ name, hex, want string }{
		{"no length", "53", "record 1 at byte 0: torn within its length"},
		{"too short", "5304026331", "record 1 at byte 0: torn: 5 of its 10 bytes"},
		{"another checksum", "5304026331007ac79de9", "record 1 at byte 0: corrupt: checksum e89dc77a, want e99dc77a"},
		{"a second record that is torn", "5304026331007ac79de85304", "record 2 at byte 10: torn: 2 of its 10 bytes"},
		{"a length that is too long for its number", "538400026331007ac79de8",
			"record 1 at byte 0: corrupt: its length is no number of the least length"},
		{"a number of more bytes than it wants", "5305026331800086a1e592",
			"record 1 at byte 0: corrupt: a number is cut short, or not of the least length"},
		{"more bytes than fields", "53050263310000cd3966a9", "record 1 at byte 0: corrupt: 1 bytes more than fields"},
		{"an unknown letter", "5800a3c5bb33", "record 1 at byte 0: corrupt: no record has the letter 'X'"},
		{"a text that is longer than the record", "53030563315d17e1b2",
			"record 1 at byte 0: corrupt: a length of 5, with 2 bytes left"},
		{"a truth that is neither", "5708017000000000010287d74dd4",
			"record 1 at byte 0: corrupt: truth is 0 or 1, not 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := hex.DecodeString(c.hex)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ignite.Decode(b); err == nil || err.Error() != c.want {
				t.Errorf("%s: got %v, want %s", c.hex, err, c.want)
			}
		})
	}
}

// FuzzDecode: no bytes make it panic, and what it reads is what would be written.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("S\x04\x02c1\x00\x7a\xc7\x9d\xe8"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, _ := ignite.Decode(b)
		if again := l.Encode(); string(again) != string(b[:len(again)]) {
			t.Errorf("%x is read as %v, which is written as %x", b, l, again)
		}
	})
}
