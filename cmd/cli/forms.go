package cli

import (
	"strings"

	"github.com/downset/downset/sim"
)

// The forms of requests and of lines of set-up are what a model's own errors say that it wants. So
// they are asked for: by the first word alone, and, if that is all it takes, by words too many.

// forms are first words, each with what follows it, as far as the errors of parse tell.
func forms(words []string, parse func([]string) error) [][]string {
	var rows [][]string
	for _, word := range words {
		row := []string{word}
		many := append([]string{word}, strings.Fields(strings.Repeat("? ", 9))...)
		for _, line := range [][]string{{word}, many} {
			if form := wantedOf(word, line, parse); form != "" {
				row = append(row, form)
				break
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// wantedOf is what the error about a line says that follows its first word, "" if it says nothing:
// of "want commit TX NODE..., with the participants" it is "TX NODE...".
func wantedOf(word string, line []string, parse func([]string) error) (form string) {
	defer func() {
		if recover() != nil {
			form = "" // a protocol of one's own may rely on as many words as its stories have
		}
	}()
	err := parse(line)
	if err == nil {
		return ""
	}
	text, is := strings.CutPrefix(err.Error(), "want "+word+" ")
	if !is {
		return ""
	}
	text, _, _ = strings.Cut(text, ": ")
	text, _, _ = strings.Cut(text, ", ")
	return text
}

func requestForms(p *sim.Protocol) [][]string {
	return forms(p.OpWords, func(words []string) error {
		_, err := p.ParseOp(words)
		return err
	})
}

func setupForms(p *sim.Protocol) [][]string {
	return forms(p.SetupWords, func(words []string) error {
		_, err := p.ParseSetup(words, []string{"A", "B"})
		return err
	})
}
