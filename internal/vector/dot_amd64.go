//go:build !purego

package vector

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

func dotRows(dst, query, rows []float32) {
	if !hasAVX2 {
		dotRowsGeneric(dst, query, rows)
		return
	}
	dotRowsAVX2(&dst[0], &query[0], &rows[0], len(dst), len(query))
}

func dotInt8Rows(dst []int32, query, rows []int8) {
	if !hasAVX2 {
		dotInt8RowsGeneric(dst, query, rows)
		return
	}
	dotInt8RowsAVX2(&dst[0], &query[0], &rows[0], len(dst), len(query))
}

// dotRowsAVX2 does the work of dotRowsGeneric on n rows. dims is at least lanes.
//
//go:noescape
func dotRowsAVX2(dst, query, rows *float32, n, dims int)

// dotInt8RowsAVX2 does the work of dotInt8RowsGeneric on n rows. dims is at
// least codeLanes.
//
//go:noescape
func dotInt8RowsAVX2(dst *int32, query, rows *int8, n, dims int)
