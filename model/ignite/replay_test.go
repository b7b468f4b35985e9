package ignite_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/downset/downset/model/ignite"
	"github.com/downset/downset/sim"
)

// ways are the forms of a restore that must bring back the same.
func ways(l ignite.Log) map[string]func(string) (ignite.Restored, error) {
	short := l.Compact()
	grown := ignite.NewIndex()
	for _, r := range l {
		grown.Add(r)
	}
	return map[string]func(string) (ignite.Restored, error){
		"striped":   func(c string) (ignite.Restored, error) { return l.RestoreFast(c, ignite.Fast{Workers: 3}) },
		"indexed":   func(c string) (ignite.Restored, error) { return l.RestoreFast(c, ignite.Fast{Index: grown}) },
		"compacted": func(c string) (ignite.Restored, error) { return short.Restore(c) },
		"all at once": func(c string) (ignite.Restored, error) {
			return short.RestoreFast(c, ignite.Fast{Index: short.Index(), Workers: 2})
		},
	}
}

// same is what must not differ between two restores: all but the cost.
func same(a, b ignite.Restored) bool {
	a.Cost, b.Cost = ignite.Cost{}, ignite.Cost{}
	return reflect.DeepEqual(a, b)
}

func TestEveryCutRestoresWhatWasBeforeIt(t *testing.T) {
	draws, cuts, refused := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		draws++
		d := drawLog(t, 6)
		all := ways(d.log)
		for name, want := range d.want {
			cuts++
			plain, err := d.log.Restore(name)
			if err != nil {
				t.Fatalf("restore %s of\n%s: %v", name, d.log, err)
			}
			if !reflect.DeepEqual(plain.Parts, want) {
				t.Fatalf("restore %s of\n%s got  %v\nwant %v", name, d.log, plain.Parts, want)
			}
			for way, restore := range all {
				got, err := restore(name)
				if err != nil || !same(got, plain) {
					t.Fatalf("restore %s, %s, of\n%s got  %v, %v\nwant %v", name, way, d.log, got, err, plain)
				}
			}
		}
		for _, name := range d.failed {
			refused++
			if got, err := d.log.Restore(name); err == nil {
				t.Fatalf("restore %s of\n%s got %v, want it refused", name, d.log, got)
			}
			for way, restore := range all {
				if got, err := restore(name); err == nil {
					t.Fatalf("restore %s, %s, of\n%s got %v, want it refused", name, way, d.log, got)
				}
			}
		}
	})
	if cuts < draws || refused < draws/10 {
		t.Errorf("%d restores and %d refusals of %d logs, want more", cuts, refused, draws)
	}
}

// Whatever stands in a log: where plain replay refuses or not, and what it comes to, does not depend
// on stripes or the index.
func TestStripesAndIndexDoAsPlainReplayWithAnyLog(t *testing.T) {
	draws, restored := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		draws++
		l := drawWild(t)
		all := ways(l)
		for _, name := range []string{"c1", "c2", "c3", "F1", "F2", "", "t1"} {
			want, refusal := l.Restore(name)
			if refusal == nil {
				restored++
			}
			for _, way := range []string{"striped", "indexed"} {
				got, err := all[way](name)
				if (err == nil) != (refusal == nil) || !same(got, want) {
					t.Fatalf("restore %q, %s, of\n%s got  %v, %v\nwant %v, %v", name, way, l, got, err, want, refusal)
				}
			}
		}
	})
	if restored < draws {
		t.Errorf("%d restores of %d logs, want more", restored, draws)
	}
}

func TestSidesAndIncrementsAreThoseThatWereDecided(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawLog(t, 5)
		if slices.ContainsFunc(d.log, func(r sim.Record) bool { return r.Kind() == "restored" }) {
			t.Skip("a restore undoes transactions")
		}
		parted, ok := d.log.Increments(d.cuts)
		if !ok || len(parted) != len(d.all) {
			t.Fatalf("increments of\n%s got %d transactions, %v, want %d, true", d.log, len(parted), ok, len(d.all))
		}
		short := d.log.Compact()
		for i, tx := range d.all {
			number := 0
			for _, c := range d.cuts {
				want := ignite.Before
				if tx.after[c.Name] || !began(d.log, tx, c) {
					want = ignite.After
					number++
				}
				for _, l := range []ignite.Log{d.log, short} {
					sides, ok := l.Sides(c)
					at := slices.IndexFunc(sides, func(s ignite.Sided) bool { return s.Tx == tx.id })
					if !ok || at < 0 && len(l) == len(d.log) || at >= 0 && sides[at].Side != want {
						t.Fatalf("side of %s at %s in\n%s got %v, want %v", tx.id.Name, c.Name, l, sides, want)
					}
				}
			}
			if got := parted[i]; got.Tx != tx.id || !slices.Equal(got.Increments, []int{number}) {
				t.Fatalf("increments of %s in\n%s got %v, want %d", tx.id.Name, d.log, got, number)
			}
		}
	})
}

// began says that a transaction was prepared before the START of a cut.
func began(l ignite.Log, tx *drawnTx, c ignite.CutID) bool {
	for _, r := range l {
		if s, ok := r.(ignite.StartRecord); ok && s.Cut == c {
			return false
		}
		if r.Kind() == "prepared" && reflect.DeepEqual(r, ignite.PreparedRecord(tx.id)) {
			return true
		}
	}
	return false
}

// A crash cuts a log off anywhere (I-27): then a cut is whole, or of no use.
func TestALogCutOffAnywhereRestoresAllOrNothing(t *testing.T) {
	useless := 0
	rapid.Check(t, func(t *rapid.T) {
		d := drawLog(t, 3)
		for name, want := range d.want {
			for end := range d.log {
				rest := append(slices.Clone(d.log[:end]), sim.Torn{})
				got, err := rest.Restore(name)
				if err != nil {
					useless++
				} else if !reflect.DeepEqual(got.Parts, want) {
					t.Fatalf("restore %s of\n%s got  %v\nwant %v", name, rest, got.Parts, want)
				}
			}
		}
	})
	if useless == 0 {
		t.Error("no log was too short to restore a cut")
	}
}

// The increments compose (I-25): a cut is the one before it, and what its increment adds.
func TestIncrementsCompose(t *testing.T) {
	draws, added := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		draws++
		d := drawLog(t, 5)
		short := d.log.Compact()
		state := emptyParts()
		for _, r := range short {
			switch r := r.(type) {
			case ignite.BaseRecord:
				state = copied(r.Data)
			case ignite.RestoredRecord:
				state = copied(r.Data)
			case ignite.IncrementRecord:
				want, stands := d.want[r.Cut.Name]
				if stands && !reflect.DeepEqual(state, want) {
					t.Fatalf("after increment %s of\n%s got  %v\nwant %v", r.Cut.Name, short, state, want)
				}
				added++
			default:
				if id, u, ok := ignite.DataOf(r); ok {
					applyTo(state, &drawnTx{id: id, updates: []ignite.Update{u}})
				}
			}
		}
	})
	if added < draws/2 {
		t.Errorf("%d increments of %d logs, want more", added, draws)
	}
}

func TestACompactedLogHasOnlyWhatARestoreNeeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawLog(t, 4)
		short := d.log.Compact()
		if len(short) > len(d.log) {
			t.Fatalf("%d records of %d", len(short), len(d.log))
		}
		again := short.Compact()
		if !reflect.DeepEqual(again, short) {
			t.Fatalf("compacted twice\n%sis not\n%s", again, short)
		}
		last := -1
		for at, r := range short {
			if i, ok := r.(ignite.IncrementRecord); ok && slices.Contains(d.cuts, i.Cut) {
				last = at
			}
		}
		for _, r := range short[:last+1] {
			if f, ok := r.(ignite.FinishRecord); ok && len(f.Included)+len(f.Excluded) > 0 {
				t.Fatalf("%s stands in\n%s", f, short)
			}
			if k := r.Kind(); k == "prepared" || k == "committed" || k == "rolledback" || k == "gap" {
				t.Fatalf("a record of kind %s stands in\n%s", k, short)
			}
		}
	})
}

// fromText makes a log of words: the sorts of 5.6, each with what it is about.
func fromText(words string) ignite.Log {
	l := ignite.Log{ignite.BaseRecord{Name: "F", Data: []ignite.Partition{{Name: "x"}, {Name: "y"}}}}
	counters := map[string]int64{}
	index := 0
	for _, w := range strings.Fields(words) {
		kind, rest, _ := strings.Cut(w, ":")
		name, sets, _ := strings.Cut(rest, "/")
		switch kind {
		case "D", "E": // E comes out of the order of the counters: its counter is one less
			key, value, _ := strings.Cut(name, "=")
			counters[key]++
			u := ignite.Update{Key: key, Part: key, Value: value, Counter: counters[key] * 10}
			if kind == "E" {
				u.Counter -= 15
			}
			l = append(l, ignite.DataRecord(ignite.TxID{Name: value}, u))
		case "S":
			l = append(l, ignite.StartRecord{Cut: ignite.CutID{Name: name}})
		case "F":
			f := ignite.FinishRecord{Cut: ignite.CutID{Name: name}}
			for _, member := range strings.FieldsFunc(sets, func(r rune) bool { return r == ',' }) {
				id := ignite.TxID{Name: member[1:]}
				if member[0] == '+' {
					f.Included = append(f.Included, id)
				} else {
					f.Excluded = append(f.Excluded, id)
				}
			}
			l = append(l, f)
		case "I":
			index++
			l = append(l, ignite.IncrementRecord{Cut: ignite.CutID{Name: name}, Base: "F", Index: index})
		case "J":
			l = append(l, ignite.IncrementRecord{Cut: ignite.CutID{Name: name}, Base: "F", Index: index, Removed: true})
			index--
		}
	}
	return l
}

func TestEachRuleOfReplayDecidesSomething(t *testing.T) {
	for _, c := range []struct {
		name, log, cut string
		rules          ignite.ReplayRules
		right, wrong   string // x and y, or why there is nothing
	}{
		{"what is after the cut and before START must be excluded",
			"D:x=a D:y=b S:c1 F:c1/-b I:c1", "c1", ignite.ReplayRules{Filter: ignite.OnlyIncluded},
			"x=a y=", "x=a y=b"},
		{"what is before the cut and after START must be included, and nothing else",
			"D:x=a S:c1 D:y=b F:c1 I:c1", "c1", ignite.ReplayRules{Filter: ignite.OnlyExcluded},
			"x=a y=", "x=a y=b"},
		{"after FINISH of the increment before, the excluded ones do not pass",
			"S:c1 F:c1 I:c1 D:x=a D:y=b S:c2 F:c2/-b I:c2", "c2", ignite.ReplayRules{NoPrevious: true},
			"x=a y=", "x=a y=b"},
		{"START of a cut that failed does not count",
			"S:c1 D:x=a S:c2 D:y=b F:c2/+b I:c2", "c2", ignite.ReplayRules{AnyStart: true},
			"x=a y=b", "x= y=b"},
		{"nothing that a cut excludes is before FINISH of the one before, since transactions were drained",
			"S:c1 D:x=a F:c1 I:c1 S:c2 F:c2/-a I:c2", "c2", ignite.ReplayRules{Undrained: true},
			"x=a y=", "x= y="},
		{"of two updates of a key that with the greater counter stays",
			"D:x=a E:x=b S:c1 F:c1 I:c1", "c1", ignite.ReplayRules{ByArrival: true},
			"x=a y=", "x=b y="},
		{"a cut that failed in the end is not restored",
			"D:x=a S:c1 F:c1 I:c1 J:c1", "c1", ignite.ReplayRules{TakesFailed: true},
			"increment c1 has been taken back: its cut failed", "x=a y="},
		{"a cut that failed before its increment was made is not restored",
			"D:x=a S:c1 F:c1", "c1", ignite.ReplayRules{TakesFailed: true},
			`no increment and no full snapshot is called "c1" here; have base F`, "x=a y="},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := fromText(c.log)
			for _, way := range []struct {
				rules ignite.ReplayRules
				want  string
			}{{ignite.ReplayRules{}, c.right}, {c.rules, c.wrong}} {
				got, err := l.RestoreBy(c.cut, way.rules)
				if text := keysText(got, err); text != way.want {
					t.Errorf("restore %s of %s by %+v: got %q, want %q", c.cut, c.log, way.rules, text, way.want)
				}
			}
		})
	}
}

// What plain replay makes of special logs, stripes and the index make of them, too.
func TestStripesAndIndexDoAsPlainReplayWithSpecialLogs(t *testing.T) {
	for _, c := range []struct{ name, log, cut, want string }{
		{"an excluded one before FINISH of the increment before", "S:c1 D:x=a F:c1 I:c1 S:c2 F:c2/-a I:c2", "c2", "x=a y="},
		{"an excluded one after it", "S:c1 F:c1 I:c1 D:x=a S:c2 F:c2/-a I:c2", "c2", "x= y="},
		{"two STARTs", "S:c1 D:x=a S:c1 D:y=b F:c1 I:c1", "c1", "x= y="},
		{"two FINISHes", "D:x=a S:c1 D:y=b F:c1 F:c1/+b I:c1", "c1", "x=a y=b"},
	} {
		l := fromText(c.log)
		for way, restore := range ways(l) {
			got, err := restore(c.cut)
			if text := keysText(got, err); text != c.want && (way == "striped" || way == "indexed") {
				t.Errorf("%s: restore %s, %s: got %q, want %q", c.name, c.cut, way, text, c.want)
			}
		}
		if got, err := l.Restore(c.cut); keysText(got, err) != c.want {
			t.Errorf("%s: restore %s: got %q, want %q", c.name, c.cut, keysText(got, err), c.want)
		}
	}
}

// keysText is what x and y hold.
func keysText(r ignite.Restored, err error) string {
	if err != nil {
		return err.Error()
	}
	values := map[string]string{}
	for _, p := range r.Parts {
		for _, e := range p.Entries {
			values[e.Key] = e.Value
		}
	}
	return "x=" + values["x"] + " y=" + values["y"]
}

func TestCountersOfARestoredPartitionHaveNoGap(t *testing.T) {
	l := fromText("D:x=a D:x=b D:x=c S:c1 F:c1/-b I:c1") // counters 10, 20, 30
	for _, c := range []struct {
		rules ignite.ReplayRules
		want  int64
	}{{ignite.ReplayRules{}, 30}, {ignite.ReplayRules{KeepsGaps: true}, 0}} {
		got, err := l.RestoreBy("c1", c.rules)
		if err != nil || got.Parts[0].Counter != c.want || got.Parts[0].Reserved != c.want {
			t.Errorf("by %+v: the counter of x is %d, of %d reserved ones (%v), want %d", c.rules,
				got.Parts[0].Counter, got.Parts[0].Reserved, err, c.want)
		}
	}
}

func TestARestoreWantsEveryIncrementAndItsMarks(t *testing.T) {
	whole := fromText("D:x=a S:c1 F:c1 I:c1 D:y=b S:c2 F:c2 I:c2")
	for _, c := range []struct {
		name    string
		without string // kinds and cuts of records
		cut     string
		want    string
	}{
		{"nothing lacks", "", "c2", "x=a y=b"},
		{"the record of the increment", "increment c2", "c2", `no increment and no full snapshot is called "c2" here; did you mean "c1"?`},
		{"its FINISH", "finish c2", "c2", "increment c2 has no FINISH here"},
		{"its START", "start c2", "c2", "increment c2 has no FINISH here"},
		{"the increment before", "increment c1", "c2", "increment 1 of F is not here, and c2 is its number 2"},
		{"FINISH of the one before", "finish c1", "c2", "increment c1 before c2 has no FINISH here"},
		{"the full snapshot", "base F", "c2", "increment c2 is of the full snapshot F, which is not here"},
		{"what comes later", "increment c2", "c1", "x=a y="},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := slices.DeleteFunc(slices.Clone(whole), func(r sim.Record) bool { return sim.Text(r) == c.without })
			got, err := l.Restore(c.cut)
			if text := keysText(got, err); text != c.want {
				t.Errorf("restore %s without %s: got %q, want %q", c.cut, c.without, text, c.want)
			}
			fast, refusal := l.RestoreFast(c.cut, ignite.Fast{Index: l.Index()})
			if (refusal == nil) != (err == nil) || !same(fast, got) {
				t.Errorf("by index, restore %s without %s: got %v, %v", c.cut, c.without, fast, refusal)
			}
		})
	}
}
