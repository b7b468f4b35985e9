package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/downset/downset/sim"
)

// reader reads the words of one line from left to right. The first thing that is not as wanted is
// kept as msg; after that everything read is zero, so that callers need not ask at each word.
type reader struct {
	words  []string
	at     int
	nodes  []string // all that there are, those that may join included
	closed bool     // the end of a trigger's event is marked
	msg    string
}

// failf says what was wanted, unless something was wrong before.
func (r *reader) failf(format string, args ...any) {
	if r.msg == "" {
		r.msg = fmt.Sprintf(format, args...)
	}
}

// want fails: what was wanted is not what comes.
func (r *reader) want(what string) {
	switch {
	case r.at < len(r.words):
		r.failf("want %s, got %q", what, r.words[r.at])
	case r.at > 0:
		r.failf("want %s after %q", what, r.words[r.at-1])
	default:
		r.failf("want %s", what)
	}
}

func (r *reader) more() bool { return r.msg == "" && r.at < len(r.words) }

// peek is the next word, "" if there is none.
func (r *reader) peek() string {
	if !r.more() {
		return ""
	}
	return r.words[r.at]
}

// next takes the next word, whatever it is.
func (r *reader) next(what string) string {
	if !r.more() {
		r.want(what)
		return ""
	}
	r.at++
	return r.words[r.at-1]
}

// is takes the next word if it is this one.
func (r *reader) is(word string) bool {
	found := r.more() && r.words[r.at] == word
	if found {
		r.at++
	}
	return found
}

// must takes the next word, which must be this one.
func (r *reader) must(word string) {
	if !r.is(word) {
		r.want(strconv.Quote(word))
	}
}

// oneOf takes the next word, which must be one of those known, and gives its place among them.
func (r *reader) oneOf(known []string) int {
	what := listed(known)
	w := r.next(what)
	i := slices.Index(known, w)
	if r.msg == "" && i < 0 {
		r.failf("want %s, got %q%s", what, w, near(w, known))
	}
	return max(i, 0)
}

// rest takes all words that are left.
func (r *reader) rest() []string {
	if !r.more() {
		return nil
	}
	words := slices.Clone(r.words[r.at:])
	r.at = len(r.words)
	return words
}

// end says that nothing may follow.
func (r *reader) end() {
	if r.more() {
		r.want("the end of the line")
	}
}

// read takes a word that a lexical rule understands.
func read[T any](r *reader, what string, rule func(string) (T, bool)) T {
	var zero T
	if !r.more() {
		r.want(what)
		return zero
	}
	v, ok := rule(r.words[r.at])
	if !ok {
		r.want(what)
		return zero
	}
	r.at++
	return v
}

func (r *reader) duration() time.Duration {
	return read(r, "a duration such as 5ms", parseDuration)
}

// positive is a duration above zero.
func (r *reader) positive() time.Duration {
	d := r.duration()
	if r.msg == "" && d == 0 {
		r.at--
		r.want("a duration above 0")
	}
	return d
}

func (r *reader) percent() sim.PPM {
	return read(r, "a percentage such as 0.5% (100% at most, four decimals at most)", parsePercent)
}

// number is a whole number between bounds.
func (r *reader) number(low, high int64) int64 {
	at := r.at
	n := read(r, "a number", parseNumber)
	if r.msg == "" && (n < low || n > high) {
		r.at = at
		r.want(fmt.Sprintf("a number from %d to %d", low, high))
	}
	return n
}

// nth is an ordinal such as 2nd, or otherwise if none comes.
func (r *reader) nth(otherwise int) int {
	if !r.more() || !ordinalLike(r.peek()) {
		return otherwise
	}
	return read(r, "an ordinal such as 1st, 2nd, 3rd, 4th", parseOrdinal)
}

// dist is "5ms", "1ms..10ms" or "1ms..100ms heavy".
func (r *reader) dist() sim.Dist {
	const what = "a duration such as 5ms or 1ms..10ms"
	low, high, ranged := strings.Cut(r.peek(), "..")
	if !r.more() || !ranged {
		return sim.Dist{Low: read(r, what, parseDuration)}
	}
	d := sim.Dist{Shape: sim.Uniform}
	var fine [2]bool
	d.Low, fine[0] = parseDuration(low)
	d.High, fine[1] = parseDuration(high)
	switch {
	case fine != [2]bool{true, true}:
		r.want(what)
	case d.Low >= d.High:
		r.want("LOW..HIGH with LOW below HIGH")
	}
	r.at++
	if r.is("heavy") {
		d.Shape = sim.Heavy
	}
	return d
}

// units are those of durations, the longest first.
var units = []struct {
	name   string
	length time.Duration
}{
	{"h", time.Hour}, {"m", time.Minute}, {"s", time.Second},
	{"ms", time.Millisecond}, {"us", time.Microsecond}, {"ns", time.Nanosecond},
}

// longest is far beyond any run, and far enough from overflow to be added to.
const longest = time.Duration(1 << 60)

// parseDuration reads a sum such as "1m30s" or "1.5ms", exactly.
func parseDuration(w string) (time.Duration, bool) {
	var sum time.Duration
	for more := true; more; more = w != "" {
		number := w[:spanOf(w, "0123456789.")]
		name := w[len(number):][:spanOf(w[len(number):], "hmnsu")]
		w = w[len(number)+len(name):]
		d, ok := amount(number, name)
		if !ok || d > longest-sum {
			return 0, false
		}
		sum += d
	}
	return sum, true
}

// amount is a number of units, if that is a whole number of nanoseconds.
func amount(number, name string) (time.Duration, bool) {
	whole, fraction, dotted := strings.Cut(number, ".")
	n, ok := parseNumber(whole)
	if !ok || dotted && fraction == "" {
		return 0, false
	}
	for _, u := range units {
		if u.name != name || n > int64(math.MaxInt64/u.length) {
			continue
		}
		part, ok := fractionOf(int64(u.length), fraction)
		d := time.Duration(n) * u.length
		return d + time.Duration(part), ok && int64(d) <= math.MaxInt64-part
	}
	return 0, false
}

// fractionOf is the part of a unit that digits after the point stand for, if it is whole.
func fractionOf(unit int64, digits string) (int64, bool) {
	part := int64(0)
	for i := range len(digits) {
		beyond := unit == 0 || unit%10 != 0
		if digits[i] < '0' || digits[i] > '9' || beyond && digits[i] != '0' {
			return 0, false
		}
		unit /= 10
		part += unit * int64(digits[i]-'0')
	}
	return part, true
}

// spanOf is how many bytes of w, from the first, are among those given.
func spanOf(w, among string) int {
	for i := range len(w) {
		if strings.IndexByte(among, w[i]) < 0 {
			return i
		}
	}
	return len(w)
}

// parseNumber reads a whole number without sign.
func parseNumber(w string) (int64, bool) {
	if w == "" || spanOf(w, "0123456789") < len(w) {
		return 0, false
	}
	n, err := strconv.ParseInt(w, 10, 64)
	return n, err == nil
}

// parsePercent reads a percentage of at most four decimals.
func parsePercent(w string) (sim.PPM, bool) {
	number, ok := strings.CutSuffix(w, "%")
	whole, fraction, dotted := strings.Cut(number, ".")
	n, fine := parseNumber(whole)
	if !ok || !fine || n > 100 || dotted && fraction == "" {
		return 0, false
	}
	part, ok := fractionOf(10_000, fraction)
	sum := n*10_000 + part
	return sim.PPM(sum), ok && sum <= 1_000_000
}

// ordinalLike says that a word is meant as an ordinal: digits, then st, nd, rd or th.
func ordinalLike(w string) bool {
	n := spanOf(w, "0123456789")
	return n > 0 && slices.Contains([]string{"st", "nd", "rd", "th"}, w[n:])
}

// parseOrdinal reads 1st, 2nd, 3rd, 4th, ... 11th, ... 21st.
func parseOrdinal(w string) (int, bool) {
	n, ok := parseNumber(w[:spanOf(w, "0123456789")])
	if !ok || n < 1 || n > math.MaxInt32 {
		return 0, false
	}
	return int(n), w == ordinalText(int(n))
}
