//go:build cgo && linux

package treesitter

// The functions are those of the tree-sitter that the binding brings along.
// They are declared weak because each package with C code is first linked by
// itself; in the program they are there. One call for a tree, and not some
// eight for each node, makes this ten times faster than the binding's cursor.

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { uint32_t context[4]; const void *id; const void *tree; } rn_node;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } rn_cursor;

#define WEAK __attribute__((weak))
WEAK extern rn_cursor ts_tree_cursor_new(rn_node);
WEAK extern void ts_tree_cursor_delete(rn_cursor *);
WEAK extern bool ts_tree_cursor_goto_parent(rn_cursor *);
WEAK extern bool ts_tree_cursor_goto_next_sibling(rn_cursor *);
WEAK extern bool ts_tree_cursor_goto_first_child(rn_cursor *);
WEAK extern rn_node ts_tree_cursor_current_node(const rn_cursor *);
WEAK extern uint16_t ts_tree_cursor_current_field_id(const rn_cursor *);
WEAK extern uint16_t ts_node_symbol(rn_node);
WEAK extern bool ts_node_is_named(rn_node);
WEAK extern uint32_t ts_node_start_byte(rn_node);
WEAK extern uint32_t ts_node_end_byte(rn_node);

typedef struct { uint16_t kind, field; uint32_t named; int32_t start, end, parent, next; } rn_flat;

// rn_flatten returns the nodes of a tree in order, to be freed, or NULL if
// there are more than limit or no memory.
static rn_flat *rn_flatten(rn_node root, int32_t limit, int32_t *count) {
	rn_cursor c = ts_tree_cursor_new(root);
	int32_t size = 1024, n = 0, parent = -1;
	rn_flat *all = malloc(size * sizeof *all);
	while (all) {
		if (n == size) {
			if (size >= limit) { free(all); all = NULL; break; }
			size *= 2;
			rn_flat *more = realloc(all, size * sizeof *all);
			if (!more) { free(all); all = NULL; break; }
			all = more;
		}
		rn_node node = ts_tree_cursor_current_node(&c);
		all[n] = (rn_flat){ts_node_symbol(node), ts_tree_cursor_current_field_id(&c), ts_node_is_named(node),
			(int32_t)ts_node_start_byte(node), (int32_t)ts_node_end_byte(node), parent, 0};
		n++;
		if (ts_tree_cursor_goto_first_child(&c)) { parent = n - 1; continue; }
		all[n - 1].next = n;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (parent < 0) goto done;
			all[parent].next = n;
			parent = all[parent].parent;
			ts_tree_cursor_goto_parent(&c);
			if (parent < 0) goto done; // that was the root
		}
	}
done:
	ts_tree_cursor_delete(&c);
	*count = n;
	return all;
}
*/
import "C"

import (
	"errors"
	"runtime"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// maxNodes is how many nodes a tree may have: a text of 1 MiB has fewer.
const maxNodes = 4 << 20

var errNodes = errors.New("its syntax tree is too large")

// flatten copies the nodes of a tree.
func flatten(root *sitter.Node, _ []string) ([]binder.Node, error) {
	var count C.int32_t
	// The binding's Node begins with the C node.
	node := *(*C.rn_node)(unsafe.Pointer(root)) //nolint:gosec // see above
	all := C.rn_flatten(node, maxNodes, &count)
	runtime.KeepAlive(root)
	if all == nil {
		return nil, errNodes
	}
	defer C.free(unsafe.Pointer(all))
	nodes := make([]binder.Node, count)
	for i, n := range unsafe.Slice(all, int(count)) {
		nodes[i] = binder.Node{
			Kind: uint16(n.kind), Field: uint16(n.field), Named: n.named != 0,
			Start: int32(n.start), End: int32(n.end), Parent: int32(n.parent), Next: int32(n.next),
		}
	}
	return nodes, nil
}
