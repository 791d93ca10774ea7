//go:build !purego

package codes

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

func dotF32I8Rows(dst, query []float32, rows []int8) {
	if !hasAVX2 {
		dotF32I8RowsGeneric(dst, query, rows)
		return
	}
	dotF32I8RowsAVX2(&dst[0], &query[0], &rows[0], len(dst), len(query))
}

func dotInt8Rows(dst []int32, query, rows []int8) {
	if !hasAVX2 {
		dotInt8RowsGeneric(dst, query, rows)
		return
	}
	dotInt8RowsAVX2(&dst[0], &query[0], &rows[0], len(dst), len(query))
}

func dotNibblesRows(dst []int32, query []int8, rows []byte, rowBytes int) {
	if !hasAVX2 {
		dotNibblesRowsGeneric(dst, query, rows, rowBytes)
		return
	}
	fours := (len(dst) + CoarseFours - 1) / CoarseFours
	_, _ = dst[:fours*CoarseFours], rows[:fours*CoarseFours*rowBytes]
	dotNibblesRowsAVX2(&dst[0], &query[0], &rows[0], fours, rowBytes)
}

// dotNibblesRowsAVX2 does the work of dotNibblesRowsGeneric on fours times four
// rows of a multiple of 32 bytes.
//
//go:noescape
func dotNibblesRowsAVX2(dst *int32, query *int8, rows *byte, fours, rowBytes int)

func unpack(levels []int8, rows []byte) {
	if !hasAVX2 || len(rows) == 0 {
		unpackGeneric(levels, rows)
		return
	}
	_ = levels[:2*len(rows)]
	unpackAVX2(&levels[0], &rows[0], len(rows))
}

// unpackAVX2 does the work of unpackGeneric on a multiple of 32 bytes.
//
//go:noescape
func unpackAVX2(levels *int8, rows *byte, n int)

// dotF32I8RowsAVX2 does the work of dotF32I8RowsGeneric on n rows. dims is at
// least lanes.
//
//go:noescape
func dotF32I8RowsAVX2(dst, query *float32, rows *int8, n, dims int)

// dotInt8RowsAVX2 does the work of dotInt8RowsGeneric on n rows. dims is at
// least codeLanes.
//
//go:noescape
func dotInt8RowsAVX2(dst *int32, query, rows *int8, n, dims int)

func addScaled(v []float32, row []int8, w float32) {
	whole := len(v) - len(v)%lanes
	if !hasAVX2 || whole == 0 {
		addScaledGeneric(v, row, w)
		return
	}
	addScaledAVX2(&v[0], &row[0], w, whole)
	addScaledGeneric(v[whole:], row[whole:], w)
}

// addScaledAVX2 does the work of addScaledGeneric on n components, a multiple of
// lanes.
//
//go:noescape
func addScaledAVX2(v *float32, row *int8, w float32, n int)

func largest(v []float32) float32 {
	whole := len(v) - len(v)%lanes
	if !hasAVX2 || whole == 0 {
		return largestGeneric(v)
	}
	return max(largestAVX2(&v[0], whole), largestGeneric(v[whole:]))
}

// largestAVX2 does the work of largestGeneric, likewise.
//
//go:noescape
func largestAVX2(v *float32, n int) float32

func round(codes []int8, v []float32, scale float32) {
	whole := len(v) - len(v)%lanes
	if !hasAVX2 || whole == 0 {
		roundGeneric(codes, v, scale)
		return
	}
	roundAVX2(&codes[0], &v[0], scale, whole)
	roundGeneric(codes[whole:], v[whole:], scale)
}

// roundAVX2 does the work of roundGeneric, likewise.
//
//go:noescape
func roundAVX2(codes *int8, v *float32, scale float32, n int)
