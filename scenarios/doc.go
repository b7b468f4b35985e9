// Package scenarios is the language in which stories are told, and the theatre in which they are
// played. A story is a text file: who is there, what happens, what must come of it. People write
// them, and so do the tools that find failures; each is a test that one can read.
//
//	-- scenario --            who is there, and how the world is
//	model  cut
//	nodes  P Q
//
//	-- script --              what happens, line by line
//	hold P->Q notify tx5      ... a link, a kind and keys name what is meant
//	P commit tx5              ... a node and a request
//	P cut 1
//	release P->Q notify tx5
//
//	-- expect --              what must come of it
//	Q         side tx5 after  ... a claim about what can be seen at the end
//	unsigned  breaks consistent-cut
//	signed    holds
//
// The package does not know which protocols there are; it is handed a sim.Protocol. Nor does it
// judge: that is what package checker is for, with the properties of the protocol.
//
// The nouns: a Scenario is a story as it is written, comments and all. A Step is a line of its
// script. A Claim is about what the model shows, a Verdict about what the properties say. A grid is
// a story in which words vary, and its cases are stories of their own.
//
//	          Parse              Expand              Plan
//	text  ------------>  Scenario  ---->  Scenario  ------>  sim.Plan  ---->  sim.Run
//	      <------------     ^      (a case)                     |                |
//	         Format         '-------------- Story --------------'                |
//	                                                                             v
//	Report  <-----------------------  what was expected  <------------  checker.Verdict
//
// Parse is in two halves. The first takes a file apart into sections, lines, words and comments;
// the second makes a Scenario of these, and Format turns it round. A case of a grid is made between
// the halves: the lines of the grid with other words in them, so that an error in a case has the
// line of the file. Parse is strict. It reads every case, and it says of every word that means
// nothing where it stands and which known word is near. What only the model knows is for Check to
// say.
//
// # The design not taken
//
// YAML, TOML or JSON would have spared us a parser and cost every reader and the shrinker a hundred
// brackets and quotes; a story does not nest. A tolerant parser, which skips what it does not know,
// would have let a misspelt word turn a test into one that tests nothing. A parser made from a
// grammar would have given errors that speak of tokens; ours speak of what was wanted, and
// grammar.ebnf is checked against the parser in both directions instead: Parse takes what the
// grammar makes, and the grammar takes what Format prints. The cases of a grid as templates over
// its text were tried; they replaced words in comments too, and errors lost their lines.
package scenarios

import _ "embed" // of the grammar

// Grammar is the grammar of scenarios, in the notation of golang.org/x/exp/ebnf.
//
//go:embed grammar.ebnf
var Grammar string
