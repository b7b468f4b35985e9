package pages

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/downset/downset/model"
	"github.com/downset/downset/sim"
)

type cached struct {
	Base, Variant, By string
	Killed, Complete  bool
	States            int64
}

func cache() map[string]cached {
	m := map[string]cached{}
	t, _ := os.ReadFile("/tmp/ds-res/cache.txt")
	for _, l := range strings.Split(string(t), "\n") {
		var c cached
		if json.Unmarshal([]byte(l), &c) == nil {
			m[c.Base+c.Variant+c.By] = c
		}
	}
	return m
}

func TestZZ(t *testing.T) {
	debug.SetGCPercent(400)
	os.Chdir("../..")
	var of *sim.Protocol = model.Lookup("ignite")
	rows, spaces := killCells(), spaceCells()
	all := append(append([]*cell{}, rows...), spaces...)
	if os.Getenv("ZZ") == "run" {
		old := cache()
		f, _ := os.OpenFile("/tmp/ds-res/cache.txt", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0644)
		var mu sync.Mutex
		queue := make(chan *cell)
		var w sync.WaitGroup
		for range 2 {
			w.Go(func() {
				for c := range queue {
					c.explore(of)
					mu.Lock()
					if c.err != nil {
						fmt.Println(c.base, c.variant, c.err)
					} else {
						b, _ := json.Marshal(cached{c.base, c.variant, c.by, c.killed, c.complete, c.states})
						fmt.Fprintln(f, string(b))
					}
					mu.Unlock()
				}
			})
		}
		for _, c := range all {
			if _, is := old[c.base+c.variant+c.by]; !is {
				queue <- c
			}
		}
		close(queue)
		w.Wait()
		return
	}
	m := cache()
	for _, c := range all {
		x, is := m[c.base+c.variant+c.by]
		if !is {
			t.Log("missing", c.base, c.variant)
		}
		c.killed, c.complete, c.states = x.Killed, x.Complete, x.States
	}
	ss, err := stories()
	if err != nil {
		t.Fatal(err)
	}
	text := igniteHead + killTable(rows) + setupTable(of, ss) + propertyTable(of) + gridTable(ss) +
		spaceTable(spaces) + findings(ss) + searched
	os.WriteFile(os.Getenv("OUT"), []byte(text), 0644)
}
