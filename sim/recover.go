package sim

import (
	"fmt"
	"runtime"
	"strings"
)

// recoverMachine turns a panic in a machine into the end of the run. A panic in the engine, which
// begins with "sim: ", goes on up: it is a fault of the tool.
func (w *World) recoverMachine() {
	if w.cur == nil {
		return
	}
	r := recover()
	if r == nil {
		return
	}
	text := fmt.Sprint(r)
	if strings.HasPrefix(text, "sim: ") {
		panic(r)
	}
	node, text := w.cur.id, withoutAddresses(text)
	w.stopped = Panicked
	w.failed = &Panic{Node: node, Entry: w.entries - 1, Value: text, Stack: stack()}
	w.why = "panic in " + w.end(node) + ": " + text
}

// withoutAddresses is a text with every address in it taken out: they differ from run to run.
func withoutAddresses(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "0x")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("0x?")
		text = strings.TrimLeft(after, "0123456789abcdef")
	}
}

// stack is where a panic came from: functions with lines, without addresses, from the innermost to
// the engine.
func stack() []string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var lines []string
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "sim.(*World).play") ||
			strings.Contains(f.Function, "sim.(*World).moving") {
			break
		}
		if !strings.HasPrefix(f.Function, "runtime.") && !strings.Contains(f.Function, "/sim.") {
			name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
			file := f.File[strings.LastIndexByte(f.File, '/')+1:]
			lines = append(lines, fmt.Sprintf("%s %s:%d", name, file, f.Line))
		}
		if !more {
			break
		}
	}
	return lines
}
