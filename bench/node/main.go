// Node starts the in-process Couchbase node of the tests and prints its address,
// for measuring and trying the cluster store without a cluster. It ends when
// its standard input does.
//
//	go run ./bench/node [-version V] [-partitions N]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/ragnav/ragnav/test/cbtest"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "node:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("node", flag.ContinueOnError)
	var o cbtest.Options
	flags.StringVar(&o.Version, "version", "", "version that the node pretends to be")
	flags.IntVar(&o.Partitions, "partitions", 1, "partitions of search indexes")
	if err := flags.Parse(args); err != nil {
		return err
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
