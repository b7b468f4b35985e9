// Command downset plays, judges and draws runs of the protocols in package model.
package main

import (
	"os"

	"github.com/downset/downset/cmd/cli"
	"github.com/downset/downset/cmd/pages"
	"github.com/downset/downset/model"
)

func main() {
	os.Exit(cli.Main(pages.With(model.All), os.Args[1:], os.Stdout, os.Stderr))
}
