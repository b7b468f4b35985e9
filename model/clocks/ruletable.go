package clocks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/downset/downset/sim"
)

// rule is a decision that a scenario may set on top of a variant: its values, and what each sets.
type rule struct {
	name, doc string
	values    []setting
}

type setting struct {
	name string
	set  func(*rules)
}

// flag is a rule of two values, "no|yes": no leaves the field unset, yes sets it.
func flag(name, doc, values string, field func(*rules) *bool) rule {
	no, yes, _ := strings.Cut(values, "|")
	return rule{name, doc, []setting{
		{no, func(r *rules) { *field(r) = false }},
		{yes, func(r *rules) { *field(r) = true }},
	}}
}

// ruleTable are the decisions that stories and searches vary.
func ruleTable() sim.RuleTable[rules] {
	var table sim.RuleTable[rules]
	for _, r := range slices.Concat(stampRuleRows(), storeRuleRows(), crdtRuleRows(),
		streamRuleRows(), leaseRuleRows(), latencyRuleRows()) {
		row := sim.RuleRow[rules]{Name: r.name, Doc: r.doc}
		for _, v := range r.values {
			row.Values = append(row.Values, sim.RuleSetting[rules]{Name: v.name, Set: v.set})
		}
		table = append(table, row)
	}
	return table
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
