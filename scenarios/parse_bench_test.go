package scenarios_test

import (
	"testing"

	"github.com/downset/downset/scenarios"
)

func BenchmarkParse(b *testing.B) {
	text := []byte(limbo)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := scenarios.Parse("limbo.txt", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	s, err := scenarios.Parse("limbo.txt", []byte(limbo))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		scenarios.Format(s)
	}
}
