package cli

import (
	"path"

	"github.com/downset/downset/sim"
)

// writeFigures writes the pictures of a page beside it.
func (a *app) writeFigures(f resultFlags, p sim.Page, text string) error {
	figures, err := p.Figures(text)
	if err != nil {
		return tool(err)
	}
	for _, g := range figures {
		if err := a.writeResult(path.Join(f.dir, g.File), g.Text); err != nil {
			return err
		}
	}
	return nil
}

// checkFigures says what is wrong with the pictures of a page: they are made of its text, so all of
// them are made again.
func checkFigures(f resultFlags, p sim.Page, text string) (wrong string, err error) {
	if p.Figures == nil {
		return "", nil
	}
	figures, err := p.Figures(text)
	if err != nil {
		return "", tool(err)
	}
	for _, g := range figures {
		was, err := f.old(g.File)
		if err != nil {
			return "", err
		}
		if was != g.Text {
			return path.Join(f.dir, g.File) + " is not the picture of " + p.Name + ".md", nil
		}
	}
	return "", nil
}
