package ignite

import (
	"slices"
)

// Lists of nodes and of whatever else can be compared.

func without[T comparable](list []T, id T) []T {
	at := slices.Index(list, id)
	switch {
	case at < 0:
		return list
	case len(list) == 1:
		return nil
	}
	return slices.Concat(list[:at], list[at+1:])
}

// those are the elements of a list that are wanted: the list itself if all are, nil if none is.
func those[T any](list []T, wanted func(T) bool) []T {
	all := 0
	for all < len(list) && wanted(list[all]) {
		all++
	}
	if all == len(list) && all > 0 {
		return list
	}
	var some []T
	some = append(some, list[:all]...)
	for _, x := range list[min(all+1, len(list)):] {
		if wanted(x) {
			some = append(some, x)
		}
	}
	return some
}

// union is both lists in one, without repetitions, in the order of first mention.
func union[T comparable](list, more []T) []T {
	if len(list) == 0 && len(more) == 1 {
		return slices.Clone(more)
	}
	for _, id := range more {
		if !slices.Contains(list, id) {
			list = append(slices.Clip(list), id)
		}
	}
	return list
}
