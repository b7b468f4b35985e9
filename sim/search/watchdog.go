package search

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
)

// Stuck is the error of Guard: f did not end within the limit.
type Stuck struct {
	Limit time.Duration
	Where []string // the functions that it was in when time was up, innermost first
}

func (s *Stuck) Error() string {
	if len(s.Where) == 0 {
		return fmt.Sprintf("no end within %s", s.Limit)
	}
	where := strings.Join(s.Where, ", called by ")
	return fmt.Sprintf("no end within %s, a handler loops: in %s", s.Limit, where)
}

// Crash is what Guard panics with when f panics: what f panicked with, and where.
type Crash struct {
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("%v", c.Value) }

// Guard calls f and waits for its end. When by the wall clock a whole limit has passed in which f
// did not call alive, Guard gives up with an error of type *Stuck and leaves f to itself, for
// nothing stops a loop in Go but the end of the program. A panic of f becomes a panic of Guard,
// with a *Crash.
func Guard(limit time.Duration, f func(alive func())) error {
	done := make(chan *Crash, 1)
	self := make(chan string, 1)
	var signs atomic.Int64 // of life
	go func() {
		self <- goroutine()
		defer func() {
			if r := recover(); r != nil {
				done <- &Crash{r, debug.Stack()}
				return
			}
			done <- nil
		}()
		f(func() { signs.Add(1) })
	}()
	name := <-self // "goroutine 7"
	for seen := int64(0); ; {
		select {
		case crash := <-done:
			if crash != nil {
				panic(crash)
			}
			return nil
		case <-time.After(limit):
		}
		now := signs.Load()
		if now == seen {
			return &Stuck{limit, where(name)}
		}
		seen = now
	}
}

// goroutine is the first line of this goroutine's stack: "goroutine 7".
func goroutine() string {
	buf := make([]byte, 64)
	text := string(buf[:runtime.Stack(buf, false)])
	name, _, _ := strings.Cut(text, " [")
	return name
}

// where is what a goroutine is doing: its functions from the innermost out to the engine's, without
// those of the runtime. Addresses and arguments are left out.
func where(name string) []string {
	buf := make([]byte, 1<<20)
	all := string(buf[:runtime.Stack(buf, true)])
	_, stack, found := strings.Cut("\n"+all, "\n"+name+" [")
	if !found {
		return nil
	}
	stack, _, _ = strings.Cut(stack, "\n\n")
	return handler(strings.Split(stack, "\n")[1:])
}

// handler is what of a stack lies between two calls of the engine: the handler, and what it called.
// If nothing does, it is the innermost functions, whosever they are.
func handler(stack []string) []string {
	var all, functions []string
	for _, line := range stack {
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "runtime.") {
			continue
		}
		if strings.HasPrefix(line, "created by ") {
			break
		}
		all = append(all, function(line))
		if !strings.Contains(line, "/downset/sim.") {
			functions = append(functions, function(line))
		} else if len(functions) > 0 {
			return functions
		}
	}
	return all[:min(len(all), 3)]
}

// function is the name of a function in a line of a stack, without its package's path and without
// its arguments: "echo.(*node).Receive".
func function(line string) string {
	if i := strings.LastIndex(line, "("); i > 0 {
		line = line[:i]
	}
	return line[strings.LastIndex(line, "/")+1:]
}
