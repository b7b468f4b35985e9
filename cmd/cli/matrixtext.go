package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// matrixFile is where the matrices of all models are kept.
const matrixFile = "results/matrix.md"

const matrixHead = `# Which story breaks which variant

Written by ` + "`downset matrix --write`" + `. A row is a story in scenarios/, a column a variant. A
cell is "holds", or the properties of the lowest layer that break, or "-" where the story says
nothing of the variant: a line of it comes to nothing, it is a grid of a model with many variants
and does not name this one, or no property has anything to hold of. **Bold** is the property that
must catch the variant.

A test looks whether the stories are still those, and plays some cells again: of each row the first
that breaks and one more, of each wrong variant the first that breaks it as it must.
` + "`downset results --check --whole matrix`" + ` plays them all.
`

// matrixText is the matrices of all models in Markdown.
func matrixText(all []*matrix) string {
	var text strings.Builder
	text.WriteString(matrixHead)
	for _, m := range all {
		m.markdown(&text)
	}
	return text.String()
}

// storiesAre names the stories that a matrix was made of.
func (m *matrix) storiesAre() string {
	return fmt.Sprintf("Stories `%s`, as far as they play.", m.digest)
}

func (m *matrix) markdown(w *strings.Builder) {
	fmt.Fprintf(w, "\n## %s\n\n", m.protocol.Name)
	m.catchers(w)
	fmt.Fprintf(w, "\n| story | %s |\n|---|%s\n", strings.Join(m.variants, " | "),
		strings.Repeat("---|", len(m.variants)))
	for _, row := range m.rows {
		fmt.Fprintf(w, "| %s |", row.file)
		for i, c := range row.cells {
			fmt.Fprintf(w, " %s |", bold(c, m.protocol.Variants[i].Breaks))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n%s\n", m.storiesAre())
}

// catchers is a table of what is wrong on purpose: which stories break it by which property.
func (m *matrix) catchers(w *strings.Builder) {
	fmt.Fprintf(w, "%s.\n\n| wrong variant | must break | stories that do | the first |\n",
		m.headline())
	fmt.Fprint(w, "|---|---|---:|---|\n")
	for _, v := range m.protocol.Variants {
		if v.Breaks == "" {
			continue
		}
		files := m.killers(v.Name, v.Breaks)
		first := "**SURVIVES**"
		if len(files) > 0 {
			first = files[0]
		}
		fmt.Fprintf(w, "| %s | %s | %d | %s |\n", v.Name, v.Breaks, len(files), first)
	}
}

func bold(c cell, property string) string {
	words := strings.Fields(c.String())
	for i, word := range words {
		if len(c.broken) > 0 && word == property {
			words[i] = "**" + word + "**"
		}
	}
	return strings.Join(words, " ")
}

// writeResult writes a file of results, in a folder that is made if it is not there.
func (a *app) writeResult(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return usage("%s: %v", file, plain(err))
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return usage("%s: %v", file, plain(err))
	}
	fmt.Fprintln(a.out, "written", file)
	return nil
}

type matrixObject struct {
	header
	Model     string              `json:"model"`
	Variants  []string            `json:"variants"`
	Stories   []storyObject       `json:"stories"`
	Survivors []string            `json:"survivors"`
	Killers   map[string][]string `json:"killers"`
}

type storyObject struct {
	Story string   `json:"story"`
	Cells []string `json:"cells"`
}

func (m *matrix) object() matrixObject {
	o := matrixObject{header: header{format, "matrix"}, Model: m.protocol.Name, Variants: m.variants,
		Stories: []storyObject{}, Survivors: []string{}, Killers: map[string][]string{}}
	for _, row := range m.rows {
		s := storyObject{Story: row.file}
		for _, c := range row.cells {
			s.Cells = append(s.Cells, c.String())
		}
		o.Stories = append(o.Stories, s)
	}
	for _, v := range m.survivors() {
		o.Survivors = append(o.Survivors, v.Name)
	}
	for _, v := range m.protocol.Variants {
		if v.Breaks != "" {
			o.Killers[v.Name] = append([]string{}, m.killers(v.Name, v.Breaks)...)
		}
	}
	return o
}
