//go:build cgo && !linux

package treesitter

import (
	"errors"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// maxNodes is how many nodes a tree may have: a text of 2 MiB has fewer.
const maxNodes = 4 << 20

var errNodes = errors.New("its syntax tree is too large")

// flatten calls do with the nodes of a tree, which are more than those that are
// looked at. The names of fields are in order of their numbers.
func flatten(root *sitter.Node, names []string, _ looked, do func([]binder.Node)) error {
	nodes, err := flat(root, names)
	if err == nil {
		do(nodes)
	}
	return err
}

func flat(root *sitter.Node, names []string) ([]binder.Node, error) {
	cursor := sitter.NewTreeCursor(root)
	defer cursor.Close()
	fields := make(map[string]uint16, len(names))
	for i, name := range names {
		fields[name] = uint16(i) //nolint:gosec // a grammar has some fifty
	}
	var nodes []binder.Node
	parent := int32(-1)
	for len(nodes) < maxNodes {
		n := cursor.CurrentNode()
		nodes = append(nodes, binder.Node{
			Kind: uint16(n.Symbol()), Field: fields[cursor.CurrentFieldName()], Named: n.IsNamed(),
			Start: int32(n.StartByte()), End: int32(n.EndByte()), Parent: parent, //nolint:gosec // a text has at most 2 MiB
		})
		last := int32(len(nodes) - 1) //nolint:gosec // at most maxNodes
		if cursor.GoToFirstChild() {
			parent = last
			continue
		}
		nodes[last].Next = last + 1
		for !cursor.GoToNextSibling() {
			if parent < 0 {
				return nodes, nil
			}
			nodes[parent].Next = last + 1
			parent = nodes[parent].Parent
			if !cursor.GoToParent() || parent < 0 {
				return nodes, nil
			}
		}
	}
	return nil, errNodes
}
