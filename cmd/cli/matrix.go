package cli

import (
	"fmt"
	"os"
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
		Use:   "matrix [MODEL or FOLDER...]",
		Short: "Plays all stories of a model under all its variants: which story breaks which mutant",
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

func (a *app) matrices(models []string, write bool) error {
	if len(models) == 0 {
		models = a.storied()
	}
	var all []*matrix
	for _, name := range models {
		some, err := a.matricesOf(name)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	for _, m := range all {
		if len(m.survivors()) > 0 {
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

// matricesOf are the matrix of a model, or of a folder one for each model that it has stories of.
func (a *app) matricesOf(name string) ([]*matrix, error) {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() || a.meansModel(name) {
		m, err := a.matrixOf(name)
		return []*matrix{m}, err
	}
	files, err := inFolder(name)
	if err != nil {
		return nil, err
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
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, usage("%s: no story in it is of a model that is known", name)
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

func (a *app) matrixOf(model string) (*matrix, error) {
	p, err := a.protocol(model)
	if err != nil {
		return nil, usage("%w", err)
	}
	files, err := storiesOf(p.Name)
	if err != nil {
		return nil, err
	}
	return a.matrix(p, files)
}

// matrix plays the stories of a model.
func (a *app) matrix(p *sim.Protocol, files []string) (*matrix, error) {
	m := &matrix{protocol: p, variants: p.VariantNames()}
	for _, file := range files {
		if a.interrupted() {
			return nil, a.covered(len(m.rows), len(files))
		}
		s, err := a.open(file)
		if err != nil {
			return nil, err
		}
		row, err := a.matrixRow(s, m.variants)
		if err != nil {
			return nil, err
		}
		m.rows = append(m.rows, row)
	}
	return m, nil
}

func (a *app) matrixRow(s *story, variants []string) (row matrixRow, err error) {
	row.file = path.Base(s.File)
	err = a.guard(s.protocol, func(w *sim.Protocol) error {
		for _, v := range variants {
			if len(s.Vary) > 0 && len(variants) > manyWrong && !s.tellsOfVariant(v) {
				row.cells = append(row.cells, cell{mute: "a grid, and not of this variant"})
				continue
			}
			// One at a time: a case of a grid is void if a line comes to nothing under any of them.
			o := scenarios.PlayOptions{Variants: []string{v}, NoOrders: true}
			r, err := scenarios.Play(s.Scenario, w, o)
			if err != nil {
				return usage("%w", err)
			}
			row.cells = append(row.cells, cellOf(r.Played))
		}
		return nil
	})
	return row, err
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

// showMatrix prints a matrix for a screen: a letter for each property.
func (a *app) showMatrix(m *matrix) error {
	if a.json {
		return a.object(m.object())
	}
	for _, line := range m.screen() {
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
	return nil
}

func (m *matrix) headline() string {
	text := fmt.Sprintf("%s: %s, %s; ", m.protocol.Name, stories(len(m.rows)),
		several(len(m.variants), "variant"))
	wrong, left := 0, m.survivors()
	for _, v := range m.protocol.Variants {
		if v.Breaks != "" {
			wrong++
		}
	}
	text += fmt.Sprintf("%d of %d wrong ones are broken as they must be", wrong-len(left), wrong)
	for i, v := range left {
		if i == 0 {
			text += "; SURVIVE:"
		}
		text += fmt.Sprintf(" %s (%s)", v.Name, v.Breaks)
	}
	return text
}

// screen is a column of letters a variant. Capitals: the property that must catch it.
func (m *matrix) screen() []string {
	lines := []string{m.headline(), ""}
	properties := m.broken()
	lines = append(append(lines, m.legend(properties)...), "")
	width := m.width()
	for i, v := range m.variants {
		lines = append(lines, fmt.Sprintf("  %-*s  %s%s", width, "", strings.Repeat("| ", i), v))
	}
	for _, row := range m.rows {
		lines = append(lines, fmt.Sprintf("  %-*s  %s", width, row.file, m.marks(row, properties)))
	}
	return lines
}

// legend explains the marks, those letters that occur: small and capital ones.
func (m *matrix) legend(properties []string) []string {
	occur := ""
	for _, row := range m.rows {
		occur += m.marks(row, properties)
	}
	var lines []string
	for i, p := range properties {
		both := ""
		for _, mark := range []string{letter(i), strings.ToUpper(letter(i))} {
			if strings.Contains(occur, mark) {
				both += " " + mark
			}
		}
		lines = append(lines, fmt.Sprintf(" %-4s  breaks %s", both, p))
	}
	if occur != strings.ToLower(occur) {
		lines = append(lines, "       a capital: the property that must catch the variant; small:"+
			" another, the first that breaks")
	}
	return append(lines,
		"  .    holds",
		"  -    the story says nothing of this variant")
}

// width is the length of the longest name of a story.
func (m *matrix) width() int {
	width := 0
	for _, row := range m.rows {
		width = max(width, len(row.file))
	}
	return width
}

func (m *matrix) marks(row matrixRow, properties []string) string {
	marks := ""
	for i, c := range row.cells {
		marks += m.mark(c, m.protocol.Variants[i], properties) + " "
	}
	return marks
}

func (m *matrix) mark(c cell, v sim.Variant, properties []string) string {
	switch {
	case slices.Contains(c.broken, v.Breaks):
		return strings.ToUpper(letter(slices.Index(properties, v.Breaks)))
	case len(c.broken) > 0:
		return letter(slices.Index(properties, c.broken[0]))
	case c.mute != "":
		return nothing
	}
	return "."
}

func letter(i int) string { return string(rune('a' + i)) }

// broken are the properties that break somewhere, in the order of the protocol.
func (m *matrix) broken() []string {
	var all []string
	for _, row := range m.rows {
		for _, c := range row.cells {
			all = append(all, c.broken...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	names := m.protocol.Breakable()
	place := func(name string) int { return slices.Index(names, name) }
	slices.SortStableFunc(all, func(a, b string) int { return place(a) - place(b) })
	return all
}
