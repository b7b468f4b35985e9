package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/downset/downset/sim"
)

// Where flags write to, and what a file is that cannot be read: said before there is much work.

// writable says what is wrong with the file that a flag names to be written, if anything is; a file
// "" is none.
func writable(flag, file string) error {
	switch {
	case file == "":
		return nil
	case isFolder(file):
		return usage("--%s wants a file, %s is a folder", flag, file)
	case !isFolder(filepath.Dir(file)):
		return usage("--%s: there is no folder %s", flag, filepath.ToSlash(filepath.Dir(file)))
	}
	return nil
}

// fillable says what is wrong with the folder that --out names: it is there or can be made, unless
// some part of the way to it is a file.
func fillable(dir string) error {
	if dir == "" {
		return nil
	}
	for part := filepath.Clean(dir); part != filepath.Dir(part); part = filepath.Dir(part) {
		if _, err := os.Stat(part); err == nil && !isFolder(part) {
			return usage("--out wants a folder, %s is a file", filepath.ToSlash(part))
		}
	}
	return nil
}

// notOne says why an argument is not the file of a story, if it is a folder, or a model's name.
func (a *app) notOne(arg string) error {
	switch files, err := inFolder(arg); {
	case isFolder(arg) && err != nil:
		return usage("%s is a folder: want the file of a story", filepath.ToSlash(arg))
	case isFolder(arg):
		return usage("%s is a folder, of %s: want the file of one, such as %s", filepath.ToSlash(arg),
			stories(len(files)), files[0])
	}
	if _, err := os.Stat(arg); !errors.Is(err, os.ErrNotExist) || !a.meansModel(arg) {
		return nil
	}
	files, err := storiesOf(arg)
	if err != nil {
		return usage("%s is a model: want the file of a story", arg)
	}
	return usage("%s is a model, with %s: want the file of one, such as %s", arg,
		stories(len(files)), files[0])
}

// breakable says that a model has no property or claim of the name that --property gives, if it
// gives one and there is none.
func breakable(p *sim.Protocol, property string) error {
	known := p.Breakable()
	if property == "" || slices.Contains(known, property) {
		return nil
	}
	return usage("--property: model %s has no property or claim %q%s", p.Name, property,
		sim.DidYouMean(property, known))
}
