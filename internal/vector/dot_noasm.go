//go:build !amd64 || purego

package vector

func dotRows(dst, query, rows []float32) { dotRowsGeneric(dst, query, rows) }

func dotInt8Rows(dst []int32, query, rows []int8) { dotInt8RowsGeneric(dst, query, rows) }
