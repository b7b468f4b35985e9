package sim

import (
	"fmt"
	"testing"
)

// BenchmarkQueue is G9: one pop and one push with so many events queued.
func BenchmarkQueue(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("queued=%d", n), func(b *testing.B) {
			var q queue
			x := uint64(88172645463325252)
			for i := range n {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
				q.push(item{Time(x >> 40), uint64(i), int32(i)})
			}
			b.ResetTimer()
			for i := range b.N {
				e := q.pop()
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
				q.push(item{e.at + Time(x>>44), uint64(n + i), e.slot})
			}
		})
	}
}
