// Package scenarios is the language in which stories are told, and the theatre in which they are
// played. A story is a text file: who is there, what happens, what must come of it. People write
// them, and so do the tools that find failures; each is a test that one can read.
//
//	-- scenario --            who is there, and how the world is
//	model  cut
//	nodes  P Q
//
//	-- script --              what happens, line by line
//	hold P->Q notify tx5      ... a link, a kind and keys name what is meant
//	P commit tx5              ... a node and a request
//	P cut 1
//	release P->Q notify tx5
//
//	-- expect --              what must come of it
//	Q         side tx5 after  ... a claim about what can be seen at the end
//	unsigned  breaks consistent-cut
//	signed    holds
//
// The package does not know which protocols there are; it is handed a sim.Protocol. Nor does it
// judge: that is what package checker is for, with the properties of the protocol.
//
// The nouns: a Scenario is a story as it is written, comments and all. A Step is a line of its
// script. A Claim is about what the model shows, a Verdict about what the properties say. A grid is
// a story in which words vary, and its cases are stories of their own.
//
//	          Parse              Expand              Plan
//	text  ------------>  Scenario  ---->  Scenario  ------>  sim.Plan  ---->  sim.Run
//	      <------------     ^      (a case)                     |                |
//	         Format         '-------------- Story --------------'                |
//	                                                                             v
//	Report  <-----------------------  what was expected  <------------  checker.Verdict
//
// Parse is in two halves. The first takes a file apart into sections, lines, words and comments;
// the second makes a Scenario of these, and Format turns it round. A case of a grid is made between
// the halves: the lines of the grid with other words in them, so that an error in a case has the
// line of the file. Parse is strict. It reads every case, and it says of every word that means
// nothing where it stands and which known word is near. What only the model knows is for Check to
// say.
//
// # The language
//
// A # at the start of a line or after a blank begins a comment, which belongs to the line below.
// Each section stands once, in any order; scenario, expect, and a script or a load are needed.
//
//	-- scenario --       who is there, and how the world is
//	-- vary --           the words of a grid
//	-- script --         what happens, line by line
//	-- load --           requests and faults by the clock, beside the script; time runs only
//	-- expect --         what must come of it
//	-- chance --         what chance is told to choose
//	-- trace VARIANT --  the run as it must be, entry by entry
//
// Time stands still by default: nothing takes time, timers wait, and after each line all flows to
// rest. Then the story is also played in eight other orders of its deliveries; one in which
// something else comes of it makes it loose. "time runs" has delays, timers that fire, and chance.
//
// Words of -- scenario -- in either time; all others go to the model, as its set-up:
//
//	model M                whose protocol
//	nodes P Q              members from the start; names begin with a capital
//	later R                a node that may join
//	variants V W           what is played; by default what -- expect -- names. In V/RULE=VALUE a
//	                       rule of the model is set
//	time still|runs        see above
//	order fixed            still: no other orders
//	explore timers N crashes N losses N duplicates N partitions N breaks N keep
//	                       still: how often downset explore lets these happen on one way, each where
//	                       it may; what is not named does not. keep: a crash may also leave what was
//	                       not synced. Without the line: a timer, and a crash if the model stands it
//	network manual         still: a hold on all links between nodes
//	inflight spare|park|lose  what a partition does to messages under way
//	disk slow              a sync is an event of its own, and can be held
//	budget events|bytes N  more is undecided; so too budget time D; budget linger D: how long a
//	                       timed run goes on after its last line
//
// and only if time runs, where DIST is 5ms, 1ms..10ms or 1ms..10ms heavy, and LINK may be left out:
//
//	delay LINK DIST        loss LINK 5%         duplicate LINK 5%
//	disk slow DIST told DIST   until a sync is durable, and until the node knows
//	disk fails 1%          disk torn 1%         disk keeps some (of what was not synced, at a crash)
//	crash 1%               crashes N (at most)  restart DIST (after a crash by chance)
//	break 1%               streams break        reopen DIST (until they are up again)
//	detect D               until the log tells of a crash or leave
//	late DIST              how late timers are
//	timeout D              when clients give up
//	clients N              ops N and span D: of drawn workloads
//	seeds N, seeds A..B    play all of these
//
// A pattern is LINK [KIND [KEY...]] [ORDINAL]. Links: P->Q; P->P is own work; P->disk a sync, and
// disk->P its answer; log->P the log of who came and went; clock->P timers; client->P and P->client
// requests and answers. * is any node, "A->B C" several. Each key must be among the event's. 2nd is
// the second match since the start; other traffic does not change a name.
//
//	hold PATTERN           what matches waits, from here on, and what is under way
//	release PATTERN        lifts each hold it covers; what is free goes in its old order
//	deliver PATTERN        passes the one held event that matches; if several do, it is stale
//	deliver clock->B election  fires that timer, at the earliest when it is due
//	deliver all PATTERN    passes all that match
//	deliver upto PATTERN   of a stream, log or disk: passes all up to the first match
//	drop PATTERN           loses datagrams; drop A->B of a stream breaks it
//	duplicate PATTERN      copies datagrams
//	crash P [for good]     loses memory and what is not synced; for good: also at the story's end
//	restart P              from its disk; at the end all who crashed restart, if not for good
//	pause P, resume P      P does nothing, and loses nothing
//	join R, leave P        as the log tells the others
//	partition A B | C      nothing between groups; A B -> C: nothing from the first to the second
//	heal                   ends all partitions
//	clock P +50ms          a jump, also -50ms; clock P drift 200: in millionths
//	disk P torn|failing|lost|keep N  the next crash tears the last record; the next sync fails; all
//	                       is lost; the next crash keeps N records that were not synced
//	P WORD...              a request to P, as the model reads it; by N P WORD... is from client N
//	settle                 plays until nothing is left to do by itself
//	wake P until CLAIM     still: fires timers of P, up to 20, until the claim is true
//	check CLAIM            the claim, of the run so far; if it fails the story is astray: it has
//	                       drifted, which is no violation
//	until EVENT            time runs: plays until it happens
//
// Before a line, in this order:
//
//	for V W:               only under these variants
//	maybe                  coming to nothing is no fault
//	at D, after D          time runs: at that time, so long after the line before; alone, waits
//	when EVENT             once, right after it; before EVENT: right before it
//	every EVENT            each time; before every EVENT likewise
//
// An EVENT is P or *, then sends, receives, sets, fires, writes, syncs, notes or returns, then
// KIND KEY... ORDINAL as in a pattern. A colon may end it.
//
// A claim is WHO... NAME VALUE..., of what the model shows: "P Q data tx1", "* side tx1 after". *
// is every node that shows it, at least one. In -- expect -- claims before the first verdict bind
// every variant, those after a verdict that one. go test -update rewrites their values, never
// verdicts. A verdict is a variant, or * for all others played, and
//
//	holds                  under every seed
//	breaks A B             some seed breaks exactly these properties; "breaks A B ..." allows more
//	undecided              a budget was not enough
//	loose                  another order comes to something else
//
// Properties have layers; what counts are those of the lowest layer that breaks. Where nothing
// breaks and no property had anything to hold of, the run is vacuous, which is not "holds". A line
// that came to nothing is stale: a hold that caught nothing, a deliver that found nothing, a when
// that never was, a fault of a disk with no crash or sync to strike at. It is skipped, and the
// story fails, but what the tools search with goes on.
//
// A grid is played once for each choice of its words, $NAME wherever NAME varies:
//
//	NAME VALUE...          in -- vary --, what NAME may be
//	skip NAME=VALUE...     leaves out cases
//	cases N void M         how many there must be, M of them with a stale line, which count for
//	                       nothing; "void M" is left out if there are none
//	CLAIM if NAME=VALUE... in -- expect --, a claim about some cases
//
// Tools write -- chance --; people may. PATTERN names one event here, and is not held:
//
//	delay PATTERN by D, duplicate PATTERN by D, late clock->P KIND by D, drop PATTERN
//	crash P before|after append|sync|send|publish|return [KIND KEY...] [ORDINAL]
//	restart P [ORDINAL] after D, keep P N [ORDINAL], torn P [ORDINAL], fail P->disk [KIND KEY...]
//	break A->B KIND KEY..., lose A->B after KIND KEY..., draw P LABEL [ORDINAL] is N
//
// # The design not taken
//
// YAML, TOML or JSON would have spared us a parser and cost every reader and the shrinker a hundred
// brackets and quotes; a story does not nest. A tolerant parser, which skips what it does not know,
// would have let a misspelt word turn a test into one that tests nothing. A parser made from a
// grammar would have given errors that speak of tokens; ours speak of what was wanted, and
// grammar.ebnf is checked against the parser in both directions instead: Parse takes what the
// grammar makes, and the grammar takes what Format prints. The cases of a grid as templates over
// its text were tried; they replaced words in comments too, and errors lost their lines.
package scenarios

import _ "embed" // of the grammar

// Grammar is the grammar of scenarios, in the notation of golang.org/x/exp/ebnf.
//
//go:embed grammar.ebnf
var Grammar string
