package clocks

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/downset/downset/sim"
)

// Hybrid is a stamp of a hybrid logical clock (Kulkarni and others, Logical physical clocks, 2014,
// figure 5): the greatest reading of a physical clock known, and a counter among events that know
// of the same.
type Hybrid struct {
	Wall    sim.Time
	Logical int64
}

// BeforeAll is just before every stamp with this physical part: what a node begins with that has
// said nothing from there on.
func BeforeAll(wall sim.Time) Hybrid { return Hybrid{wall, -1} }

// never says that no event has ever had this stamp: its clock has not ticked yet, or there is none.
func (h Hybrid) never() bool { return h.Logical < 0 }

// Tick is the stamp of the next event of a node whose clock shows pt.
func (h Hybrid) Tick(pt sim.Time) Hybrid {
	if pt > h.Wall {
		return Hybrid{Wall: pt}
	}
	return Hybrid{h.Wall, h.Logical + 1}
}

// Receive is the stamp of the receipt of a message with stamp m on a node whose clock shows pt.
func (h Hybrid) Receive(m Hybrid, pt sim.Time) Hybrid {
	top := max(h.Wall, m.Wall, pt)
	next := Hybrid{Wall: top}
	if h.Wall == top {
		next.Logical = h.Logical + 1
	}
	if m.Wall == top {
		next.Logical = max(next.Logical, m.Logical+1)
	}
	return next
}

// Ahead is by how much h is ahead of a clock that shows pt; below zero if it is behind. Beyond the
// 292 years that a Duration has either way it is the greatest one, or the least.
func (h Hybrid) Ahead(pt sim.Time) time.Duration {
	ahead := h.Wall.Sub(pt)
	switch {
	case h.Wall > pt && ahead < 0:
		return math.MaxInt64
	case h.Wall < pt && ahead > 0:
		return math.MinInt64
	}
	return ahead
}

// Compare orders stamps: below zero if h is first.
func (h Hybrid) Compare(g Hybrid) int {
	return cmp.Or(cmp.Compare(h.Wall, g.Wall), cmp.Compare(h.Logical, g.Logical))
}

func (h Hybrid) String() string { return fmt.Sprintf("%v.%d", h.Wall, h.Logical) }

// The paper keeps a stamp in the 64 bits of an NTP timestamp (section 6): 48 bits of physical time,
// 16 of the logical part.
const (
	wallBits    = 48
	logicalBits = 16
)

// Pack is h in 64 bits whose order is the order of stamps: 48 bits of physical time counted in
// units, such as a microsecond (which lasts for 8.9 years) or a millisecond (8,900), and 16 bits of
// logical part. It refuses what does not fit: times before 0, or between two units, or too late,
// and logical parts of 65,536 or more.
func (h Hybrid) Pack(unit time.Duration) (uint64, error) {
	if unit <= 0 {
		return 0, fmt.Errorf("want a unit above zero, got %v", unit)
	}
	count := int64(h.Wall) / int64(unit)
	switch {
	case h.Wall < 0 || count>>wallBits > 0:
		return 0, fmt.Errorf("want a time from 0 to %d units of %v, got %v", int64(1)<<wallBits-1,
			unit, h.Wall)
	case count*int64(unit) != int64(h.Wall):
		return 0, fmt.Errorf("want whole units of %v, got %v", unit, h.Wall)
	case h.Logical < 0 || h.Logical>>logicalBits > 0:
		return 0, fmt.Errorf("want a logical part from 0 to %d, got %d", 1<<logicalBits-1,
			h.Logical)
	}
	return uint64(count)<<logicalBits | uint64(h.Logical), nil
}

// UnpackHybrid reads what Pack writes with the same unit. It refuses times beyond 63 bits of
// nanoseconds.
func UnpackHybrid(bits uint64, unit time.Duration) (Hybrid, error) {
	count := int64(bits >> logicalBits)
	if unit <= 0 || count > math.MaxInt64/int64(unit) {
		return Hybrid{}, fmt.Errorf("want a unit above zero and at most 63 bits of nanoseconds, "+
			"got %d units of %v", count, unit)
	}
	return Hybrid{sim.Time(count * int64(unit)), int64(bits & (1<<logicalBits - 1))}, nil
}
