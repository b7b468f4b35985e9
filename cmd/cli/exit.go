package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Exit codes. Where several apply, the one that stands first in precedence counts.
const (
	exitOK        = 0 // as expected
	exitViolated  = 1 // a property was violated, or held against expectation
	exitUsage     = 2 // bad usage or bad file
	exitUndecided = 3
	exitUnsteady  = 4 // two runs of one plan differ
	exitTool      = 5 // the tool itself failed
	exitGoals     = 6 // declared goals not reached
	exitDiverged  = 7 // a replay is not the recorded run
)

var precedence = []int{exitTool, exitUnsteady, exitUsage, exitDiverged, exitViolated, exitUndecided,
	exitGoals, exitOK}

// worse is that of two exit codes which says more.
func worse(a, b int) int {
	if slices.Index(precedence, a) < slices.Index(precedence, b) {
		return a
	}
	return b
}

// failure is an error that says with which code to exit.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

// usage is an error in how the tool was called, or in a file it was given.
func usage(format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...)}
}

// tool is an error of the tool.
func tool(err error) error { return &failure{exitTool, err} }

// codeOf is the exit code of an error: usage unless it says otherwise.
func codeOf(err error) int {
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitUsage
}

// plain is a file error without the system's words around it.
func plain(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("no such file")
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
