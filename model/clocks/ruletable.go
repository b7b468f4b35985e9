package clocks

import (
	"fmt"
	"slices"

	"github.com/downset/downset/sim"
)

// rule is a decision that a scenario may set on top of a variant.
type rule = sim.RuleRow[rules]

// ruleTable are the decisions that stories and searches vary.
func ruleTable() sim.RuleTable[rules] {
	return slices.Concat(stampRuleRows(), storeRuleRows(), crdtRuleRows(), streamRuleRows(),
		leaseRuleRows(), latencyRuleRows())
}

// ruleList is the table as the engine wants it.
func ruleList() []sim.Rule {
	var holders []sim.RuleHolder[rules]
	for _, r := range rows() {
		if r.of == "" {
			holders = append(holders, sim.RuleHolder[rules]{Name: r.name, Rules: r.rules})
		}
	}
	return ruleTable().Rules(holders)
}

// applyRules sets rules on a variant.
func applyRules(to sim.Variant, given []sim.RuleValue) (sim.Variant, error) {
	for _, r := range rows() {
		if r.name == to.Name {
			ruleTable().Set(&r.rules, given)
			return r.variant(), nil
		}
	}
	return to, fmt.Errorf("clocks has no variant %q to set rules on", to.Name)
}
