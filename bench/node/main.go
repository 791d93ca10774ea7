// Node starts the in-process Couchbase node of the tests and prints its address,
// for measuring and trying the cluster store without a cluster. It ends when
// its standard input does.
//
//	go run ./bench/node [-scoring reference|bleve] [-version V] [-partitions N]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/ragnav/ragnav/internal/store/couchbase/cbtest"
	"github.com/ragnav/ragnav/internal/store/couchbase/cbtest/searchsim"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "node:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("node", flag.ContinueOnError)
	scoring := flags.String("scoring", "bleve",
		"how words are scored: bleve, as a server does, or reference, as the embedded store does")
	var o cbtest.Options
	flags.StringVar(&o.Version, "version", "", "version that the node pretends to be")
	flags.IntVar(&o.Partitions, "partitions", 1, "partitions of search indexes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch *scoring {
	case "bleve":
		o.Scoring = searchsim.Bleve
	case "reference":
		o.Scoring = searchsim.Reference
	default:
		return fmt.Errorf("-scoring %q is not bleve or reference", *scoring)
	}
	node, err := cbtest.New(o)
	if err != nil {
		return err
	}
	defer node.Close()
	if _, err := fmt.Fprintln(out, node.ConnStr()); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}
