package clocks

// Margin is what a granter waits in addition to a term.
var Margin = margin
