//go:build !amd64 || purego

package codes

func dotF32I8Rows(dst, query []float32, rows []int8) { dotF32I8RowsGeneric(dst, query, rows) }

func dotInt8Rows(dst []int32, query, rows []int8) { dotInt8RowsGeneric(dst, query, rows) }

func dotNibblesRows(dst []int32, query []int8, rows []byte, rowBytes int) {
	dotNibblesRowsGeneric(dst, query, rows, rowBytes)
}

func unpack(levels []int8, rows []byte) { unpackGeneric(levels, rows) }

func addScaled(v []float32, row []int8, w float32) { addScaledGeneric(v, row, w) }

func largest(v []float32) float32 { return largestGeneric(v) }

func round(codes []int8, v []float32, scale float32) { roundGeneric(codes, v, scale) }
