package model_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"time"
	"github.com/downset/downset/checker"
	"github.com/downset/downset/sim"
	"github.com/downset/downset/scenarios"
)

func TestZZDump(t *testing.T) {
	b, _ := os.ReadFile(os.Getenv("F"))
	line := strings.Split(string(b), "\n")[1]
	s, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(line, "[]byte("), ")"))
	if err != nil {
		t.Fatal(err)
	}
	p := decode(library(t), []byte(s))
	fmt.Println(p.Variant.Name, p.Seed)
	fmt.Println(string(scenarios.Format(scenarios.Story(p))))
}

func TestZZTime(t *testing.T) {
	b, _ := os.ReadFile(os.Getenv("F"))
	line := strings.Split(string(b), "\n")[1]
	s, _ := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(line, "[]byte("), ")"))
	p := decode(library(t), []byte(s))
	for _, dg := range []bool{false, true} {
		at := time.Now()
		run, err := new(sim.World).Execute(p, sim.Options{Record: true, Digest: dg})
		fmt.Println(dg, time.Since(at), err, run.Events, len(run.Trace), run.End, run.Why)
		at = time.Now()
		v := checker.Judge(run, p.Protocol.Properties)
		fmt.Println(time.Since(at), v.Outcome)
	}
}
