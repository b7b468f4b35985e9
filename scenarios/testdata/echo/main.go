// Command echo is downset for one protocol of one's own: go run . run stories/hello.txt
package main

import (
	"os"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/sim"
)

func main() {
	protocols := []*sim.Protocol{withMutants()}
	os.Exit(cli.Main(protocols, os.Args[1:], os.Stdout, os.Stderr))
}
