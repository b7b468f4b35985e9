package ignite_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// replies are of three nodes. One replies twice in one stage, as to a reducer that has left.
func replies() []ignite.Arrived {
	of := func(from sim.NodeID, cut string, s ignite.Stage, err string) ignite.Arrived {
		return ignite.Arrived{From: from, Reply: ignite.Single{Cut: ignite.CutID{Name: cut},
			Stage: s, Err: err}}
	}
	return []ignite.Arrived{of(2, "c1", ignite.Starting, ""), of(0, "c1", ignite.Starting, "busy"),
		of(1, "c2", ignite.Starting, "left"), of(1, "c1", ignite.Starting, ""),
		of(1, "c1", ignite.Starting, "refused"), of(0, "c1", ignite.Ending, "")}
}

// eachOrder gives every order of a list.
func eachOrder(done, left []ignite.Arrived, with func([]ignite.Arrived)) {
	if len(left) == 0 {
		with(done)
		return
	}
	for i := range left {
		rest := slices.Delete(slices.Clone(left), i, i+1)
		eachOrder(append(slices.Clone(done), left[i]), rest, with)
	}
}

// firstOf is the first reply that fits, in the order in which they came.
func firstOf(came []ignite.Arrived, of ignite.Single, id sim.NodeID, anyCut bool) (ignite.Single,
	bool) {
	at := slices.IndexFunc(came, func(a ignite.Arrived) bool {
		return a.From == id && a.Reply.Stage == of.Stage && (anyCut || a.Reply.Cut == of.Cut)
	})
	if at < 0 {
		return ignite.Single{}, false
	}
	return came[at].Reply, true
}

func TestRepliesAreFoundAsIfTheyWereKeptAsTheyCame(t *testing.T) {
	eachOrder(nil, replies(), func(came []ignite.Arrived) {
		kept := ignite.Kept(came)
		for i := range 4 * 3 * 2 {
			id, anyCut := sim.NodeID(i%4), i >= 12
			of := ignite.Single{Cut: ignite.CutID{Name: "c1"}, Stage: ignite.Stage(i / 4 % 3)}
			got, found := ignite.ReplyOf(kept, of, id, anyCut)
			want, there := firstOf(came, of, id, anyCut)
			if got != want || found != there {
				t.Fatalf("came %v, of node %d in %v, any cut %v: got %v %v, want %v %v", came, id,
					of.Stage, anyCut, got, found, want, there)
			}
		}
	})
}

func TestWhichSenderWasFasterIsNotRemembered(t *testing.T) {
	kept := map[string][]ignite.Arrived{} // by what each sender sent, in its order
	eachOrder(nil, replies(), func(came []ignite.Arrived) {
		bySender := ""
		for id := range sim.NodeID(3) {
			for _, a := range came {
				if a.From == id {
					bySender += a.Reply.Cut.Name + a.Reply.Stage.String() + a.Reply.Err + ";"
				}
			}
		}
		got := ignite.Kept(came)
		if want, ok := kept[bySender]; ok && !reflect.DeepEqual(got, want) {
			t.Fatalf("came %v: kept %v, in another order %v", came, got, want)
		}
		kept[bySender] = got
	})
	if len(kept) != 12 { // two replies of one sender, three of another: 2! * 3!
		t.Errorf("%d ways of what the senders sent, want 12", len(kept))
	}
}
