package pages

// What section 2 says of a schedule under a variant.
const (
	fixes = "+"
	fails = "–"
)

// Sets of variants, as section 2 speaks of them.
const (
	writes      = "P0/resolve-empty=write"
	shipped     = "P1 P2 P3 P3a P3b P4"
	shippedOff  = "P3 P3a P3b P4" // without elections
	filteredOff = "P1 P2"         // their filter needs elections
	ownerCopies = "II II/bounded=closed"
	endless     = "II/dup-by=every/dedupe=off"
	ofIII       = "III III/pair=one III/table=wal"
	ofIV        = "IV IV/compare=leader-log IV/filter-async=on"
	byRaftTerm  = "IV IV/filter-async=on"
	onRestart   = "V V/evidence=first V/hold=any"
	ofV         = onRestart + " V/trigger=reconnect"
	ofOwnRows   = "V V/evidence=first V/trigger=reconnect"
)

// schedules are the reference schedules, with what section 2 says of them.
func schedules() []schedule {
	return []schedule{
		{number: "S0", name: "s00-base-bug", says: both(say(fails, writes+" "+endless),
			say(fixes, "I "+ownerCopies+" "+ofIII+" "+ofIV+" "+ofV+" "+shipped))},
		{number: "S0", name: "s00-evidence-changes", says: say(fails, ofV)},
		{number: "S0", name: "s00-first-evidence", says: both(say(fails, "V/evidence=first"),
			say(fixes, "V V/hold=any V/trigger=reconnect"))},
		{number: "S1", name: "s01-third-holder", says: both(say(fails, writes+" "+endless),
			say(fixes, "I "+ofIII+" "+ofIV+" "+shipped))},
		{number: "S1", name: "s01-third-holder-off", says: both(
			say(fails, writes+" "+ownerCopies+" "+endless+" "+ofIV+" "+ofOwnRows+" "+filteredOff),
			say(fixes, "I "+ofIII+" "+shippedOff))},
		{number: "S2", name: "s02-without-elections", says: both(
			say(fails, writes+" "+endless+" "+ofIV+" "+filteredOff),
			say(fixes, "I "+ownerCopies+" "+ofIII+" "+ofV+" "+shippedOff))},
		{number: "S3", name: "s03-partition", says: both(say(fails, writes+" "+onRestart),
			say(fixes, "I "+ownerCopies+" "+ofIII+" "+ofIV+" "+shipped))},
		{number: "S4", name: "s04-two-resolvers-in-turn", says: both(say(fails, writes),
			say(fixes, "I "+ofIV+" "+shipped))},
		{number: "S5", name: "s05-same-key", says: both(say(fails, "I"), say(fixes, shipped))},
		{number: "S5", name: "s05-two-writers", says: say(fails, "I")},
		{number: "S6", name: "s06-confirmed-on-the-owner-alone", says: say(fixes, shipped)},
		{number: "S7", name: "s07-two-at-once", says: say(fixes, shipped)},
		{number: "S7", name: "s07-two-at-once-off", says: say(fails, ofIII+" "+shipped)},
		{number: "S8", name: "s08-owner-again", says: say(fixes, ofIII+" "+ofIV+" "+shipped)},
		{number: "S8", name: "s08-owner-again-off", says: both(
			say(fails, "II/dup-by=every "+endless+" "+ofIV+" "+filteredOff),
			say(fixes, ofIII+" "+shippedOff))},
		{number: "S9", name: "s09-restart", says: say(fixes, "I "+shipped)},
		{number: "S9", name: "s09-restart-from-snapshot", says: both(say(fails, "III/table=wal"),
			say(fixes, "I "+shipped))},
		{number: "S10", name: "s10-election-in-progress", says: both(say(fails, byRaftTerm),
			say(fixes, "IV/compare=leader-log "+shipped))},
		{number: "S12", name: "s12-acks-of-nops", says: both(say(fails, ofIII+" "+ofIV+" P1 P2 P3"),
			say(fixes, "P3a P3b P4"))},
	}
}

// reason is why some variants come to something else than section 2 says, in a sentence or two.
type reason struct{ story, variants, why string }

func reasons() []reason {
	return []reason{
		{"s04-two-resolvers-in-turn", byRaftTerm,
			"A catches up while C leads, and to C's raft term the row that B had committed in its own " +
				"is outdated: the literal wording makes NOPs of history too. Section 2 counts S4 as " +
				"fixed, and names the same cause under S10; with the newest term of a log it is fixed."},
		{"s06-confirmed-on-the-owner-alone", "P1",
			"nothing is lost, as section 2 says; but P1 still drops rows of those who do not lead, so " +
				"A's late CONFIRM gets to nobody before A leads again."},
		{"s06-confirmed-on-the-owner-alone", "P3 P3a",
			"nothing is lost, as section 2 says; but A's late CONFIRM is a split-brain until P3b " +
				"remembers the boundaries of former owners (#9138), which section 4 lists."},
	}
}
