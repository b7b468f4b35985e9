package cli

// What a sweep leaves out, and where it is.

// unjudged says that the claims of a story are not judged: they are about the runs of its own
// seeds.
func (r *swept) unjudged() string {
	if r.Scenario == nil {
		return ""
	}
	n := r.Scenario.ClaimsOf(r.Variant.Name)
	if n == 0 {
		return ""
	}
	return several(n, "claim") + " of the story not judged, only properties are; " +
		command("run", r.source) + " judges them"
}

// untold is the first failure of which no report was printed, nil if there is none: those of wrong
// variants, where there are several variants.
func untold(done []*swept) *kept {
	for _, r := range done {
		for _, x := range r.found {
			if !x.known && !r.right() {
				return x
			}
		}
	}
	return nil
}
