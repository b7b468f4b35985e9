package scenarios

import "slices"

// Case is one case of a grid, as a story of its own: names are replaced by values, claims that are
// limited to other cases are gone.
type Case struct {
	Name     string // "a=1 b=2", "" if the file is no grid
	Scenario *Scenario
}

// Grid is the cases of the story: the cross product of what varies, in the order of the file, the
// last name varying fastest, without those that are skipped. A story that is no grid is its only
// case. A case that cannot be read is left out; Check tells why.
func (s *Scenario) Grid() []Case {
	if len(s.Vary) == 0 {
		return []Case{{"", s}}
	}
	var cases []Case
	for _, where := range s.combinations() {
		if c, err := s.Expand(where); err == nil {
			cases = append(cases, Case{condsText(where), c})
		}
	}
	return cases
}

// combinations are the values of every case that is not skipped; a single empty one for no grid.
func (s *Scenario) combinations() [][]Cond {
	all := [][]Cond{nil}
	for _, v := range s.Vary {
		var more [][]Cond
		for _, where := range all {
			for _, value := range v.Values {
				more = append(more, append(slices.Clone(where), Cond{v.Name, value}))
			}
		}
		all = more
	}
	return slices.DeleteFunc(all, s.skipped)
}

func (s *Scenario) skipped(where []Cond) bool {
	return slices.ContainsFunc(s.Skips, func(k Skip) bool {
		return !slices.ContainsFunc(k.Where, func(c Cond) bool { return !slices.Contains(where, c) })
	})
}

// checkGrid checks what stands in no single case.
func (s *Scenario) checkGrid() error {
	if len(s.Vary) > 0 && len(s.Traces) > 0 {
		return s.fault(s.Traces[0].Line, "a grid has no stored traces: its cases are many runs")
	}
	return nil
}
