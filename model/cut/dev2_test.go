package cut_test
import ("testing";"github.com/downset/downset/model/cut";"github.com/downset/downset/sim";"fmt")
func TestStat(t *testing.T) {
	for _, name := range []string{"unsigned","signed"} {
	n := map[string]int{}
	for seed := uint64(1); seed <= 300; seed++ {
		p := randomPlan(t, name, seed)
		run, v := played(t, new(sim.World), p)
		if len(p.Later) == 0 && p.Network.Crash == 0 { n["calm"]++; if len(v.Broken())>0 {n["calm broken"]++} 
			for _, f := range v.Findings { if f.Property.Name=="consistent-cut" {n["finished"]+=f.Premises} }
		}
		for _, e := range run.Trace { if e.Kind == sim.EntryNoted && e.Body.Kind()=="point" { n[fmt.Sprint(sim.Text(e.Body)[6:])]++ } }
		for _, a := range p.Load { n[a.Words[0]]++ }
	}
	t.Log(name, n)
	}
	_ = cut.Protocol
}
