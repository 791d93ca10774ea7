// Command scip measures how many occurrences of a SCIP index a graph gives back:
// of those of symbols that the index declares, at places of ASCII lines, the
// share at which the graph says the same declaration.
//
//	go run ./bench/graph/scip [-v] REPOSITORY INDEX
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/nav/scip"
)

func main() {
	verbose := flag.Bool("v", false, "print what is missed")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A place is a line and a column from 1.
type place struct {
	file         string
	line, column int
}

// counts are of occurrences.
type counts struct{ all, same, precise, other, nothing, noSymbol int }

func run(root, index string, verbose bool) error {
	g, err := ondisk.Load(root)
	if err != nil {
		return err
	}
	v := overlay.Lay(g, overlay.Changes{}, func(w resolve.World) graph.Resolver { return resolve.New(w, languages.All()) })
	data, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	declared := map[string][]place{}
	uses := map[place][]string{}
	err = scip.Read(data, func(scip.Metadata) error { return nil }, func(d scip.Document) error {
		text, err := os.ReadFile(filepath.Join(root, d.Path))
		if err != nil {
			return nil //nolint:nilerr // it is of no file
		}
		lines := strings.Split(string(text), "\n")
		for _, o := range d.Occurrences {
			line := lines[o.Range.StartLine]
			if scip.IsLocal(o.Symbol) || o.Range.StartLine != o.Range.EndLine || len(line) != utf8.RuneCountInString(line) ||
				o.Range.StartChar == o.Range.EndChar {
				continue
			}
			at := place{d.Path, int(o.Range.StartLine) + 1, int(o.Range.StartChar) + 1}
			if strings.ContainsAny(line[at.column-1:o.Range.EndChar], "'\"./") {
				continue // the path of an import
			}
			if o.Roles&scip.Definition != 0 {
				declared[o.Symbol] = append(declared[o.Symbol], at)
			} else {
				uses[at] = append(uses[at], o.Symbol)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	n := count(v, declared, uses, verbose)
	fmt.Printf("%d occurrences: %.4f the same (%.4f precise), %.4f another, %.4f nothing; %d of declarations that are "+
		"no symbol here\n",
		n.all, share(n.same, n.all), share(n.precise, n.all), share(n.other, n.all), share(n.nothing, n.all), n.noSymbol)
	return nil
}

func count(v *overlay.View, declared map[string][]place, uses map[place][]string, verbose bool) (n counts) {
	for at, symbols := range uses {
		targets, isDeclared := map[place]bool{}, false
		for _, symbol := range symbols {
			symbol = strings.TrimSuffix(symbol, "`<constructor>`().") // a class stands for its constructor
			for _, to := range declared[symbol] {
				isDeclared = true
				if spot, ok := usage.At(v, to.file, to.line, to.column); ok && len(spot.Meanings) > 0 &&
					spot.Meanings[0].Edge == "defines" {
					targets[to] = true
				}
			}
		}
		if len(targets) == 0 {
			if isDeclared {
				n.noSymbol++
			}
			continue
		}
		n.all++
		spot, _ := usage.At(v, at.file, at.line, at.column)
		same := false
		for _, m := range spot.Meanings {
			if targets[place{m.File, m.Line, m.Column}] {
				same = true
				if m.Tier == resolve.TierPrecise.String() {
					n.precise++
				}
				break
			}
		}
		switch {
		case same:
			n.same++
		case len(spot.Meanings) > 0:
			n.other++
		default:
			n.nothing++
		}
		if verbose && !same {
			fmt.Println("missed", at, symbols, spot)
		}
	}
	return n
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
