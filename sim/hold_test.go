package sim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/downset/downset/sim"
)

// story is a script with what must come of it: what a node notes, and what is stale.
type story struct {
	name   string
	script []string
	see    string // facts of B, or of the node after "A: "
	stale  string
}

func (s story) play(t *testing.T, p *sim.Plan) *sim.Run {
	t.Helper()
	p.Script = lines(s.script)
	run := play(t, p)
	node, want := "B", s.see
	if w, rest, ok := strings.Cut(s.see, ": "); ok && len(w) == 1 {
		node, want = w, rest
	}
	compare(t, run, strings.Join(s.script, "\n"), facts(run, node), want)
	compare(t, run, "stale", staleText(run), s.stale)
	return run
}

func TestHoldReleaseAndDeliver(t *testing.T) {
	const two = "A x: send B m 1; send B m 2"
	const flow = "A x: flow B m 1; flow B m 2; flow B m 3"
	for _, c := range []story{
		{"a held datagram waits", []string{"hold A->B m", two}, "", ""},
		{"others pass it", []string{"hold A->B m 1", two}, "got A m 2", ""},
		{"a released one arrives", []string{"hold A->B m 1", two, "release A->B m 1"}, "got A m 2, got A m 1", ""},
		{"released ones go in their original order", []string{"hold A->B m 2", "hold A->B m 1", two, "release A->B"},
			"got A m 1, got A m 2", ""},
		{"what two holds match waits for both", []string{"hold A->B m", "hold A->B m 1", two, "release A->B m 1"}, "",
			""},
		{"a release lifts only what it covers", []string{"hold A->B", two, "release A->B m"}, "",
			"release A->B m: no hold that it covers stands"},
		{"a release of more lifts less", []string{"hold A->B m 1", two, "release *->*"}, "got A m 2, got A m 1", ""},
		{"several ends", []string{"hold A+C->B m", "A x: send B m 1", "C x: send B m 2", "release A+C->B"}, "got A m 1, got C m 2", ""},
		{"a hold on one of several ends is covered", []string{"hold C->B m", "C x: send B m 2", "release A+C->B"}, "got C m 2", ""},
		{"a hold outlives what it parked", []string{"hold A->B m", "A x: send B m 1", "deliver A->B m", "A x: send B m 2"},
			"got A m 1", ""},
		{"a second hold catches what the first has parked", []string{"hold A->B", "A x: send B m 1", "hold A->B m"}, "", ""},
		{"deliver passes one", []string{"hold A->B m", two, "deliver A->B m 2"}, "got A m 2", ""},
		{"deliver of several is an error that lists them", []string{"hold A->B m", two, "deliver A->B m"}, "",
			"deliver A->B m: several events match: A->B m 1, A->B m 2"},
		{"deliver all passes all", []string{"hold A->B m", two, "deliver all A->B m"}, "got A m 1, got A m 2", ""},
		{"deliver of nothing is stale", []string{"hold A->B m", two, "deliver A->B z"}, "", "deliver A->B z: nothing parked matches"},
		{"a hold that caught nothing is stale", []string{"hold A->B z", two}, "got A m 1, got A m 2", "hold A->B z: it caught nothing"},
		{"maybe is never stale", []string{"maybe hold A->B z", "maybe deliver A->B z", two}, "got A m 1, got A m 2", ""},
		{"keys may come in any order, and some suffice", []string{"hold A->B m 2 1", "A x: send B m 1 2 3; send B m 1"}, "got A m 1", ""},
		{"on a stream the rest waits behind", []string{"hold A->B m 1", flow}, "", ""},
		{"and goes with it", []string{"hold A->B m 1", flow, "deliver A->B m 1"}, "got A m 1, got A m 2, got A m 3", ""},
		{"but not what is held itself", []string{"hold A->B m 1", "hold A->B m 3", flow, "deliver A->B m 1"}, "got A m 1, got A m 2", ""},
		{"deliver of what stands behind is an error", []string{"hold A->B m", flow, "deliver A->B m 2"}, "",
			"deliver A->B m 2: it stands behind A->B m 1; deliver upto passes both"},
		{"deliver upto passes both", []string{"hold A->B m", flow, "deliver upto A->B m 2"}, "got A m 1, got A m 2", ""},
		{"deliver upto passes what stands ahead unheld by the pattern", []string{"hold A->B m", flow, "deliver upto A->B m 3"}, "got A m 1, got A m 2, got A m 3", ""},
		{"deliver all passes none that stands behind another", []string{"hold A->B m", flow, "deliver all A->B m 2"}, "",
			"deliver all A->B m 2: it stands behind A->B m 1; deliver upto passes both"},
		{"a message that comes later queues up behind", []string{"hold A->B m 1", "A x: flow B m 1", "A x: flow B m 2", "release A->B m 1"},
			"got A m 1, got A m 2", ""},
		{"another stream does not wait", []string{"hold A->B m 1", "A x: flow B m 1; send B m 2", "C x: flow B m 3"}, "got A m 2, got C m 3", ""},
		{"a hold survives a crash of the receiver", []string{"hold A->B m", "A x: send B m 1", "crash B", "restart B", "A x: send B m 2", "deliver A->B m"},
			"got A m 2", ""},
		{"and of the sender, as its datagrams do", []string{"hold A->B m", "A x: send B m 1", "crash A", "release A->B m"}, "got A m 1", ""},
		{"a crash loses what is parked on streams", []string{"hold A->B m", flow, "crash A", "release A->B m"}, "broken A A 1", ""},
		{"drop removes a parked datagram", []string{"hold A->B m", two, "drop A->B m 1", "release A->B m"}, "got A m 2", ""},
		{"drop of a message on a stream is refused", []string{"hold A->B m", flow, "drop A->B m 1", "release A->B m"}, "got A m 1, got A m 2, got A m 3",
			"drop A->B m 1: it travels on a stream, which is dropped as a whole: drop FROM->TO"},
		{"drop of a stream breaks it", []string{"hold A->B m", flow, "drop A->B", "release A->B m", "A x: flow B m 4"},
			"broken A A 1, opened A A 2, got A m 4", ""},
		{"drop of nothing is stale", []string{two, "drop A->B m"}, "got A m 1, got A m 2", "drop A->B m: no datagram that is parked or in flight matches"},
		{"duplicate copies a datagram", []string{"hold A->B m 1", two, "duplicate A->B m 1", "release A->B m 1"}, "got A m 2, got A m 1, got A m 1", ""},
		{"each copy counts", []string{"hold A->B m 1", "A x: send B m 1", "duplicate A->B m 1", "deliver A->B m 1 1st", "drop A->B m 1 2nd"},
			"got A m 1", ""},
		{"duplicate wants one", []string{"hold A->B m", two, "duplicate A->B m"}, "", "duplicate A->B m: 2 datagrams match: A->B m 1, A->B m 2"},
		{"the n-th counts from the start", []string{"A x: send B m 1", "hold A->B m 2nd", "A x: send B m 2; send B m 3", "release A->B m 2nd"},
			"got A m 1, got A m 3, got A m 2", ""},
		{"the n-th by content", []string{"hold A->B m k 2nd", "A x: send B m k 1; send B m j 2; send B m k 3"}, "got A m k 1, got A m j 2", ""},
		{"an n-th that is past catches nothing", []string{two, "hold A->B m 2nd", two}, "got A m 1, got A m 2, got A m 1, got A m 2",
			"hold A->B m 2nd: it caught nothing"},
		{"star is any node but not own work", []string{"hold *->*", "B x: send A m", "B y: later w"}, "did w", ""},
		{"own work is named", []string{"hold B->B w", "B y: later w 1; later v", "release B->B"}, "did v, did w 1", ""},
		{"a release of all nodes leaves own work held", []string{"hold B->B w", "B y: later w 1", "release *->*"}, "",
			"release *->*: no hold that it covers stands"},
		{"requests are held by name", []string{"hold client->B x", "B x 1: note done", "B y: note first", "deliver client->B x 1"}, "first, done", ""},
		{"a crash loses own work", []string{"hold B->B w", "B y: later w 1", "crash B", "restart B", "release B->B"}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.play(t, world("A B C")) })
	}
}

func TestManualNetworkHoldsAllLinksBetweenNodesAndNothingElse(t *testing.T) {
	for _, c := range []story{
		{"datagrams wait", []string{"A x: send B m 1", "A y: send B m 2", "deliver A->B m 2"}, "got A m 2", ""},
		{"streams wait", []string{"A x: flow B m 1; flow B m 2", "deliver A->B m 1"}, "got A m 1", ""},
		{"own work, log and requests do not", []string{"B x: later w; publish e"}, "did w, logged 1 e", ""},
		{"a release of a link lifts nothing", []string{"A x: send B m 1", "release A->B"}, "", "release A->B: no hold that it covers stands"},
		{"a release of all lifts it", []string{"A x: send B m 1", "release *->*"}, "got A m 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withLog(world("A B C"))
			p.Network.Manual = true
			c.play(t, p)
		})
	}
}

func TestAHoldOnTheLogDiskAndAnswers(t *testing.T) {
	for _, c := range []story{
		{"the log lane is FIFO", []string{"hold log->B e 1", "A x: publish e 1; publish e 2", "deliver upto log->B e 2"}, "logged 1 e 1, logged 2 e 2", ""},
		{"each node at its own pace", []string{"hold log->B e 1", "A x: publish e 1; publish e 2"}, "A: logged 1 e 1, logged 2 e 2", ""},
		{"what waits behind waits", []string{"hold log->B e 1", "A x: publish e 1; publish e 2"}, "", ""},
		{"a publication has no place while it is held", []string{"hold A->log e 1", "A x: publish e 1; publish e 2", "release A->log e 1"},
			"logged 1 e 2, logged 2 e 1", ""},
		{"a held sync leaves the node busy", []string{"hold B->disk r 1", "B x: append r 1; sync; note done", "B y: note next"}, "", ""},
		{"until it is delivered", []string{"hold B->disk r 1", "B x: append r 1; sync; note done", "B y: note next", "deliver B->disk r 1"}, "done, next", ""},
		{"any record that a sync covers names it", []string{"hold B->disk r 1", "B x: append r 1; append r 2; sync; note done", "deliver B->disk r 2"}, "done", ""},
		{"durable and told are two moments", []string{"hold disk->B r", "B x: append r 1; sync; note done", "check B last nothing", "deliver disk->B r"}, "done", ""},
		{"syncs are FIFO", []string{"hold B->disk r 1", "B x: append r 1; flush", "B y: append r 2; flush", "deliver upto B->disk r 2"},
			"durable 1, durable 2, synced 1, synced 2", ""},
		{"an answer is held", []string{"hold B->client ok", "B x: return ok", "release B->client"}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := withLog(world("A B C"))
			p.Network.DiskSlow = true
			c.play(t, p)
		})
	}
	p := world("B", "hold B->client ok", "B x: return ok 1", "B y: return ok 2", "deliver B->client ok 2")
	run := play(t, p)
	compare(t, run, "", tale(run, sim.EntryReturned), "B returns client ok 2")
}

func TestHoldsInTimedRuns(t *testing.T) {
	for _, c := range []story{
		{"a hold catches what is in flight", []string{"A x: send B m", "after 1ms hold A->B m", "after 20ms release A->B m"}, "got A m", ""},
		{"a stream keeps its order", []string{"A x: flow B m 1", "after 1ms hold A->B m 1", "A x: flow B m 2", "after 20ms A x: flow B m 3", "release A->B m 1"},
			"got A m 1, got A m 2, got A m 3", ""},
		{"a drop removes what is in flight", []string{"A x: send B m 1; send B m 2", "after 1ms drop A->B m 1"}, "got A m 2", ""},
		{"a duplicate of what is in flight comes at once", []string{"A x: send B m 1; send B m 2", "after 1ms duplicate A->B m 2"}, "got A m 2, got A m 1, got A m 2", ""},
		{"a drop of a stream loses what is in flight", []string{"A x: flow B m 1", "after 1ms drop A->B", "after 20ms A x: flow B m 2"}, "broken A A 1, opened A A 2, got A m 2", ""},
		{"what a partition stops waits for hold and heal", []string{"hold A->B m", "A x: flow B m 1; flow B m 2", "after 11ms partition A | B",
			"release A->B m", "A x: flow B m 3", "after 11ms heal"}, "got A m 1, got A m 2, got A m 3", ""},
		{"in whichever order they end", []string{"hold A->B m", "A x: flow B m 1; flow B m 2", "after 5ms partition A | B",
			"after 11ms heal", "release A->B m"}, "got A m 1, got A m 2", ""},
		{"deliver does not cross a partition", []string{"hold A->B m", "A x: flow B m 1", "after 11ms partition A | B", "deliver A->B m"}, "",
			"deliver A->B m: a partition cuts its link"},
		{"heal frees what stands behind the freed", []string{"A x: flow B m 1", "after 5ms partition A | B", "A x: flow B m 2", "after 20ms heal",
			"after 0s hold A->B m 2", "after 5ms release A->B m 2"}, "got A m 1, got A m 2", "after 0s hold A->B m 2: it caught nothing"},
		{"a new hold does not catch what has arrived at a paused node", []string{"pause B", "A x: flow B m 1", "after 11ms hold A->B m 1",
			"A x: flow B m 2", "after 11ms resume B"}, "got A m 1, got A m 2", "after 11ms hold A->B m 1: it caught nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := timed("A B C")
			p.Network.Links = []sim.Link{{From: "*", To: "*", Delay: sim.Dist{Low: 10 * time.Millisecond, High: 10 * time.Millisecond}}}
			c.play(t, p)
		})
	}
}
