// Package plants holds protocols that are not the same twice, one for each way in which Go code
// can be. A simulator that plays them must notice: they put the tool to the test, not a
// protocol.
//
//	plan ---> world 1 ---> A starts: does the bad thing, tells B ---> run
//	  \                                                               |  what A tells differs,
//	   `----> world 2 ---> A starts: does it again, tells B --------> run    and nothing before
//
// Each has one handler, Start, which does the bad thing and tells node B what came of it. Some
// differ each time, some as the scheduler or the collector like, some only in another process,
// and some only in a program that another compiler made.
//
// # The design not taken
//
// They could have lived in a test, where nothing ships that is wrong on purpose. But whoever has
// only the command wants to see that it finds what it claims to find, on this machine; so they
// are part of it. Nothing else imports them.
package plants
