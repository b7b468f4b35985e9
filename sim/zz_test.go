package sim_test
import ("testing";"fmt";"strings"
"github.com/downset/downset/sim")
func TestZZ(t *testing.T) {
	p := rich(5004)
	for _, a := range p.Load { if a.Verb!=sim.Request {fmt.Println(a.Offset, a.Text)}}
	for _, a := range p.Script { fmt.Println(a.Offset, a.Text)}
	fmt.Printf("%+v\n", p.Network)
	run := executed(t, p, sim.Options{})
	for _, l := range strings.Split(whole(run), "\n") {
		if strings.Contains(l, "row 9") || strings.Contains(l, "crash") || strings.Contains(l,"start")|| strings.Contains(l,"pause")|| strings.Contains(l,"resume")|| strings.Contains(l,"parted")|| strings.Contains(l,"heal") || strings.Contains(l, " 1 0 ") || strings.Contains(l, "B sends A row"){ fmt.Println(l) }
	}
}
