package ignite

import (
	"slices"
)

// Lists of nodes and of whatever else can be compared.

func without[T comparable](list []T, id T) []T {
	at := slices.Index(list, id)
	if at < 0 {
		return list
	}
	return slices.Concat(list[:at], list[at+1:])
}

// union is both lists in one, without repetitions, in the order of first mention.
func union[T comparable](list, more []T) []T {
	for _, id := range more {
		if !slices.Contains(list, id) {
			list = append(slices.Clip(list), id)
		}
	}
	return list
}
