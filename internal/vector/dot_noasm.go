//go:build !amd64 || purego

package vector

func dotF32I8Rows(dst, query []float32, rows []int8) { dotF32I8RowsGeneric(dst, query, rows) }

func dotInt8Rows(dst []int32, query, rows []int8) { dotInt8RowsGeneric(dst, query, rows) }

func dotNibblesRows(dst []int32, query []int8, rows []byte, rowBytes int) {
	dotNibblesRowsGeneric(dst, query, rows, rowBytes)
}
