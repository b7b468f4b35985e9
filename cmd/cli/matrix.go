package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

func (a *app) matrixCommand() *cobra.Command {
	write := false
	cmd := &cobra.Command{
		Use:   "matrix [MODEL or FOLDER or FILE...]",
		Short: "Plays stories under all variants of their model: which story breaks which mutant",
		RunE: func(_ *cobra.Command, args []string) error {
			if write && len(args) > 0 {
				return usage("--write writes %s for all models: want none named", matrixFile)
			}
			return a.matrices(args, write)
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "write "+matrixFile+" anew, for all models")
	cmd.Flags().BoolVar(&a.json, "json", false, "one object a line")
	a.patienceFlag(cmd)
	return cmd
}

// matrix is what came of each story of a model under each variant.
type matrix struct {
	protocol *sim.Protocol
	variants []string
	rows     []matrixRow
	digest   string // of the stories, without their opening comments
	some     bool   // stories were named: there may be others
}

// matrixRow is one story.
type matrixRow struct {
	file  string
	cells []cell // by variant
}

// cell is what came of a story under a variant.
type cell struct {
	broken []string // properties of the lowest layer
	mute   string   // why the story says nothing of the variant: "" if it does
}

const (
	holds   = "holds"
	nothing = "-"
)

func (c cell) String() string {
	switch {
	case len(c.broken) > 0:
		return strings.Join(c.broken, " ")
	case c.mute != "":
		return nothing
	}
	return holds
}

func (a *app) matrices(args []string, write bool) error {
	if len(args) == 0 {
		args = a.storied()
	}
	all, err := a.matricesOf(args)
	if err != nil {
		return err
	}
	for _, m := range all {
		if !m.some && len(m.survivors()) > 0 {
			a.code = worse(a.code, exitViolated)
		}
		if write {
			fmt.Fprintln(a.out, m.headline())
			continue
		}
		if err := a.showMatrix(m); err != nil {
			return err
		}
	}
	if write {
		return a.writeResult(matrixFile, matrixText(all))
	}
	return nil
}

// matricesOf are the matrices of the stories that arguments name, one for each model that some of
// them are of. In a folder there may be stories of models that are not known.
func (a *app) matricesOf(args []string) ([]*matrix, error) {
	var files []string
	some := false
	for _, arg := range args {
		found, err := a.findOne(arg)
		if err != nil {
			return nil, err
		}
		if len(found) == 1 && found[0] == arg {
			some = true
			if _, err := a.open(arg); err != nil {
				return nil, err
			}
		}
		files = append(files, found...)
	}
	var all []*matrix
	for _, p := range a.protocols {
		own := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !tellsOf(f, p.Name) })
		if len(own) == 0 {
			continue
		}
		m, err := a.matrix(p, own)
		if err != nil {
			return nil, err
		}
		m.some = some
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, usage("%s: no story in it is of a model that is known", args[0])
	}
	return all, nil
}

// storied are the models that have stories.
func (a *app) storied() []string {
	var names []string
	for _, name := range a.models() {
		if _, err := storiesOf(name); err == nil {
			names = append(names, name)
		}
	}
	return names
}

func stories(n int) string {
	if n == 1 {
		return "1 story"
	}
	return fmt.Sprintf("%d stories", n)
}

// matrix plays the stories of a model.
func (a *app) matrix(p *sim.Protocol, files []string) (*matrix, error) {
	m := &matrix{protocol: p, variants: p.VariantNames()}
	all, err := a.openAll(files)
	if err != nil {
		return nil, err
	}
	m.digest = digestOf(all)
	for _, s := range all {
		if a.interrupted() {
			return nil, a.covered(len(m.rows), len(files))
		}
		row := matrixRow{file: path.Base(s.File)}
		if row.cells, err = a.cells(s, m.variants); err != nil {
			return nil, err
		}
		m.rows = append(m.rows, row)
	}
	return m, nil
}

func (a *app) openAll(files []string) ([]*story, error) {
	var all []*story
	for _, file := range files {
		s, err := a.open(file)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// digestOf is a short name for some stories as far as they play.
func digestOf(all []*story) string {
	var texts []string
	for _, s := range all {
		texts = append(texts, path.Base(s.File), withoutComments(s.Scenario))
	}
	return digest(texts)
}

// cells are what comes of a story under some variants of its model.
func (a *app) cells(s *story, variants []string) (cells []cell, err error) {
	many := len(s.protocol.Variants) > manyWrong
	err = a.guard(s.protocol, func(w *sim.Protocol) error {
		for _, v := range variants {
			if len(s.Vary) > 0 && many && !s.tellsOfVariant(v) {
				cells = append(cells, cell{mute: "a grid, and not of this variant"})
				continue
			}
			// One at a time: a case of a grid is void if a line comes to nothing under any of them.
			o := scenarios.PlayOptions{Variants: []string{v}, NoOrders: true}
			r, err := scenarios.Play(s.Scenario, w, o)
			if err != nil {
				return usage("%w", err)
			}
			cells = append(cells, cellOf(r.Played))
		}
		return nil
	})
	return cells, err
}

// tellsOfVariant says that a story expects something of a variant.
func (s *story) tellsOfVariant(name string) bool {
	return slices.ContainsFunc(s.Expect.Verdicts, func(v scenarios.Verdict) bool {
		base, _, _ := strings.Cut(v.Variant, "/")
		return base == name
	})
}

// cellOf sums up the cases of a story under one variant: what the first broke that broke
// something, else that they hold, if one of them says so.
func cellOf(played []scenarios.Played) cell {
	sum := cell{mute: "void"}
	for i := range played {
		q := &played[i]
		if q.Void {
			continue
		}
		if broken := q.Verdict.Broken(); len(broken) > 0 {
			return cell{broken: broken}
		}
		if why := mute(q); why == "" || sum.mute != "" {
			sum.mute = why
		}
	}
	return sum
}

// mute is why a run that broke nothing says nothing either, "" if it says that the variant holds.
func mute(q *scenarios.Played) string {
	switch {
	case q.Got != holds:
		return q.Got // vacuous, or undecided
	case len(q.Of(scenarios.StaleLine)) > 0:
		return "a line came to nothing"
	case len(q.Of(scenarios.Astray)) > 0:
		return "the story went astray"
	}
	return ""
}

// killers are the stories that break a variant by a property.
func (m *matrix) killers(variant, property string) []string {
	i := slices.Index(m.variants, variant)
	var files []string
	for _, row := range m.rows {
		if slices.Contains(row.cells[i].broken, property) {
			files = append(files, row.file)
		}
	}
	return files
}

// survivors are the variants that no story breaks by the property that must catch them.
func (m *matrix) survivors() []sim.Variant {
	var all []sim.Variant
	for _, v := range m.protocol.Variants {
		if v.Breaks != "" && len(m.killers(v.Name, v.Breaks)) == 0 {
			all = append(all, v)
		}
	}
	return all
}
