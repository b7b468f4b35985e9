package model_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

func TestZZRound(t *testing.T) {
	all := library(t)
	var seeds [][]byte
	for _, p := range model.All {
		for _, told := range stories(t, p) {
			seeds = append(seeds, encode(all, told))
		}
	}
	r := rand.New(rand.NewSource(1))
	n, refused, unparsed, uncheck, diff, bad, vac := 0, 0, 0, 0, 0, 0, 0
	errs := map[string]int{}
	for range 30000 {
		s := append([]byte(nil), seeds[r.Intn(len(seeds))]...)
		for range 1 + r.Intn(6) {
			switch r.Intn(3) {
			case 0:
				s[r.Intn(len(s))] = byte(r.Intn(256))
			case 1:
				i := r.Intn(len(s))
				s = append(s[:i:i], s[i+1:]...)
			case 2:
				i := r.Intn(len(s))
				o := seeds[r.Intn(len(seeds))]
				s = append(s[:i:i], o[min(i, len(o)):]...)
			}
			if len(s) == 0 {
				s = []byte{0}
			}
		}
		p := decode(all, s)
		n++
		a, err := new(sim.World).Execute(p, sim.Options{Digest: true, Record: true})
		if err != nil {
			refused++
			errs["exec: "+strings.SplitN(err.Error(), "\"", 2)[0]]++
			continue
		}
		if why := unsound(p); why != "" {
			bad++
			fmt.Println(why)
		}
		if len(a.Trace) < 20 {
			vac++
		}
		text := scenarios.Format(scenarios.Story(p))
		sc, err := scenarios.Parse("x.txt", text)
		if err != nil {
			unparsed++
			k := err.Error()
			k = k[strings.Index(k, ": ")+2:]
			errs["parse: "+strings.SplitN(k, "\"", 2)[0]]++
			continue
		}
		if err := sc.Check(p.Protocol); err != nil {
			uncheck++
			k := err.Error()
			errs["check: "+k[strings.Index(k, ": ")+2:]]++
			continue
		}
		q, err := sc.Plan(p.Protocol, p.Variant.Name, p.Seed)
		if err != nil {
			errs["plan: "+err.Error()]++
			continue
		}
		b, err := new(sim.World).Execute(q, sim.Options{Digest: true, Record: true})
		if err != nil {
			errs["exec2: "+err.Error()]++
			continue
		}
		if part := search.First(a, b); part != nil {
			diff++
			if diff < 6 {
				fmt.Println("DIFF", part, p.Seed)
				fmt.Println(string(text))
			}
		}
	}
	fmt.Println("n", n, "refused", refused, "unparsed", unparsed, "uncheck", uncheck, "diff", diff, "bad", bad, "short", vac)
	for k, v := range errs {
		if v > 100 {
			fmt.Println(v, k)
		}
	}
}
