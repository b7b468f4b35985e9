package ignite

import (
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// glyph is the sort of a record, in the text of a log and in its bytes. P, D, C, S and F are those
// of the golden logs (5.6); R is a TxRecord of a rollback, T one of any other state; B a full
// snapshot, H that of some groups; I an increment, J its taking back; G closed gaps; M the
// MetaStorage; W a partition taken over by rebalance, K the pages of one; Z a restore. A record
// that a crash tore is "?".
type glyph byte

func letterOf(r sim.Record) glyph {
	switch r := r.(type) {
	case txRecord:
		return letterOfState(r.State)
	case dataRecord:
		return 'D'
	case startRecord:
		return 'S'
	case finishRecord:
		return 'F'
	case baseRecord:
		return 'B'
	case incrementRecord:
		if r.Removed {
			return 'J'
		}
		return 'I'
	case gapRecord:
		return 'G'
	case metaRecord:
		return 'M'
	case groupBaseRecord:
		return 'H'
	case rebalanceRecord:
		return 'W'
	case pagesRecord:
		return 'K'
	case restoredRecord:
		return 'Z'
	}
	return '?'
}

func letterOfState(s state) glyph {
	switch s {
	case prepared:
		return 'P'
	case committed:
		return 'C'
	case rolledBack:
		return 'R'
	}
	return 'T'
}

// Letters is what a log has of a transaction and of cuts, in the letters of 5.6: "P S D C F+T",
// where F+T is a FINISH that includes T, F-T one that excludes it. Without cuts it is about all of
// them. Without a transaction it is about all records, of whatever sort.
func (l Log) Letters(tx string, cuts ...string) string {
	var words []string
	for _, r := range l {
		if word := lettersOf(r, tx, cuts); word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

func lettersOf(r sim.Record, tx string, cuts []string) string {
	about := func(t txID) bool { return tx == "" || t.Name == tx }
	of := func(c cutID) bool { return len(cuts) == 0 || slices.Contains(cuts, c.Name) }
	word := string(letterOf(r))
	switch r := r.(type) {
	case txRecord:
		if !about(r.txID) {
			return ""
		}
	case dataRecord:
		if !about(r.txID) {
			return ""
		}
	case startRecord:
		if !of(r.Cut) {
			return ""
		}
	case finishRecord:
		if !of(r.Cut) {
			return ""
		}
		word += membersOf("+", r.Included, about) + membersOf("-", r.Excluded, about)
	default:
		if tx != "" {
			return ""
		}
	}
	return word
}

func membersOf(sign string, list []txID, about func(txID) bool) string {
	var text strings.Builder
	for _, t := range list {
		if about(t) {
			text.WriteString(sign + t.Name)
		}
	}
	return text.String()
}

// String is the log for people, a record a line.
func (l Log) String() string {
	var text strings.Builder
	for _, r := range l {
		text.WriteString(sim.Text(r) + "\n")
	}
	return text.String()
}
