// Package pages writes the pages of the folder results that take a model and its stories together.
//
//	model.All            knows no stories        scenarios    knows no model
//	     |                                            |
//	pages.With           ignite.md: which variant breaks where, what was found
//	     |               synchro.md: which solution holds where, and its price
//	     |               clocks.md: what each clock orders, with its pictures
//	     | protocols, with a page more
//	cli.Main             knows no model by its name; downset results NAME
//
// # The design not taken
//
// The command line could have taken pages beside protocols. They are a protocol's already, those
// that it writes itself; here one gets one more, and the command line stays as it is.
package pages
