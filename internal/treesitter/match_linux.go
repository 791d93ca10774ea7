//go:build cgo && linux

package treesitter

// See flat_linux.go. Here one call for all matches of a query replaces one for
// each match, two for each capture, and a table of nodes that the binding keeps.

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { uint32_t context[4]; const void *id; const void *tree; } rn_node;
typedef struct { rn_node node; uint32_t index; } rn_capture;
typedef struct { uint32_t id; uint16_t pattern, count; const rn_capture *captures; } rn_match;

#define WEAK __attribute__((weak))
WEAK extern bool ts_query_cursor_next_match(void *, rn_match *);
WEAK extern uint32_t ts_node_start_byte(rn_node);
WEAK extern uint32_t ts_node_end_byte(rn_node);

typedef struct { uint16_t pattern, index; uint32_t left; int32_t start, end; } rn_found;

// rn_matches returns the captures of all matches, to be freed, or NULL if there is
// no memory. left is how many more captures of the match follow.
static rn_found *rn_matches(void *cursor, int32_t *count) {
	int32_t size = 1024, n = 0;
	rn_found *all = malloc(size * sizeof *all);
	rn_match m;
	while (all && ts_query_cursor_next_match(cursor, &m)) {
		while (n + m.count > size) {
			size *= 2;
			rn_found *more = realloc(all, size * sizeof *all);
			if (!more) { free(all); return NULL; }
			all = more;
		}
		for (uint16_t i = 0; i < m.count; i++) {
			rn_node node = m.captures[i].node;
			all[n++] = (rn_found){m.pattern, (uint16_t)m.captures[i].index, m.count - 1 - i,
				(int32_t)ts_node_start_byte(node), (int32_t)ts_node_end_byte(node)};
		}
	}
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
)

var errMatches = errors.New("there is no memory for what its query finds")

// eachMatch runs a query and calls do with the captures of each match, which are
// good until it returns.
func eachMatch(cursor *sitter.QueryCursor, q *sitter.Query, root *sitter.Node, do func(pattern int, all []captured),
) error {
	cursor.Exec(q, root)
	var count C.int32_t
	// The binding's QueryCursor begins with the C cursor.
	all := C.rn_matches(*(*unsafe.Pointer)(unsafe.Pointer(cursor)), &count) //nolint:gosec // see above
	runtime.KeepAlive(cursor)
	runtime.KeepAlive(root)
	if all == nil {
		return errMatches
	}
	defer C.free(unsafe.Pointer(all))
	var match []captured
	for _, c := range unsafe.Slice(all, int(count)) {
		match = append(match, captured{index: int(c.index), span: span{int(c.start), int(c.end)}})
		if c.left == 0 {
			do(int(c.pattern), match)
			match = match[:0]
		}
	}
	return nil
}
