package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/downset/downset/sim"
	"github.com/downset/downset/sim/search"
)

// app is one call of the command line.
type app struct {
	protocols []*sim.Protocol
	out, err  io.Writer
	colour    bool
	stop      context.Context // ends with an interrupt
	patience  time.Duration   // for one run
	json      bool
	code      int         // the worst exit code so far
	barred    atomic.Bool // a bar is drawn on standard error
}

// Main is the command line over a list of protocols: it runs the command that args name and gives
// the exit code. It panics for nothing; what does not work it says on stderr.
func Main(protocols []*sim.Protocol, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintln(stderr, toolFailed(r))
			code = exitTool
		}
	}()
	stop, release := signal.NotifyContext(context.Background(), os.Interrupt)
	defer release()
	context.AfterFunc(stop, release) // a second interrupt ends the tool at once
	a := &app{protocols: protocols, out: stdout, err: stderr, colour: coloured(stdout), stop: stop}
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // never nil, which cobra takes for os.Args
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.Execute(); err != nil {
		a.complain(err)
	}
	return a.code
}

// complain says what did not work.
func (a *app) complain(err error) {
	fmt.Fprintln(a.err, err)
	a.code = worse(a.code, codeOf(err))
}

// toolFailed is what a panic of the tool says: what happened, where, and with which version.
func toolFailed(r any) string {
	stack := debug.Stack()
	var crash *search.Crash
	if err, ok := r.(error); ok && errors.As(err, &crash) {
		r, stack = crash.Value, crash.Stack
	}
	return fmt.Sprintf("downset: the tool itself failed: %v\n%s\n%s", r, version(), stack)
}

// version is the tool's version and Go's.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return "downset " + v + ", " + runtime.Version()
}

// coloured says that there is someone to see colours.
func coloured(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// root is the command without a name, which says what there is.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "downset",
		Short:         "Plays, judges and draws runs of distributed protocols, the same way each time.",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          help,
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Says more about a command",
		RunE:  func(_ *cobra.Command, args []string) error { return help(root, args) },
	})
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = seedWanted
	root.AddCommand(a.listCommand(), a.runCommand(), a.replayCommand(), a.fmtCommand(),
		a.drawCommand())
	root.AddCommand(a.sweepCommand(), a.shrinkCommand(), a.matrixCommand(),
		a.selftestCommand(), a.benchCommand(), a.resultsCommand())
	root.AddCommand(a.whyCommand())
	root.AddCommand(a.crashpointsCommand())
	root.AddCommand(a.exploreCommand())
	return root
}

// help prints the help of root, or of its command that args name.
func help(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return root.Help()
	}
	var names []string
	for _, c := range root.Commands() {
		if c.Name() == args[0] {
			return c.Help()
		}
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return usage("no command %q%s", args[0], sim.DidYouMean(args[0], names))
}

// flagError says what was wanted of a flag, and the nearest one if there is none of that name.
func flagError(cmd *cobra.Command, err error) error {
	if name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --"); unknown {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		return usage("%s has no flag --%s%s", cmd.Name(), name, sim.DidYouMean(name, known))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		return usage("--%s wants %s, got %q", f.Name, kinds[f.Value.Type()], invalid.GetValue())
	}
	return usage("%w", err)
}

// seedWanted says that --seed is 0, which is no seed, if it was given so.
func seedWanted(cmd *cobra.Command, _ []string) error {
	if f := cmd.Flags().Lookup("seed"); f != nil && f.Changed && f.Value.String() == "0" {
		return usage("--seed wants a number from 1 on, got 0")
	}
	return nil
}

// kinds are what flags want, by their type.
var kinds = map[string]string{
	"bool":        "true or false",
	"duration":    "a duration such as 30s",
	"int":         "a number",
	"string":      "a word",
	"stringSlice": "words with commas between",
	"uint64":      "a number",
}

// wants is the arguments of a command, at least one.
func wants(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage("%s wants %s", cmd.Name(), what)
		}
		return nil
	}
}

// wantsOne is the argument of a command, exactly one.
func wantsOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return usage("%s wants %s", cmd.Name(), what)
		case 1:
			return nil
		}
		return usage("%s wants %s, got %d arguments", cmd.Name(), what, len(args))
	}
}

// protocol is the protocol called name.
func (a *app) protocol(name string) (*sim.Protocol, error) {
	for _, p := range a.protocols {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no model called %q%s", name, sim.DidYouMean(name, a.models()))
}

func (a *app) models() []string {
	var names []string
	for _, p := range a.protocols {
		names = append(names, p.Name)
	}
	return names
}

// interrupted says that someone wants the command to end.
func (a *app) interrupted() bool { return a.stop.Err() != nil }
