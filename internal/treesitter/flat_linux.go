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
WEAK extern uint32_t ts_node_start_byte(rn_node);
WEAK extern uint32_t ts_node_end_byte(rn_node);

// rn_flat is a binder.Node.
typedef struct { uint16_t kind, field; bool named; int32_t start, end, parent, next; } rn_flat;

// Bits of what is known of a kind.
enum { rn_named = 1, rn_keeps = 2, rn_fields = 4 };

// rn_flatten returns the nodes of a tree in order, to be freed, or NULL if
// there are more than limit or no memory. Nodes without children are among them
// if their kind keeps them, and have fields if that of their parent asks for
// them. The last of kinds is that of errors.
static rn_flat *rn_flatten(rn_node root, const uint8_t *kinds, uint32_t last, int32_t limit, int32_t *count) {
	rn_cursor c = ts_tree_cursor_new(root);
	int32_t size = 4096, n = 0, parent = -1;
	bool fields = false;
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
		uint16_t kind = ts_node_symbol(node);
		uint8_t known = kinds[kind < last ? kind : last];
		all[n] = (rn_flat){kind, fields ? ts_tree_cursor_current_field_id(&c) : 0, known & rn_named,
			(int32_t)ts_node_start_byte(node), (int32_t)ts_node_end_byte(node), parent, 0};
		n++;
		if (ts_tree_cursor_goto_first_child(&c)) {
			parent = n - 1;
			fields = known & rn_fields;
			continue;
		}
		if (known & rn_keeps) all[n - 1].next = n;
		else n--;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (parent < 0) goto done;
			all[parent].next = n;
			parent = all[parent].parent;
			ts_tree_cursor_goto_parent(&c);
			if (parent < 0) goto done; // that was the root
			uint16_t around = all[parent].kind;
			fields = kinds[around < last ? around : last] & rn_fields;
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

// maxNodes is how many nodes a tree may have: a text of 2 MiB has fewer.
const maxNodes = 4 << 20

var errNodes = errors.New("its syntax tree is too large")

// flatten calls do with the nodes of a tree that are looked at, which are good
// until it returns.
func flatten(root *sitter.Node, _ []string, looked looked, do func([]binder.Node)) error {
	var count C.int32_t
	// The binding's Node begins with the C node.
	node := *(*C.rn_node)(unsafe.Pointer(root)) //nolint:gosec // see above
	all := C.rn_flatten(node, (*C.uint8_t)(&looked[0]), C.uint32_t(len(looked)-1), maxNodes, &count)
	runtime.KeepAlive(root)
	if all == nil {
		return errNodes
	}
	defer C.free(unsafe.Pointer(all))
	do(unsafe.Slice((*binder.Node)(unsafe.Pointer(all)), int(count))) //nolint:gosec // it has the same fields
	return nil
}
