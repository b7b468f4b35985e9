// Package model is the list of the protocols that downset knows. Each is a value in a folder of its
// own; a command or a test is handed the list and knows none of them.
//
//	scenarios/cut/backwards.txt       model.All
//	   model cut  ----------------->  Lookup("cut")  --->  cut.Protocol
//
// # The design not taken
//
// Protocols could register themselves in init. Then a program would hold whatever it happens to
// import, in an order that nobody wrote down.
package model
