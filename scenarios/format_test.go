package scenarios_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/downset/downset/scenarios"
	"pgregory.net/rapid"
)

func TestFormatHasOneFormForEachStory(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"columns are aligned and blanks are single",
			"# A story.\n-- scenario --\nmodel cut\nnodes   P\tQ\nvariants  a longer # both\n" +
				"-- script --\nP  commit   tx1 #one\nhold P->Q notify    tx1   #   two  \n" +
				"-- expect --\na holds\nlonger breaks x   y ...\nP   data z\nP Q data z\n* undecided",
			"# A story.\n\n-- scenario --\nmodel     cut\nnodes     P Q\nvariants  a longer      # both\n\n" +
				"-- script --\nP commit tx1            # one\nhold P->Q notify tx1    # two\n\n" +
				"-- expect --\na       holds\nlonger  breaks x y ...\nP   data z\nP Q data z\n*  undecided\n",
		},
		{
			"sections come in their order, comments go with what is below them",
			"# opens\n-- expect --\n* holds\n# the script\n-- script --\n\n\n# first\n\n# of two\nP go\n\n\nP go # again\n" +
				"# not the last word\n-- scenario --\nnodes P\nmodel m\n# last",
			"# opens\n#\n# not the last word\n\n-- scenario --\nnodes  P\nmodel  m\n\n# the script\n-- script --\n# first\n#\n# of two\nP go\n\n" +
				"P go                    # again\n\n-- expect --\n*  holds\n\n# last\n",
		},
		{
			"durations, percentages, seeds and ranges have one form",
			"-- scenario --\nmodel m\nnodes P Q\ntime runs\ndelay *->* 1000us\ndelay P->Q 90s..1h30m heavy\n" +
				"loss 0.50%\ncrash 100.0000%\nseeds 0200\nspan 1.5ms\nbudget time 60m\n-- script --\nat 0.5h P go\n" +
				"-- expect --\n* holds\n",
			"-- scenario --\nmodel   m\nnodes   P Q\ntime    runs\ndelay   1ms\ndelay   P->Q 90s..90m heavy\n" +
				"loss    0.5%\ncrash   100%\nseeds   1..200\nspan    1500us\nbudget  time 1h\n\n-- script --\nat 30m P go\n\n" +
				"-- expect --\n*  holds\n",
		},
		{
			"a colon stands where the event's words could be the line's",
			"-- scenario --\nmodel m\nnodes P Q\n-- script --\nwhen P sends go: crash P\nwhen P sends NFQ T crash P\n" +
				"when P notes left 2nd: Q go\nbefore every P notes joined Q: Q go\nwhen P sends go: Q put a:\n" +
				"-- expect --\n* holds\n",
			"-- scenario --\nmodel  m\nnodes  P Q\n\n-- script --\nwhen P sends go crash P\nwhen P sends NFQ T: crash P\n" +
				"when P notes left 2nd Q go\nbefore every P notes joined Q: Q go\nwhen P sends go: Q put a:\n\n" +
				"-- expect --\n*  holds\n",
		},
		{
			"a grid is a table",
			"-- scenario --\nmodel m\nnodes P Q\n-- vary --\ncases 3 void 0\nskip who=P   a=1\nwho P Q\na 1 2\n" +
				"-- script --\n$who put   $a\n-- expect --\n$who data $a if   who=P\n* holds\n",
			"-- scenario --\nmodel  m\nnodes  P Q\n\n-- vary --\nwho    P Q\na      1 2\nskip   who=P a=1\ncases  3\n\n" +
				"-- script --\n$who put $a\n\n-- expect --\n$who data $a if who=P\n*  holds\n",
		},
		{
			"a trace stays as it is",
			"-- scenario --\nmodel m\nnodes P\n-- script --\nP go\n-- expect --\na holds\n-- trace a --\n\n 0  P  # x\n\n  1 \n# found\n",
			"-- scenario --\nmodel  m\nnodes  P\n\n-- script --\nP go\n\n-- expect --\na  holds\n\n-- trace a --\n" +
				" 0  P  # x\n\n  1\n\n# found\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenarios.Parse("x.txt", []byte(c.text))
			if err != nil {
				t.Fatalf("Parse(%q) = %v", c.text, err)
			}
			if got := string(scenarios.Format(s)); got != c.want {
				t.Errorf("%q\ngot\n%s\nwant\n%s", c.text, got, c.want)
			}
			again(t, s)
		})
	}
}

// again checks that the canonical text gives the scenario again, and itself.
func again(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *scenarios.Scenario) {
	t.Helper()
	text := scenarios.Format(s)
	back, err := scenarios.Parse("again.txt", text)
	if err != nil {
		t.Fatalf("canonical text is refused: %v in\n%s", err, text)
	}
	if twice := scenarios.Format(back); string(twice) != string(text) {
		t.Fatalf("Format is not its own canonical text, first\n%s\nthen\n%s", text, twice)
	}
	if s.Header == nil {
		back.Header = nil // made of the fields
	}
	got, want := placeless(back), placeless(s)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s\ngives %s", text, difference2(reflect.ValueOf(got), reflect.ValueOf(want), "s"))
	}
}

// placeless is a copy without file and line numbers.
func placeless(s *scenarios.Scenario) scenarios.Scenario {
	return clear2(reflect.ValueOf(*s)).Interface().(scenarios.Scenario)
}

func clear2(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name == "File" || (name == "Line" || name == "Ended") && v.Field(i).Kind() == reflect.Int {
				c.Field(i).SetZero()
				continue
			}
			c.Field(i).Set(clear2(v.Field(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(clear2(v.Elem()))
		}
	case reflect.Slice:
		if v.IsNil() {
			return c
		}
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			c.Index(i).Set(clear2(v.Index(i)))
		}
	}
	return c
}

// difference2 says where two values differ first.
func difference2(got, want reflect.Value, at string) string {
	switch got.Kind() {
	case reflect.Struct:
		for i := range got.NumField() {
			name := at + "." + got.Type().Field(i).Name
			if d := difference2(got.Field(i), want.Field(i), name); d != "" {
				return d
			}
		}
		return ""
	case reflect.Slice:
		for i := range min(got.Len(), want.Len()) {
			if d := difference2(got.Index(i), want.Index(i), fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
	}
	if reflect.DeepEqual(got.Interface(), want.Interface()) {
		return ""
	}
	return fmt.Sprintf("%s = %#v, want %#v", at, got.Interface(), want.Interface())
}

func TestParseOfFormatIsTheSameScenario(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		again(t, d.scenario())
	})
}

func TestParseOfFormatOfWhatWasParsedIsTheSameToTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		first, err := scenarios.Parse("x.txt", scenarios.Format(d.scenario()))
		if err != nil {
			t.Fatal(err)
		}
		second, err := scenarios.Parse("x.txt", scenarios.Format(first))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(first, second) {
			t.Fatalf("%s\ngives %s", scenarios.Format(first),
				difference2(reflect.ValueOf(*second), reflect.ValueOf(*first), "s"))
		}
	})
}

var outcomeWords = []string{"holds", "breaks", "undecided", "loose"}
