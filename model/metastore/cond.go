package metastore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Cond is a condition: a test, or a tree of them. The zero value holds.
type Cond struct {
	Join  Join
	Parts []Cond // of All, Any and None
	Test  Test   // of One
}

// Join is how the parts of a condition come together.
type Join uint8

// The joins.
const (
	All  Join = iota // all parts hold
	Any              // some part holds
	None             // its only part does not
	One              // the test holds
)

// Test compares a property of a key with a value.
type Test struct {
	Target  string // value, mod, create, count, lease or exists
	Key     string
	Compare string // =, !=, <, <=, >, >=; nothing with exists
	Want    string
}

// The targets and the comparisons.
var (
	targets     = [...]string{"value", "mod", "create", "count", "lease", "exists"}
	comparisons = [...]string{"=", "!=", "<", "<=", ">", ">="}
)

// deepest is how far conditions and transactions may nest.
const deepest = 100

// tests is a condition of a single test.
func tests(t Test) Cond { return Cond{Join: One, Test: t} }

func (c Cond) always() bool { return c.Join == All && len(c.Parts) == 0 }

// depth is how far the condition nests.
func (c Cond) depth() int {
	most := 0
	for _, p := range c.Parts {
		most = max(most, p.depth())
	}
	return most + 1
}

// flat says that it is a conjunction of tests.
func (c Cond) flat() bool {
	return c.Join == One || c.Join == All && !slices.ContainsFunc(c.Parts, func(p Cond) bool {
		return p.Join != One
	})
}

// holds says whether the condition holds of a state.
func (c Cond) holds(s *State) bool {
	part := func(p Cond) bool { return p.holds(s) }
	switch c.Join {
	case All:
		return !slices.ContainsFunc(c.Parts, func(p Cond) bool { return !part(p) })
	case Any:
		return slices.ContainsFunc(c.Parts, part)
	case None:
		return !c.Parts[0].holds(s)
	case One:
		return c.Test.holds(s)
	}
	panic(fmt.Sprintf("join %d", uint8(c.Join)))
}

// holds compares. Of a key that does not live the numbers are 0, and no comparison of its value
// holds.
func (t Test) holds(s *State) bool {
	v, live := s.seen(t.Key)
	switch t.Target {
	case "exists":
		return live
	case "value":
		return live && t.fits(cmp.Compare(v.Value, t.Want))
	}
	want, _ := strconv.ParseInt(t.Want, 10, 64)
	return t.fits(cmp.Compare(t.number(v), want))
}

// number is the property of a version that is one.
func (t Test) number(v Version) int64 {
	switch t.Target {
	case "mod":
		return v.Mod
	case "create":
		return v.Create
	case "count":
		return v.Count
	case "lease":
		return v.Lease
	}
	panic("target " + t.Target)
}

// fits says that the comparison allows for what came of comparing.
func (t Test) fits(is int) bool {
	switch t.Compare {
	case "=":
		return is == 0
	case "!=":
		return is != 0
	case "<":
		return is < 0
	case "<=":
		return is <= 0
	case ">":
		return is > 0
	case ">=":
		return is >= 0
	}
	panic("comparison " + t.Compare)
}

func (t Test) String() string {
	if t.Target == "exists" {
		return "exists " + word(t.Key)
	}
	return t.Target + " " + word(t.Key) + " " + t.Compare + " " + word(t.Want)
}

func (c Cond) String() string {
	switch c.Join {
	case One:
		return c.Test.String()
	case None:
		return "not " + c.Parts[0].inner()
	}
	between := " and "
	if c.Join == Any {
		between = " or "
	}
	text := ""
	for i, p := range c.Parts {
		if i > 0 {
			text += between
		}
		text += p.inner()
	}
	return text
}

// inner is the condition as a part of another.
func (c Cond) inner() string {
	if c.Join == One {
		return c.String()
	}
	return "( " + c.String() + " )"
}
