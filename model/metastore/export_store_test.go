package metastore

import "strings"

// What the tests of the store are lent.

type (
	StoreRules = storeRules
	Revisions  = []Revision
)

var (
	Etcd3   = etcd3
	Ignite3 = ignite3
	Decode  = decode
	Encode  = encode
	Bare    = bare
	Word    = word
)

// NewState is an empty store with rules.
func NewState(r StoreRules) *State {
	s := newState(r)
	return &s
}

// Deeds reads a deed.
func Deeds(text string) (Deed, error) { return parseDeed(strings.Fields(text)) }

// Restarted is what becomes of a state on a disk.
func (s *State) Restarted() *State {
	c := s.Image().state(s.rules)
	return &c
}

// Open begins a watch.
func (s *State) Open(w Watch) *Watcher {
	o := s.open(w)
	return &o
}

// FitsDeed is why a dialect refuses a deed.
func FitsDeed(d Deed, dialect Dialect) Why { return d.fits(&dialect) }

// StoreDialect is the dialect of a state.
func (s *State) StoreDialect() Dialect { return s.rules.Dialect }
