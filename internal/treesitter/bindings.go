//go:build cgo

package treesitter

import (
	"github.com/ragnav/ragnav/internal/treesitter/query"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// matches runs the query of what a language binds and uses.
func matches(lang *language, source string, nodes []binder.Node) ([]binder.Match, error) {
	q, err := lang.bindings()
	if err != nil {
		return nil, err
	}
	var all []binder.Match
	q.Each(source, nodes, func(pattern int, captures []query.Capture) {
		m := binder.Match{Pattern: pattern, Captures: make([]binder.Captured, len(captures))}
		for i, c := range captures {
			m.Captures[i] = binder.Captured{Name: q.Captures[c.Index], Node: c.Node}
		}
		if len(m.Captures) > 0 {
			all = append(all, m)
		}
	})
	return all, nil
}
