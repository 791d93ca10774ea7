package codes

// lanes is the number of partial sums of a float32 dot product. Component i of
// the largest multiple of lanes goes to partial sum i % lanes; the sums are
// then halved (sum[i] += sum[i+16], +8, +4, +2, +1), and the components that
// are left over are added one by one. Every step rounds to float32 and nothing
// is fused. All implementations follow this order, so they agree in every bit
// (NaNs aside, whose payload is the processor's choice). 32 lanes are four AVX
// registers, enough to hide the latency of an addition.
const lanes = 32

// codeLanes is how many components the int8 kernels take at a time. Integer
// sums don't depend on the order, so here it is no part of the contract.
const codeLanes = 16

// DotF32I8 is the dot product of a and b, which must be of one length.
func DotF32I8(a []float32, b []int8) float32 {
	var dst [1]float32
	DotF32I8Rows(dst[:], a, b)
	return dst[0]
}

// DotF32I8Rows sets dst[i] to the dot product of query and the i-th of the
// rows, which lie one after the other. It panics unless len(rows) is len(dst)
// times len(query).
func DotF32I8Rows(dst, query []float32, rows []int8) {
	checkShape(len(dst), len(query), len(rows))
	dims := len(query)
	whole := dims - dims%lanes
	if whole == 0 || len(dst) == 0 {
		clear(dst)
	} else {
		dotF32I8Rows(dst, query, rows)
	}
	if whole == dims {
		return
	}
	for i := range dst {
		row := rows[i*dims:][:dims]
		for j := whole; j < dims; j++ {
			dst[i] += float32(query[j] * float32(row[j]))
		}
	}
}

// DotInt8Rows is DotF32I8Rows for a query of codes. Sums wrap around as int32 does;
// codes of Encode are safe up to 133,000 components.
func DotInt8Rows(dst []int32, query, rows []int8) {
	checkShape(len(dst), len(query), len(rows))
	dims := len(query)
	whole := dims - dims%codeLanes
	if whole == 0 || len(dst) == 0 {
		clear(dst)
	} else {
		dotInt8Rows(dst, query, rows)
	}
	if whole == dims {
		return
	}
	for i := range dst {
		row := rows[i*dims:][:dims]
		for j := whole; j < dims; j++ {
			dst[i] += int32(query[j]) * int32(row[j])
		}
	}
}

// AddScaled adds w × row to v, which must be of one length. Every step rounds to
// float32, so that all implementations agree in every bit.
func AddScaled(v []float32, row []int8, w float32) { addScaled(v, row[:len(v)], w) }

func checkShape(dst, query, rows int) {
	if rows != dst*query {
		panic("codes: the rows don't have the length of the query")
	}
}
