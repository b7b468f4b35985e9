package metastore

// Range is the keys from From, included, to To, not included, in the order of their bytes. An empty
// To is no bound. One is a single key, From; To says nothing then.
type Range struct {
	From, To string
	One      bool
}

// Key is the range of one key.
func Key(key string) Range { return Range{From: key, One: true} }

// Prefix is the range of the keys that begin with a text.
func Prefix(text string) Range { return Range{From: text, To: successor(text)} }

// Has says that a key is in the range.
func (r Range) Has(key string) bool {
	if r.One {
		return key == r.From
	}
	return key >= r.From && (r.To == "" || key < r.To)
}

// Meets says that some key may be in both ranges.
func (r Range) Meets(o Range) bool {
	switch {
	case r.One:
		return o.Has(r.From)
	case o.One:
		return r.Has(o.From)
	}
	return (r.To == "" || o.From < r.To) && (o.To == "" || r.From < o.To)
}

// successor is the least text above all that begin with prefix: "" if there is none, since then all
// bytes of the prefix are 0xFF, or there are none.
func successor(prefix string) string {
	bare := prefix
	for bare != "" && bare[len(bare)-1] == 0xFF {
		bare = bare[:len(bare)-1]
	}
	if bare == "" {
		return ""
	}
	last := len(bare) - 1
	return bare[:last] + string([]byte{bare[last] + 1})
}

// String is "x", "a to c", "from b", "prefix p" or "all", the words of a request.
func (r Range) String() string {
	switch {
	case r == Range{}:
		return "all"
	case r.One:
		return word(r.From)
	case r.From != "" && r.To == successor(r.From):
		return "prefix " + word(r.From)
	case r.To == "":
		return "from " + word(r.From)
	}
	return word(r.From) + " to " + word(r.To)
}
