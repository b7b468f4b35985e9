package spacetime_test

import (
	"fmt"
	"os"
	"testing"
	"github.com/downset/downset/sim/spacetime"
)

func TestLook(t *testing.T) {
	o := spacetime.Options{Point: point}
	w := func(n string, b []byte) { os.WriteFile("/tmp/look/"+n+".svg", b, 0o644) }
	os.MkdirAll("/tmp/look", 0o755)
	w("back", spacetime.SVG(backwards(), o))
	w("forw", spacetime.SVG(forwards(), o))
	for i, c := range [][3]int{{3,3,12},{5,3,30},{7,4,60},{9,5,100},{11,7,150},{12,2,40}} {
		r := random(mix(uint64(c[0])), c[1], c[2])
		o.Mark = nil
		if i == 1 { o.Mark = []int{10, 30} }
		w(fmt.Sprintf("r%d", i), spacetime.SVG(r, o))
		os.WriteFile(fmt.Sprintf("/tmp/look/r%d.txt", i), []byte(spacetime.Text(r,o)), 0o644)
	}
}
