package graph

import (
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What is added to the vocabulary has to be added to one of these.

// symbolTexts are the strings and expressions of a symbol but its name, in the
// order in which they are kept.
func symbolTexts(s *facts.Symbol) [7]string {
	return [...]string{s.Qualified, s.Kind, s.Owner.String(), s.Type.String(), s.Under.String(), s.Shape, s.Signature}
}

// SymbolStrings are the strings of a symbol but its name.
func SymbolStrings(s *facts.Symbol) [4]*string {
	return [...]*string{&s.Qualified, &s.Kind, &s.Shape, &s.Signature}
}

// SymbolExprs are its expressions.
func SymbolExprs(s *facts.Symbol) [3]*facts.Expr {
	return [...]*facts.Expr{&s.Owner, &s.Type, &s.Under}
}

// SymbolLists are its lists of expressions.
func SymbolLists(s *facts.Symbol) [4]*[]facts.Expr {
	return [...]*[]facts.Expr{&s.Results, &s.Bounds, &s.ParameterTypes, &s.Args}
}

// A Pool numbers strings as they come, and keeps one copy of each, so that
// facts don't keep the texts in memory that they were cut out of.
type Pool struct {
	mu      sync.Mutex
	numbers map[string]uint32
	all     []string
	name    []bool // of all: the name of a symbol or reference
}

// add numbers strings, some of which are names.
func (p *Pool) add(all []string, name []bool) []uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.numbers == nil {
		p.numbers = map[string]uint32{}
	}
	numbers := make([]uint32, len(all))
	for i, s := range all {
		n, known := p.numbers[s]
		if !known {
			n, s = uint32(len(p.all)), strings.Clone(s)
			p.numbers[s] = n
			p.all, p.name = append(p.all, s), append(p.name, false)
		}
		p.name[n] = p.name[n] || name[i]
		numbers[i] = n
	}
	return numbers
}

// inOrder are the strings with names first, both groups in order, what the number
// of each is there, and how many names there are.
func (p *Pool) inOrder() (all []string, final []uint32, names int) {
	order := make([]uint32, len(p.all))
	for i := range order {
		order[i] = uint32(i)
		names += bits(p.name[i])
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if p.name[a] != p.name[b] {
			return bits(p.name[b]) - bits(p.name[a])
		}
		return strings.Compare(p.all[a], p.all[b])
	})
	all, final = make([]string, len(order)), make([]uint32, len(order))
	for i, n := range order {
		all[i], final[n] = p.all[n], uint32(i)
	}
	return all, final, names
}

// foldersOf are the folders that a path is in, from the innermost to "".
func foldersOf(path string) []string {
	var dirs []string
	for {
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return append(dirs, "")
		}
		path = path[:i]
		dirs = append(dirs, path)
	}
}
