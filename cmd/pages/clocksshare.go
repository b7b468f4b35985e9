package pages

import (
	"fmt"
	"math"
)

// share is how much of something has come to pass, over independent samples such as runs.
type share struct{ samples []sample }

// sample is of so many, how many.
type sample struct{ part, whole int }

func (s *share) add(part, whole int) { s.samples = append(s.samples, sample{part, whole}) }

// sums are those of all samples.
func (s *share) sums() (part, whole int) {
	for _, x := range s.samples {
		part, whole = part+x.part, whole+x.whole
	}
	return part, whole
}

// String is the share in per cent with half of its 95 % interval, and as many decimals as that
// allows, three at most: "45 ± 1 %", "0.9 ± 0.2 %". If there was nothing it is "0 %".
func (s *share) String() string {
	part, whole := s.sums()
	if part == 0 || part == whole {
		return percent(part, whole)
	}
	half, decimals := 100*s.half(), 0
	for scale := 2.0; half*scale < 1 && decimals < 3; scale *= 10 {
		decimals++
	}
	scale := math.Pow10(decimals)
	return fmt.Sprintf("%.*f ± %.*f %%", decimals, 100*float64(part)/float64(whole), decimals,
		math.Ceil(half*scale)/scale)
}

// half is half of the 95 % interval of the share, by how samples differ: those of one run are no
// independent draws.
func (s *share) half() float64 {
	part, whole := s.sums()
	squares := 0.0
	for _, x := range s.samples {
		off := float64(x.part) - float64(part)/float64(whole)*float64(x.whole)
		squares += float64(off * off)
	}
	n := float64(len(s.samples))
	return 1.96 * math.Sqrt(squares*n/max(1, n-1)) / float64(whole)
}

// percent is a share in whole per cent.
func percent(part, whole int) string {
	whole = max(1, whole)
	return fmt.Sprintf("%d %%", (200*part+whole)/(2*whole))
}
