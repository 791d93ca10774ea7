// Command engine is the engine of Couchbase Search for tests: bleve, as the server runs it, with vectors. The node of
// package cbtest starts it and calls it over its standard input and output; it ends when its input does.
//
// It is a module of its own, because bleve with vectors asks for Faiss, a library in C++. Here a package of that name
// stands in for it, in plain Go, which the program itself must not be built with. Build with -tags vectors.
//
// What a query means, what is found, how it scores, how the answers of partitions are merged and with which words
// something is refused is bleve's. What the server does around it is here:
//
//   - Definitions are checked as the server does and kept in its words; documents reach the indexes of their
//     collection by its types.
//   - The k nearest are those that the filter selects where Options.Prefilter says that the server is new enough.
//     Older ones ignore the filter.
//   - Partitions that fail answer 200, and only the status tells.
//
// It is stricter than the server in one way: the server ignores keys of a request that it does not know, and the
// engine refuses them. Nothing that a test sends is without effect.
//
// Not imitated: approximate vectors (here the nearest are exact), an index over several collections, aliases, and
// whether the collections of a definition exist. Documents and indexes of an Engine belong to one bucket.
package main

import (
	"fmt"
	"net/rpc"
	"os"
)

// pipe is standard input and output as one connection.
type pipe struct{ *os.File }

func (pipe) Read(p []byte) (int, error) { return os.Stdin.Read(p) }

func main() {
	server := rpc.NewServer()
	if err := server.RegisterName("Engines", &engines{}); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
	server.ServeConn(pipe{os.Stdout})
}
