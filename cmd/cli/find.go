package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/downset/downset/scenarios"
	"github.com/downset/downset/sim"
)

// story is a scenario with the protocol that plays it.
type story struct {
	*scenarios.Scenario
	protocol *sim.Protocol
}

// find is the files that arguments name: a file, a folder for the stories in it, or a model for its
// stories.
func (a *app) find(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		found, err := a.findOne(arg)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

func (a *app) findOne(arg string) ([]string, error) {
	if dir, all := strings.CutSuffix(arg, "/..."); all && isFolder(dir) {
		return inFolder(dir) // as Go's commands have it
	}
	info, err := os.Stat(arg)
	switch {
	case a.meansModel(arg):
		return storiesOf(arg)
	case err == nil && !info.IsDir():
		return []string{arg}, nil
	case err == nil:
		return inFolder(arg)
	case strings.ContainsAny(arg, `/\.`):
		return nil, usage("%s: %v%s", arg, plain(err), near(arg))
	}
	return nil, usage("no file and no model called %q%s", arg, sim.DidYouMean(arg, a.models()))
}

// isFolder says that there is a folder of a name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// meansModel says that an argument is a model's name, also where a binary or a folder is called so
// too, as in the module of a protocol of one's own; but a folder with stories is the folder.
func (a *app) meansModel(arg string) bool {
	if !slices.Contains(a.models(), arg) || strings.HasSuffix(arg, ".txt") {
		return false
	}
	files, err := inFolder(arg)
	return err != nil || len(files) == 0
}

// shelves are the folders in which a model's stories may lie among others, where there is no folder
// scenarios/MODEL: those that a module of one's own has.
var shelves = []string{"scenarios", "stories", "testdata/stories", "testdata"}

// storiesOf are the stories of a model: those in scenarios/MODEL below the current folder, else
// those of it on the first shelf that has any.
func storiesOf(model string) ([]string, error) {
	own := path.Join("scenarios", model)
	if files, err := inFolder(own); err == nil {
		return files, nil
	}
	for _, shelf := range shelves {
		files, err := inFolder(shelf)
		if err != nil {
			continue
		}
		files = slices.DeleteFunc(files, func(file string) bool { return !tellsOf(file, model) })
		if len(files) > 0 {
			return files, nil
		}
	}
	return nil, usage("no stories of %s: want *.txt in %s, or of it in %s", model, own,
		strings.Join(shelves, ", "))
}

// tellsOf says that a file is a story of a model, with or without mistakes.
func tellsOf(file, model string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "model" {
			return words[1] == model
		}
	}
	return false
}

// inFolder is the stories of a folder, in order of their names.
func inFolder(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, usage("%s: %v", dir, err)
	}
	if len(files) == 0 {
		return nil, usage("%s: want a folder with stories, *.txt", filepath.ToSlash(dir))
	}
	slices.Sort(files)
	for i := range files {
		files[i] = filepath.ToSlash(files[i])
	}
	return files, nil
}

// near ends an error about a file that is not there: the nearest of those beside it, else the
// folder that its name leads to, here or further up.
func near(file string) string {
	beside, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.txt"))
	for i := range beside {
		beside[i] = filepath.Base(beside[i])
	}
	hint := sim.DidYouMean(filepath.Base(file), beside)
	if err == nil && strings.HasPrefix(hint, "; did") {
		return hint
	}
	switch n := len(beside); {
	case n == 0 || strings.HasPrefix(filepath.Base(file), "..."):
	case n <= mostListed:
		return hint
	default:
		return fmt.Sprintf("; have %s in %s", stories(n), filepath.ToSlash(filepath.Dir(file)))
	}
	if folder := nearFolder(file); folder != "" {
		return fmt.Sprintf("; did you mean %q?", folder)
	}
	return ""
}

// mostListed is how many stories of a folder an error lists; of more it says how many there are.
const mostListed = 12

// mostUp is how many folders up the way to a file is looked for.
const mostUp = 8

// nearFolder is where the way to a file that is not there leads to, as far as it goes, with the
// nearest folder where it goes wrong: from here, else from a folder above. "" is that there is no
// such way.
func nearFolder(file string) string {
	if filepath.IsAbs(file) {
		return wayTo("/", strings.TrimPrefix(filepath.ToSlash(file), "/"))
	}
	up := ""
	for range mostUp {
		if folder := wayTo(up, filepath.ToSlash(filepath.Clean(file))); folder != "" {
			return folder
		}
		up = path.Join(up, "..")
	}
	return ""
}

// wayTo is the longest part of a way, from a folder on, that is there; a part of it that is spelled
// wrong is the nearest folder's name. It is "" if not even the first part is there.
func wayTo(from, way string) string {
	at := from
	for _, part := range strings.Split(way, "/") {
		next := path.Join(at, part)
		if _, err := os.Stat(next); err != nil {
			name := nearest(at, part)
			if name == "" {
				break
			}
			next = path.Join(at, name)
		}
		at = next
	}
	if at == from {
		return ""
	}
	return at
}

// nearest is the folder in a folder whose name is nearest to one, "" if none is near.
func nearest(folder, name string) string {
	entries, err := os.ReadDir(path.Join(".", folder))
	if path.IsAbs(folder) {
		entries, err = os.ReadDir(folder)
	}
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 {
			names = append(names, e.Name())
		}
	}
	_, hint, found := strings.Cut(sim.DidYouMean(name, names), "did you mean \"")
	if !found {
		return ""
	}
	return strings.TrimSuffix(hint, "\"?")
}

// open reads a story and finds its protocol.
func (a *app) open(file string) (*story, error) {
	if err := a.notOne(file); err != nil {
		return nil, err
	}
	s, err := read(file)
	if err != nil {
		return nil, err
	}
	p, err := a.protocol(s.Model)
	if err != nil {
		return nil, usage("%w", &scenarios.Error{File: file, Line: lineOf(s, "model"), Msg: err.Error()})
	}
	if err := s.Check(p); err != nil {
		return nil, usage("%w", err)
	}
	return &story{s, p}, nil
}

// read reads a story, for whatever protocol.
func read(file string) (*scenarios.Scenario, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("%s: %v%s", file, plain(err), near(file))
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		return nil, usage("%w", err)
	}
	return s, nil
}

// lineOf is the line of -- scenario -- that begins with word, 0 if there is none.
func lineOf(s *scenarios.Scenario, word string) int {
	for _, l := range s.Header {
		if len(l.Words) > 0 && l.Words[0] == word {
			return l.Line
		}
	}
	return 0
}

// pick is the case of a grid that is wanted: the story itself if it is no grid.
func (s *story) pick(name string) (*scenarios.Scenario, error) {
	cases := s.Grid()
	var names []string
	for _, c := range cases {
		if c.Name == strings.Join(strings.Fields(name), " ") {
			return c.Scenario, nil
		}
		names = append(names, c.Name)
	}
	if len(s.Vary) == 0 {
		return nil, usage("%s: no case %q: the story is no grid", s.File, name)
	}
	if name == "" {
		return nil, usage("%s: it is a grid of %d cases: want --case, one of\n  %s", s.File,
			len(names), strings.Join(names, "\n  "))
	}
	return nil, usage("%s: no case %q%s", s.File, name, nearCases(name, names))
}

// nearCases ends an error about a case that a grid has not: the nearest, or those that agree with
// what is said of it, a line each; else all.
func nearCases(name string, names []string) string {
	said := strings.Fields(name)
	agree := slices.DeleteFunc(slices.Clone(names), func(c string) bool {
		has := strings.Fields(c)
		return slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(has, w) })
	})
	if len(agree) == 0 || len(said) == 0 {
		if hint := sim.DidYouMean(name, names); strings.HasPrefix(hint, "; did") {
			return hint
		}
		agree = names
	}
	return fmt.Sprintf("; have %d\n  %s", len(agree), strings.Join(agree, "\n  "))
}
