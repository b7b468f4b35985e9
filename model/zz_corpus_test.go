package model_test

import (
	"fmt"
	"math/rand"
	"os"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/sim"
)

func TestZZCorpus(t *testing.T) {
	all := library(t)
	var seeds [][]byte
	for _, p := range model.All {
		for _, told := range stories(t, p) {
			seeds = append(seeds, encode(all, told))
		}
	}
	features := func(b []byte) map[string]bool {
		p := decode(all, b)
		run, err := sim.Execute(p)
		m := map[string]bool{}
		if err != nil {
			return m
		}
		for _, e := range run.Trace {
			k := fmt.Sprint(p.Protocol.Name, e.Kind)
			if e.Kind == sim.EntryLost {
				k += fmt.Sprint(e.N)
			}
			m[k] = true
		}
		for _, s := range run.Stale {
			m[p.Protocol.Name+s.Why] = true
		}
		m[fmt.Sprint(p.Protocol.Name, run.End)] = true
		return m
	}
	seen := map[string]bool{}
	for _, s := range seeds {
		for k := range features(s) {
			seen[k] = true
		}
	}
	fmt.Println("stories", len(seen))
	r := rand.New(rand.NewSource(1))
	var pool [][]byte
	for range 60000 {
		s := append([]byte(nil), seeds[r.Intn(len(seeds))]...)
		for range 1 + r.Intn(8) {
			i := r.Intn(len(s))
			switch r.Intn(3) {
			case 0:
				s[i] = byte(r.Intn(256))
			case 1:
				s = append(s[:i:i], s[i+1:]...)
			case 2:
				o := seeds[r.Intn(len(seeds))]
				s = append(s[:i:i], o[min(i, len(o)):]...)
			}
			if len(s) == 0 {
				s = []byte{0}
			}
		}
		if len(s) < 200 {
			pool = append(pool, s)
		}
	}
	feats := make([]map[string]bool, len(pool))
	for i := range pool {
		feats[i] = features(pool[i])
	}
	os.MkdirAll("testdata/fuzz/FuzzPlan", 0o755)
	for n := 1; n <= 8; n++ {
		best, gain := -1, 1
		for i := range pool {
			g := 0
			for k := range feats[i] {
				if !seen[k] {
					g++
				}
			}
			if g > gain {
				best, gain = i, g
			}
		}
		if best < 0 {
			break
		}
		fmt.Println(n, gain, len(pool[best]))
		for k := range feats[best] {
			if !seen[k] {
				fmt.Print(" ", k)
			}
			seen[k] = true
		}
		fmt.Println()
		os.WriteFile(fmt.Sprintf("testdata/fuzz/FuzzPlan/beyond-stories-%d", n), []byte(fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", pool[best])), 0o644)
	}
}
