//go:build cgo && linux

package treesitter

// What tree-sitter takes while it looks at one file is given up all at once
// afterwards: pieces of slabs that are cut off one after another, so that the
// nodes of a tree lie side by side, and what is freed meanwhile by size. Large
// pieces have a slab each. What is taken outside of files is malloc's, as are
// pieces that outlive one: queries. Nothing here is locked.

/*
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))
WEAK extern void ts_set_allocator(
	void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// Before each piece stands what it holds, a multiple of 16, with a bit of malloc's.
enum { rn_step = 16, rn_classes = 256, rn_slab_size = 1 << 20, rn_large = 1 << 16, rn_slabs_kept = 24, rn_outside = 1 };

typedef struct rn_slab { struct rn_slab *next; uint64_t unused; } rn_slab;

static struct {
	int inside; // of a file
	rn_slab *first, *current, *large;
	char *at, *end; // of the current slab
	void *freed[rn_classes];
} rn;

static void *rn_system(size_t n) {
	void *p = malloc(n);
	if (!p) {
		fprintf(stderr, "tree-sitter failed to allocate %zu bytes", n);
		abort();
	}
	return p;
}

static uint64_t *rn_head(void *p) { return (uint64_t *)p - 1; }

static void *rn_piece(char *start, uint64_t head) {
	void *p = start + rn_step;
	*rn_head(p) = head;
	return p;
}

static void *rn_malloc(size_t size) {
	size_t n = (size + rn_step - 1) / rn_step * rn_step;
	if (n == 0) n = rn_step;
	if (!rn.inside) return rn_piece(rn_system(n + rn_step), n | rn_outside);
	if (n >= rn_large) {
		rn_slab *s = rn_system(sizeof *s + rn_step + n);
		s->next = rn.large;
		rn.large = s;
		return rn_piece((char *)(s + 1), n);
	}
	if (n < rn_classes * rn_step && rn.freed[n / rn_step]) {
		void *p = rn.freed[n / rn_step];
		rn.freed[n / rn_step] = *(void **)p;
		return p;
	}
	if ((size_t)(rn.end - rn.at) < n + rn_step) {
		rn_slab **next = rn.current ? &rn.current->next : &rn.first;
		if (!*next) {
			*next = rn_system(rn_slab_size);
			(*next)->next = NULL;
		}
		rn.current = *next;
		rn.at = (char *)(rn.current + 1);
		rn.end = (char *)rn.current + rn_slab_size;
	}
	void *p = rn_piece(rn.at, n);
	rn.at += n + rn_step;
	return p;
}

static void *rn_calloc(size_t count, size_t size) {
	void *p = rn_malloc(count * size);
	memset(p, 0, count * size);
	return p;
}

static void rn_free(void *p) {
	if (!p) return;
	uint64_t n = *rn_head(p);
	if (n & rn_outside) {
		free((char *)p - rn_step);
	} else if (n < rn_classes * rn_step) {
		*(void **)p = rn.freed[n / rn_step];
		rn.freed[n / rn_step] = p;
	}
}

static void *rn_realloc(void *p, size_t size) {
	if (!p) return rn_malloc(size);
	uint64_t holds = *rn_head(p) & ~(uint64_t)rn_outside;
	if (size <= holds) return p;
	void *q = rn_malloc(size);
	memcpy(q, p, holds);
	rn_free(p);
	return q;
}

static void rn_use(void) { ts_set_allocator(rn_malloc, rn_calloc, rn_realloc, rn_free); }

static void rn_begin(void) { rn.inside = 1; }

static void rn_end(void) {
	rn.inside = 0;
	while (rn.large) {
		rn_slab *s = rn.large;
		rn.large = s->next;
		free(s);
	}
	rn_slab *last = rn.first;
	for (int i = 1; last && i < rn_slabs_kept; i++) last = last->next;
	while (last && last->next) {
		rn_slab *s = last->next;
		last->next = s->next;
		free(s);
	}
	rn.current = NULL;
	rn.at = rn.end = NULL;
	memset(rn.freed, 0, sizeof rn.freed);
}
*/
import "C"

// useArena gives tree-sitter the arena, for all of the process and for good. It
// must come before anything else of tree-sitter.
func useArena() bool {
	C.rn_use()
	return true
}

// beginArena is called before a file is looked at, endArena afterwards, when
// nothing of tree-sitter's is used any more that came into being between.
func beginArena() { C.rn_begin() }

func endArena() { C.rn_end() }
