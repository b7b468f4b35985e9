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

// Rules is the table as Protocol.Rules wants it. The doc of each rule ends with which of the
// holders has which of its values.
func (t RuleTable[R]) Rules(holders []RuleHolder[R]) []Rule {
	var list []Rule
	for _, row := range t {
		var names, taken []string
		for _, v := range row.Values {
			names = append(names, v.Name)
			if who := v.holders(holders); len(who) > 0 {
				taken = append(taken, v.Name+" in "+strings.Join(who, " "))
			}
		}
		list = append(list, Rule{row.Name, row.Doc + "; " + strings.Join(taken, ", "), names})
	}
	return list
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
