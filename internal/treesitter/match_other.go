//go:build cgo && !linux

package treesitter

import sitter "github.com/smacker/go-tree-sitter"

// eachMatch runs a query and calls do with the captures of each match, which are
// good until it returns.
func eachMatch(cursor *sitter.QueryCursor, q *sitter.Query, root *sitter.Node, do func(pattern int, all []captured),
) error {
	cursor.Exec(q, root)
	var match []captured
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			return nil
		}
		match = match[:0]
		for _, c := range m.Captures {
			match = append(match, captured{index: int(c.Index), span: spanOf(c.Node)})
		}
		do(int(m.PatternIndex), match)
	}
}

func spanOf(n *sitter.Node) span { return span{int(n.StartByte()), int(n.EndByte())} }
