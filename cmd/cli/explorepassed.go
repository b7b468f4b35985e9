package cli

import (
	"fmt"
	"path"
	"strings"
)

// passedOver are stories of a folder that explore cannot take as they are, by what they are.
type passedOver struct {
	kinds []string
	files map[string][]string
}

func (p *passedOver) add(kind, file string) {
	if len(p.files[kind]) == 0 {
		p.kinds = append(p.kinds, kind)
	}
	p.files[kind] = append(p.files[kind], path.Base(file))
}

// passed prints how many stories are not explored, and which.
func (a *app) passed(p *passedOver) {
	n := 0
	var counts []string
	for _, kind := range p.kinds {
		files := p.files[kind]
		n += len(files)
		what := kind
		if kind == "grid" && len(files) > 1 {
			what = "grids"
		}
		counts = append(counts, fmt.Sprintf("%d %s", len(files), what))
	}
	if n == 0 {
		return
	}
	are := "stories are"
	if n == 1 {
		are = "story is"
	}
	text := fmt.Sprintf("%d %s not explored: %s", n, are, strings.Join(counts, ", "))
	if a.json { // whose lines are objects
		fmt.Fprintln(a.err, text)
		return
	}
	fmt.Fprintln(a.out, text)
	for _, kind := range p.kinds {
		a.row(kind, p.files[kind])
	}
}
