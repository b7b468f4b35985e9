package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/downset/downset/scenarios"
)

// fmtFlags are the flags of fmt, as gofmt has them.
type fmtFlags struct {
	write, diff, list bool
	grid              string
}

func (a *app) fmtCommand() *cobra.Command {
	var f fmtFlags
	cmd := &cobra.Command{
		Use:   "fmt FILE or MODEL...",
		Short: "Prints stories in canonical form",
		Args:  wants("a story: FILE or MODEL"),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := a.find(args)
			if err != nil {
				return err
			}
			for _, file := range files {
				if err := a.format(file, f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "write the result to the file")
	cmd.Flags().BoolVarP(&f.diff, "diff", "d", false, "show what would change")
	cmd.Flags().BoolVarP(&f.list, "list", "l", false, "list the files that would change")
	cmd.Flags().StringVar(&f.grid, "case", "", "print one case of a grid, \"a=1 b=2\", as a story")
	return cmd
}

func (a *app) format(file string, f fmtFlags) error {
	s, err := read(file)
	if err != nil {
		return err
	}
	was, err := os.ReadFile(file)
	if err != nil {
		return usage("%s: %v", file, plain(err))
	}
	if f.grid != "" {
		if s, err = (&story{Scenario: s}).pick(f.grid); err != nil {
			return err
		}
	}
	return a.formatted(f, file, was, scenarios.Format(s))
}

// formatted does with a story's canonical form what the flags say.
func (a *app) formatted(f fmtFlags, file string, was, now []byte) error {
	if !f.write && !f.diff && !f.list {
		_, err := a.out.Write(now)
		return err
	}
	if bytes.Equal(was, now) {
		return nil
	}
	if f.list {
		fmt.Fprintln(a.out, file)
	}
	if f.diff {
		fmt.Fprint(a.out, diff(file, file+" (canonical)", string(was), string(now)))
	}
	if f.write {
		if err := os.WriteFile(file, now, 0o666); err != nil {
			return usage("%s: %v", file, plain(err))
		}
	}
	return nil
}
