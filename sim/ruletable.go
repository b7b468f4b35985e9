package sim

import (
	"fmt"
	"strings"
)

// RuleTable is the decisions of a protocol whose variants differ in rules of type R: what makes
// Protocol.Rules and Protocol.Apply.
type RuleTable[R comparable] []RuleRow[R]

// RuleRow is one decision: its values, and what each sets.
type RuleRow[R comparable] struct {
	Name, Doc string
	Values    []RuleSetting[R]
}

// RuleSetting is a value of a decision.
type RuleSetting[R comparable] struct {
	Name string
	Set  func(*R)
}

// Decision is a decision with its values.
func Decision[R comparable](name, doc string, values ...RuleSetting[R]) RuleRow[R] {
	return RuleRow[R]{name, doc, values}
}

// Setting is a value of a decision, and what it sets.
func Setting[R comparable](name string, set func(*R)) RuleSetting[R] {
	return RuleSetting[R]{name, set}
}

// Flag is a decision of two values, "no|yes": no leaves the field unset, yes sets it.
func Flag[R comparable](name, doc, values string, field func(*R) *bool) RuleRow[R] {
	no, yes, _ := strings.Cut(values, "|")
	return Decision(name, doc, Setting(no, func(r *R) { *field(r) = false }),
		Setting(yes, func(r *R) { *field(r) = true }))
}

// RuleHolder is a variant that a table is shown beside: its name and its rules.
type RuleHolder[R comparable] struct {
	Name  string
	Rules R
}

// manyHolders is how many holders of one value are "the others" rather than named.
const manyHolders = 4

// Rules is the table as Protocol.Rules wants it. The doc of each rule ends with which of the
// holders has which of its values; where more than manyHolders have the same, these are "the
// others".
func (t RuleTable[R]) Rules(holders []RuleHolder[R]) []Rule {
	var list []Rule
	for _, row := range t {
		names := make([]string, len(row.Values))
		have, most := make([][]string, len(row.Values)), 0
		for i, v := range row.Values {
			names[i], have[i] = v.Name, v.holders(holders)
			if len(have[i]) > len(have[most]) {
				most = i
			}
		}
		list = append(list, Rule{row.Name, row.Doc + "; " + taken(names, have, most), names})
	}
	return list
}

// taken says who has which value; most is the one that most have.
func taken(names []string, have [][]string, most int) string {
	others := len(have[most]) > manyHolders
	var parts []string
	for i, who := range have {
		if len(who) > 0 && (i != most || !others) {
			parts = append(parts, names[i]+" in "+strings.Join(who, " "))
		}
	}
	switch {
	case others && len(parts) == 0:
		return names[most] + " in all"
	case others:
		parts = append(parts, names[most]+" in the others")
	}
	return strings.Join(parts, ", ")
}

// holders are the names of those that have the value.
func (v RuleSetting[R]) holders(list []RuleHolder[R]) []string {
	var names []string
	for _, h := range list {
		with := h.Rules
		v.Set(&with)
		if with == h.Rules {
			names = append(names, h.Name)
		}
	}
	return names
}

// Set sets rules that the engine has found in Protocol.Rules. It panics at one that is not in the
// table.
func (t RuleTable[R]) Set(to *R, given []RuleValue) {
	for _, g := range given {
		t.setter(g)(to)
	}
}

func (t RuleTable[R]) setter(g RuleValue) func(*R) {
	for _, row := range t {
		for _, v := range row.Values {
			if row.Name == g.Rule && v.Name == g.Value {
				return v.Set
			}
		}
	}
	panic(fmt.Sprintf("sim: no rule %s=%s", g.Rule, g.Value))
}
