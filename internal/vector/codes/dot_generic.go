package codes

// dotF32I8RowsGeneric is the sum over the first len(query) - len(query)%lanes
// components, in the order that lanes documents.
func dotF32I8RowsGeneric(dst, query []float32, rows []int8) {
	dims := len(query)
	query = query[:dims-dims%lanes]
	for i := range dst {
		row := rows[i*dims:][:len(query)]
		var sum [lanes]float32
		for lane := 0; lane < lanes; lane += 8 {
			sumLanes((*[8]float32)(sum[lane:]), query[lane:], row[lane:])
		}
		for half := lanes / 2; half > 0; half /= 2 {
			for j := range half {
				sum[j] += sum[j+half]
			}
		}
		dst[i] = sum[0]
	}
}

// sumLanes adds up eight neighbouring lanes, which fit in registers. The
// conversions keep compilers from fusing a product with its addition.
func sumLanes(sum *[8]float32, a []float32, b []int8) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for {
		x, y := (*[8]float32)(a), (*[8]int8)(b)
		s0 += float32(x[0] * float32(y[0]))
		s1 += float32(x[1] * float32(y[1]))
		s2 += float32(x[2] * float32(y[2]))
		s3 += float32(x[3] * float32(y[3]))
		s4 += float32(x[4] * float32(y[4]))
		s5 += float32(x[5] * float32(y[5]))
		s6 += float32(x[6] * float32(y[6]))
		s7 += float32(x[7] * float32(y[7]))
		if len(a) < lanes+8 || len(b) < lanes+8 {
			break
		}
		a, b = a[lanes:], b[lanes:]
	}
	*sum = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
}

// dotInt8RowsGeneric is the sum over the first len(query) -
// len(query)%codeLanes components.
func dotInt8RowsGeneric(dst []int32, query, rows []int8) {
	dims := len(query)
	for i := range dst {
		dst[i] = dotCodes(query, rows[i*dims:][:dims])
	}
}

func dotCodes(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	for len(a) >= codeLanes && len(b) >= codeLanes {
		x, y := (*[codeLanes]int8)(a), (*[codeLanes]int8)(b)
		s0 += int32(x[0])*int32(y[0]) + int32(x[1])*int32(y[1]) + int32(x[2])*int32(y[2]) + int32(x[3])*int32(y[3])
		s1 += int32(x[4])*int32(y[4]) + int32(x[5])*int32(y[5]) + int32(x[6])*int32(y[6]) + int32(x[7])*int32(y[7])
		s2 += int32(x[8])*int32(y[8]) + int32(x[9])*int32(y[9]) + int32(x[10])*int32(y[10]) + int32(x[11])*int32(y[11])
		s3 += int32(x[12])*int32(y[12]) + int32(x[13])*int32(y[13]) + int32(x[14])*int32(y[14]) + int32(x[15])*int32(y[15])
		a, b = a[codeLanes:], b[codeLanes:]
	}
	return s0 + s1 + s2 + s3
}

// dotNibblesRowsGeneric sets dst[i] to the dot product of query and the 4-bit
// codes of the i-th of the rows.
func dotNibblesRowsGeneric(dst []int32, query []int8, rows []byte, rowBytes int) {
	for i := range dst {
		dst[i] = dotNibbles(query, rows[i*rowBytes:][:rowBytes])
	}
}

func dotNibbles(query []int8, row []byte) int32 {
	const half = coarseGroup / 2
	var s0, s1, s2, s3 int32
	for len(row) >= half && len(query) >= coarseGroup {
		low, high, r := (*[half]int8)(query), (*[half]int8)(query[half:]), (*[half]byte)(row)
		for j := 0; j < half; j += 4 {
			s0 += int32(low[j])*int32(r[j]&15) + int32(high[j])*int32(r[j]>>4)
			s1 += int32(low[j+1])*int32(r[j+1]&15) + int32(high[j+1])*int32(r[j+1]>>4)
			s2 += int32(low[j+2])*int32(r[j+2]&15) + int32(high[j+2])*int32(r[j+2]>>4)
			s3 += int32(low[j+3])*int32(r[j+3]&15) + int32(high[j+3])*int32(r[j+3]>>4)
		}
		query, row = query[coarseGroup:], row[half:]
	}
	return s0 + s1 + s2 + s3
}

// addScaledGeneric is AddScaled. The conversion of the product forbids fusing it
// with the addition, which would give other digits on some processors.
func addScaledGeneric(v []float32, row []int8, w float32) {
	row = row[:len(v)]
	for i := range v {
		v[i] += float32(w * float32(row[i]))
	}
}

// largestGeneric is max|v|, 0 of none.
func largestGeneric(v []float32) float32 {
	var largest float32
	for _, x := range v {
		if x < 0 {
			x = -x
		}
		if x > largest {
			largest = x
		}
	}
	return largest
}

// roundGeneric sets codes to v/scale, rounded to the nearest, ties to even, and
// within maxCode.
func roundGeneric(codes []int8, v []float32, scale float32) {
	for i, x := range v {
		// A float32 above toInteger has no fraction: the addition rounds. A
		// denormal scale is so coarse that quotients exceed maxCode.
		code := int32(float32(x/scale+toInteger) - toInteger)
		codes[i] = int8(min(max(code, -maxCode), maxCode)) //nolint:gosec // at most maxCode
	}
}
