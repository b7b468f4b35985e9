package pages

// bases are the topologies on which wrong variants are tried in every order: two phases with two
// primaries, two phases with a primary and a backup, one phase with a primary and a backup.
func bases() [3]string {
	return [3]string{"base-two-primaries.txt", "base-primary-backup.txt", "base-one-phase.txt"}
}

// kill is a row of section 6: a variant, and what the section says of it on the three bases.
type kill struct {
	number, variant string
	split           bool   // it is split mode in which the row holds
	by              string // the property that judges, "" for agreement
	says            [3]string
	why             string // where a base comes to something else
}

// What a cell of section 6 says most.
const (
	killed = "killed"
	eq     = "eq"
	none   = "–" // does not apply
	unsaid = ""  // left empty
)

func everywhere(word string) [3]string { return [3]string{word, word, word} }

// Why rows come to something else than section 6 says.
const (
	startIsFirst = "where entry is one event START is written before anything commits inside, so " +
		"all data of what is after stand behind START and are after by their place. The excluded set " +
		"is for nodes that are in the cut and have no START yet, in split mode (S-15): the next row."
	noBackup = "the specification names the invariant in the first column, where there is no backup " +
		"that could answer early; with a backup in two phases it is killed."
	oneSession = "I-21 is the order of a client's session, which takes two transactions. " +
		"No transaction is torn, so agreement must hold, and does; m07-npq-unsigned.txt has the " +
		"second transaction, and breaks session-order."
)

// kills are the rows of section 6 that are about the three bases, without faults.
func kills() []kill {
	return []kill{
		{number: "M-01", variant: "deaf", says: everywhere(killed)},
		{number: "M-02", variant: "applies-first", says: everywhere(killed)},
		{number: "M-03", variant: "nfq-unsigned", says: [3]string{killed, killed, none}},
		{number: "M-04", variant: "npr-unsigned", says: [3]string{killed, killed, eq}},
		{number: "M-05", variant: "dfq-unsigned", says: [3]string{none, killed, none}},
		{number: "M-06", variant: "dpr-unsigned", says: [3]string{none, killed, killed}},
		{number: "M-07", variant: "dpq-unsigned", says: [3]string{none, eq, killed}},
		{number: "M-07b", variant: "npq-unsigned", says: [3]string{eq, eq, "killed by I-21"},
			why: oneSession},
		{number: "M-08", variant: "no-excluded", says: everywhere(killed), why: startIsFirst},
		{number: "M-08", variant: "no-excluded", split: true, says: everywhere(killed)},
		{number: "M-08b", variant: "no-included", says: everywhere(killed)},
		{number: "M-09", variant: "swapped", says: everywhere(killed)},
		{number: "M-09", variant: "at-least", says: everywhere(killed)},
		{number: "M-10", variant: "primary-resigns", says: [3]string{killed, unsaid, none}},
		{number: "M-10", variant: "backup-resigns", says: [3]string{unsaid, killed, none}},
		{number: "M-11", variant: "primary-signs", says: [3]string{none, none, killed}},
		{number: "M-11", variant: "nobody-signs", says: [3]string{none, none, killed}},
		{number: "M-13", variant: "tagged-early", says: [3]string{killed, killed, none}},
		{number: "M-14", variant: "no-callback", split: true, says: everywhere(killed)},
		{number: "M-14b", variant: "committing-untracked", split: true, says: everywhere(killed)},
		{number: "M-14c", variant: "start-last", split: true, says: everywhere(killed)},
		{number: "M-17", variant: "hasty", says: everywhere(killed)},
		{number: "M-18", variant: "fixed/preparing=skip", says: everywhere(eq)},
		{number: "M-30", variant: "late-prepared", says: [3]string{none, none, killed}},
		{number: "M-41", variant: "one-vote-short", by: "unanimity",
			says: [3]string{"killed by I-12", unsaid, unsaid}},
		{number: "M-42", variant: "early-answer", by: "unanimity",
			says: [3]string{"I-13", unsaid, unsaid}, why: noBackup},
	}
}

// name is the variant as a story writes it.
func (k kill) name() string {
	if k.split {
		return k.variant
	}
	return k.variant + "/entry=atomic/commit=atomic"
}

// judge is the property that judges.
func (k kill) judge() string {
	if k.by == "" {
		return agreement
	}
	return k.by
}

// mode is the mode of the row.
func (k kill) mode() string {
	if k.split {
		return "split"
	}
	return "atomic"
}

// cellsOf are the cells of a row.
func (k kill) cellsOf() []*cell {
	var cells []*cell
	for _, b := range bases() {
		cells = append(cells, &cell{base: b, variant: k.name(), by: k.judge()})
	}
	return cells
}
