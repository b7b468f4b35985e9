package search

import "runtime"

// Cores is how many jobs a sweep is best given here. What it finds does not depend on them.
func Cores() int { return runtime.GOMAXPROCS(0) }
