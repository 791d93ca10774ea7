//go:build cgo

package treesitter

import (
	sitter "github.com/smacker/go-tree-sitter"

	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A place tells the nodes of a tree apart.
type place struct {
	start, end int32
	kind       uint16
}

// matches runs the query of what a language binds and uses.
func matches(
	cursor *sitter.QueryCursor, lang *language, root *sitter.Node, source string, nodes []binder.Node,
) ([]binder.Match, error) {
	q, err := lang.bindings()
	if err != nil {
		return nil, err
	}
	index := make(map[place]int32, len(nodes))
	for i, n := range nodes {
		at := place{n.Start, n.End, n.Kind}
		if _, again := index[at]; !again {
			index[at] = int32(i) //nolint:gosec // a tree has fewer
		}
	}
	var all []binder.Match
	text := []byte(source)
	cursor.Exec(q, root)
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			return all, nil
		}
		m = cursor.FilterPredicates(m, text)
		match := binder.Match{Pattern: int(m.PatternIndex)}
		for _, x := range m.Captures {
			at := place{int32(x.Node.StartByte()), int32(x.Node.EndByte()), uint16(x.Node.Symbol())} //nolint:gosec // offsets of a text of 1 MiB
			if i, ok := index[at]; ok {
				match.Captures = append(match.Captures, binder.Captured{Name: q.CaptureNameForId(x.Index), Node: i})
			}
		}
		if len(match.Captures) > 0 {
			all = append(all, match)
		}
	}
}
