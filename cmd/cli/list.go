package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/downset/downset/sim"
)

func (a *app) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [MODEL...]",
		Short: "Lists models: variants, requests, properties, goals, stories",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = a.models()
			}
			for _, name := range args {
				p, err := a.protocol(name)
				if err != nil {
					return usage("%w", err)
				}
				if err := a.list(p); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&a.json, "json", false, "one object a line")
	return cmd
}

func (a *app) list(p *sim.Protocol) error {
	titles := a.titles(p.Name)
	if a.json {
		return a.object(listed(p, titles))
	}
	fmt.Fprintln(a.out, strings.TrimRight(p.Name+"  "+p.Doc, " "))
	for _, part := range parts(p, titles) {
		a.listPart(part)
	}
	return nil
}

// nameWidth is how wide a name may be that what it is stands beside.
const nameWidth = 40

// listPart prints a kind of thing in columns: its name, each of them, and what that is, over as
// many lines as it takes.
func (a *app) listPart(p part) {
	width := 0
	for _, row := range p.rows {
		if n := len([]rune(row[0])); n <= nameWidth {
			width = max(width, n)
		}
	}
	for i, row := range p.rows {
		name := ""
		if i == 0 {
			name = p.name
		}
		line := fmt.Sprintf("  %-10s  %-*s  ", name, width, row[0])
		indent := fmt.Sprintf("  %-10s  %-*s  ", "", width, "")
		if len([]rune(row[0])) > width { // what it is stands below
			fmt.Fprintln(a.out, strings.TrimRight(line, " "))
			line = indent
		}
		for j, word := range strings.Fields(strings.Join(row[1:], " ")) {
			if j > 0 && len([]rune(line+word)) > rowWidth {
				fmt.Fprintln(a.out, strings.TrimRight(line, " "))
				line = indent
			}
			line += word + " "
		}
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
}

// part is a kind of thing that a protocol has, and each of them with what it is.
type part struct {
	name string
	rows [][]string
}

func parts(p *sim.Protocol, titles [][]string) []part {
	var variants, mutants, rules, properties, goals [][]string
	for _, v := range p.Variants {
		if v.Mutant() {
			doc := fmt.Sprintf("%s (of %s, breaks %s)", v.Doc, v.Of, v.Breaks)
			mutants = append(mutants, []string{v.Name, doc})
			continue
		}
		doc := v.Doc
		if v.Breaks != "" {
			doc = strings.TrimSpace(doc + " (known to break " + v.Breaks + ")")
		}
		variants = append(variants, []string{v.Name, doc})
	}
	for _, r := range p.Rules {
		rules = append(rules, []string{r.Name + "=" + strings.Join(r.Values, "|"), r.Doc})
	}
	for _, q := range p.Properties {
		properties = append(properties, []string{q.Name, q.Doc})
	}
	for _, g := range p.Goals {
		goals = append(goals, []string{g.Name, g.Doc})
	}
	return []part{
		{"variants", variants}, {"mutants", mutants}, {"rules", rules},
		{"set-up", setupForms(p)}, {"requests", requestForms(p)},
		{"properties", properties}, {"claims", words(p.Claims)}, {"goals", goals},
		{"nemeses", nemeses(p)}, {"stories", titles},
	}
}

// nemeses are a protocol's own.
func nemeses(p *sim.Protocol) [][]string {
	var rows [][]string
	for _, n := range p.Nemeses {
		rows = append(rows, []string{n.Name, n.Doc})
	}
	return rows
}

func words(list []string) [][]string {
	var rows [][]string
	for _, word := range list {
		rows = append(rows, []string{word})
	}
	return rows
}

// titles are the stories of a model that are found, each with the first sentence of its opening
// comment. A file with a mistake is complained of, and does not hide the others.
func (a *app) titles(model string) [][]string {
	files, err := storiesOf(model)
	if err != nil {
		return nil // no folder, no stories
	}
	var rows [][]string
	for _, file := range files {
		s, err := read(file)
		if err != nil {
			a.complain(err)
			continue
		}
		rows = append(rows, []string{file, sentence(s.Doc)})
	}
	return rows
}

// sentence is the first sentence of a comment's first paragraph.
func sentence(lines []string) string {
	if end := slices.Index(lines, ""); end >= 0 {
		lines = lines[:end]
	}
	text := strings.Join(lines, " ")
	for i, c := range text {
		if strings.ContainsRune(".?!", c) && strings.HasPrefix(text[i+1:]+" ", " ") {
			return text[:i+1]
		}
	}
	return text
}
