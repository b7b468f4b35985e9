package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

func (a *app) writeMatrix(f resultFlags) error {
	all, err := a.matricesOf(a.storied())
	if err != nil {
		return err
	}
	return a.writeResult(path.Join(f.dir, path.Base(matrixFile)), matrixText(all))
}

// checkMatrix plays a part of the matrix again, or all of it, and compares the file with what it
// would be then.
func (a *app) checkMatrix(f resultFlags) (string, error) {
	was, err := f.old(path.Base(matrixFile))
	if err != nil {
		return "", err
	}
	var all []*matrix
	if f.whole {
		if all, err = a.matricesOf(a.storied()); err != nil {
			return "", err
		}
	} else {
		for _, name := range a.storied() {
			m, wrong, err := a.sampledMatrix(name, was)
			if wrong != "" || err != nil {
				return wrong, err
			}
			all = append(all, m)
		}
	}
	now := matrixText(all)
	if was == now {
		return "", nil
	}
	changed := brief(diff(matrixFile, "now", was, now))
	return "a story comes to something else:\n" + changed + matrixFile, nil
}

// sampledMatrix is the matrix of a model as a text has it, with some cells played again: of each
// story the first that breaks, and one more, which is another of each; and of each variant that is
// wrong the first that breaks it as it must.
func (a *app) sampledMatrix(model, text string) (m *matrix, wrong string, err error) {
	p, err := a.protocol(model)
	if err != nil {
		return nil, "", usage("%w", err)
	}
	files, err := storiesOf(model)
	if err != nil {
		return nil, "", err
	}
	all, err := a.openAll(files)
	if err != nil {
		return nil, "", err
	}
	m = readMatrix(p, text)
	m.digest = digestOf(all)
	if wrong := m.others(files); wrong != "" {
		return nil, wrong, nil
	}
	if !strings.Contains(text, "\n"+m.storiesAre()+"\n") {
		return nil, matrixFile + " is of other stories of " + model, nil
	}
	for i, row := range m.rows {
		for _, k := range m.sample(i) {
			now, err := a.cells(all[i], m.variants[k:k+1])
			if err != nil {
				return nil, "", err
			}
			row.cells[k] = now[0]
		}
	}
	return m, "", nil
}

// others says which stories or variants a matrix lacks or has too many.
func (m *matrix) others(files []string) string {
	var told, want []string
	for _, row := range m.rows {
		told = append(told, row.file)
	}
	for _, file := range files {
		want = append(want, path.Base(file))
	}
	name := m.protocol.Name
	if !slices.Equal(m.variants, m.protocol.VariantNames()) {
		return fmt.Sprintf("%s has other variants of %s: %s", matrixFile, name,
			apart(m.variants, m.protocol.VariantNames()))
	}
	if !slices.Equal(told, want) {
		return fmt.Sprintf("%s has other stories of %s: %s", matrixFile, name, apart(told, want))
	}
	return ""
}

// apart says what two lists do not have in common.
func apart(has, want []string) string {
	var all []string
	for _, name := range want {
		if !slices.Contains(has, name) {
			all = append(all, name+" is missing")
		}
	}
	for _, name := range has {
		if !slices.Contains(want, name) {
			all = append(all, name+" is too many")
		}
	}
	if len(all) == 0 {
		return "the order is another"
	}
	return strings.Join(all, ", ")
}

// sample are the places in a row that are played again.
func (m *matrix) sample(row int) []int {
	cells := m.rows[row].cells
	places := []int{row % len(cells)}
	breaks := func(c cell) bool { return len(c.broken) > 0 }
	if i := slices.IndexFunc(cells, breaks); i >= 0 {
		places = append(places, i)
	}
	for i, v := range m.protocol.Variants {
		if v.Breaks == "" {
			continue
		}
		if files := m.killers(v.Name, v.Breaks); len(files) > 0 && files[0] == m.rows[row].file {
			places = append(places, i)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// readMatrix is the matrix of a model as it stands in a text; without rows if it does not.
func readMatrix(p *sim.Protocol, text string) *matrix {
	m := &matrix{protocol: p}
	_, text, _ = strings.Cut(text, "\n## "+p.Name+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	_, table, _ := strings.Cut(text, "\n| story |")
	head, table, _ := strings.Cut(table, "\n")
	m.variants = columns(head)
	for line := range strings.Lines(table) {
		all := columns(strings.TrimPrefix(line, "|"))
		if len(all) != len(m.variants)+1 || strings.HasPrefix(all[0], "---") {
			continue
		}
		row := matrixRow{file: all[0]}
		for _, text := range all[1:] {
			row.cells = append(row.cells, readCell(text))
		}
		m.rows = append(m.rows, row)
	}
	return m
}

// columns are the cells of a line of a table.
func columns(line string) []string {
	all := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "|"), "|")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

func readCell(text string) cell {
	switch text {
	case holds:
		return cell{}
	case nothing:
		return cell{mute: text}
	}
	return cell{broken: strings.Fields(strings.ReplaceAll(text, "*", ""))}
}
