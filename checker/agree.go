package checker

import (
	"cmp"
	"fmt"
	"strings"
)

// Agreement sums up how the judges of linearizability did against each other: Porcupine's search,
// zones, and the trying of all orders.
type Agreement struct {
	Histories     int
	Operations    int
	Open          int // operations of unknown outcome
	Search        Verdicts
	Zones         Verdicts
	Permutations  Verdicts
	Atomic        int // that are linearizable because of how they were made
	Explained     int // wrong histories whose first wrong return all orders confirm
	Disagreements int
	First         []string // the first few of them
}

// Verdicts counts what one judge said, of histories of one register each.
type Verdicts struct {
	Legal   int
	Illegal int
	None    int // histories it cannot decide, or not in time
}

// permutableUses is how many operations all orders are tried of.
const permutableUses = 7

// CompareLinearizable judges n random histories by every way that can decide them: of 2 to 6
// clients and 1 to 40 operations, some of unknown outcome, some of reads that are stale or spoiled;
// three of four write no value twice, so that zones decide.
func CompareLinearizable(n int, seed uint64) Agreement {
	var a Agreement
	for i := range n {
		a.compare(seed + uint64(i))
	}
	return a
}

// someWorkload is a random workload.
func someWorkload(seed uint64) Workload {
	d := dice(seed)
	d.below(2)
	w := Workload{Clients: 2 + d.below(5), Ops: 1 + d.below(40), Keys: 1 + d.below(2),
		Swaps: d.below(4) == 0, Open: d.below(4) * 7}
	switch d.below(3) {
	case 1:
		w.Stale = 5 * (1 + d.below(8))
	case 2:
		w.Spoiled = 1 + d.below(6)
	}
	return w
}

func (a *Agreement) compare(seed uint64) {
	w := someWorkload(seed)
	spec := w.Spec()
	h, err := ReadHistory(w.Run(seed))
	parts, _, wrong := spec.divide(h)
	if err := cmp.Or(err, wrong); err != nil {
		panic(fmt.Errorf("checker: %w", err))
	}
	d := newDecider(&spec)
	for i := range parts {
		a.Histories++
		a.Operations += len(parts[i].uses)
		says := d.everyone(&parts[i])
		if w.Stale == 0 && w.Spoiled == 0 {
			a.Atomic++
			says.maker = Holds
		}
		if !a.count(&parts[i], says) {
			a.disagree(fmt.Sprintf("seed %d, register %s: %v", seed, parts[i].key, says))
		} else if says.permutations == Broken && !a.explained(d, &parts[i]) {
			a.disagree(fmt.Sprintf("seed %d, register %s: the first wrong return is another",
				seed, parts[i].key))
		}
	}
}

// votes are what the judges say of one history, and its maker: Undecided where one has none.
type votes struct{ search, zones, permutations, maker Outcome }

// everyone asks every judge. Only the search is handed what is left once nothing unseen remains.
func (d *decider) everyone(p *part) votes {
	d.left = d.spec.steps()
	says := votes{Undecided, Undecided, Undecided, Undecided}
	says.search = d.search(d.until(p, Never), d.left)
	if d.readZones(p.uses) {
		says.zones = d.zones.outcome()
	}
	if len(p.uses) <= permutableUses {
		says.permutations = Broken
		if d.spec.permutable(p.uses) {
			says.permutations = Holds
		}
	}
	return says
}

// count adds votes, and says whether they agree.
func (a *Agreement) count(p *part, says votes) bool {
	a.Open += p.open
	a.Search.count(says.search)
	a.Zones.count(says.zones)
	a.Permutations.count(says.permutations)
	legal, illegal := false, false
	for _, o := range []Outcome{says.search, says.zones, says.permutations, says.maker} {
		legal = legal || o == Holds
		illegal = illegal || o == Broken
	}
	return !(legal && illegal)
}

func (v *Verdicts) count(o Outcome) {
	switch o {
	case Holds:
		v.Legal++
	case Broken:
		v.Illegal++
	default:
		v.None++
	}
}

// explained says that up to the return of the operation that is blamed, no order is legal, and that
// one is up to just before.
func (a *Agreement) explained(d *decider, p *part) bool {
	culprit := d.culprit(p)
	if d.spec.permutable(d.until(p, culprit.Return)) {
		return false
	}
	a.Explained++
	return d.spec.permutable(d.until(p, culprit.Return-1))
}

func (a *Agreement) disagree(text string) {
	a.Disagreements++
	if len(a.First) < 5 {
		a.First = append(a.First, text)
	}
}

// Table is the agreement as a table in Markdown.
func (a Agreement) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d random histories of one register each, %d operations, %d of them of unknown"+
		" outcome; %d of the histories are linearizable as they were made; of %d wrong ones all"+
		" orders confirm the first wrong return; %d disagreements.\n\n", a.Histories, a.Operations,
		a.Open, a.Atomic, a.Explained, a.Disagreements)
	b.WriteString("| judge | linearizable | not linearizable | not decided |\n|---|---:|---:|---:|\n")
	for _, row := range []struct {
		name string
		v    Verdicts
	}{
		{"search (Porcupine)", a.Search},
		{"zones", a.Zones},
		{"all orders", a.Permutations},
	} {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", row.name, row.v.Legal, row.v.Illegal, row.v.None)
	}
	return b.String()
}
