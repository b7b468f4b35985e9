// Package cli is the command line of downset: flags in, text out, over whatever list of protocols
// it is handed. A main of five lines gives a protocol of one's own the same commands:
//
//	func main() {
//		os.Exit(cli.Main([]*sim.Protocol{echo.Protocol}, os.Args[1:], os.Stdout, os.Stderr))
//	}
//
// Each command is one file and few calls; what loops lives in the packages below:
//
//	FILE, MODEL, folder
//	     | find            a story is a file, a model the folder scenarios/MODEL
//	scenarios.Parse        file:line: message, exit 2
//	     |
//	scenarios.Play         under search.Guard, which ends a handler that loops, exit 5
//	     | Report
//	search.Twice           what broke is run twice more, and must be the same, else exit 4
//	     |
//	verdicts, picture, report            or --json, an object a line
//
// Verdicts go to standard output, what went wrong with the command itself to standard error. The
// exit code says the worst of what happened, in the order 5 4 2 7 1 3 6 0.
//
// # The design not taken
//
// Commands could have returned values for main to print, with the exit code among them. They print
// as they go instead: a folder of stories is long, and an interrupted command has then shown what
// it had covered. The text is in the hands of one package all the same: nothing below it prints.
package cli
