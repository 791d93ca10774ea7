//go:build !purego

#include "textflag.h"

// func dotF32I8RowsAVX2(dst, query *float32, rows *int8, n, dims int)
//
// Y0 to Y3 are the 32 partial sums. Products are rounded before they are added
// (no FMA), as the plain Go form does. Fetching ahead takes 15% off.
TEXT ·dotF32I8RowsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ query+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ dims+32(FP), R8
	MOVQ R8, R9
	ANDQ $-32, R9

row:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ   AX, AX

group:
	PREFETCHT0 2048(DX)(AX*1)

	VPMOVSXBD (DX)(AX*1), Y4
	VPMOVSXBD 8(DX)(AX*1), Y5
	VPMOVSXBD 16(DX)(AX*1), Y6
	VPMOVSXBD 24(DX)(AX*1), Y7
	VCVTDQ2PS Y4, Y4
	VCVTDQ2PS Y5, Y5
	VCVTDQ2PS Y6, Y6
	VCVTDQ2PS Y7, Y7
	VMULPS    (SI)(AX*4), Y4, Y4
	VMULPS    32(SI)(AX*4), Y5, Y5
	VMULPS    64(SI)(AX*4), Y6, Y6
	VMULPS    96(SI)(AX*4), Y7, Y7
	VADDPS    Y4, Y0, Y0
	VADDPS    Y5, Y1, Y1
	VADDPS    Y6, Y2, Y2
	VADDPS    Y7, Y3, Y3
	ADDQ      $32, AX
	CMPQ      AX, R9
	JLT       group

	// Halve: 32 sums to 16, 8, 4, 2, 1.
	VADDPS       Y2, Y0, Y0
	VADDPS       Y3, Y1, Y1
	VADDPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VPERMILPS    $0x0e, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0
	VMOVSS       X0, (DI)

	ADDQ $4, DI
	ADDQ R8, DX
	DECQ CX
	JNZ  row

	VZEROUPPER
	RET

// func dotInt8RowsAVX2(dst *int32, query, rows *int8, n, dims int)
//
// Four rows at a time share the widening of the query. Y0 to Y3 are their sums.
// Fetching ahead takes 30% off: the four rows are one stretch of 4*dims bytes.
TEXT ·dotInt8RowsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ query+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ dims+32(FP), R8
	MOVQ R8, R9
	ANDQ $-16, R9
	CMPQ CX, $4
	JLT  rest

four:
	LEAQ  (DX)(R8*1), R10
	LEAQ  (DX)(R8*2), R11
	LEAQ  (R10)(R8*2), R12
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  AX, AX

group:
	PREFETCHT0 4096(DX)(AX*4)

	VPMOVSXBW (SI)(AX*1), Y8
	VPMOVSXBW (DX)(AX*1), Y4
	VPMOVSXBW (R10)(AX*1), Y5
	VPMOVSXBW (R11)(AX*1), Y6
	VPMOVSXBW (R12)(AX*1), Y7
	VPMADDWD  Y8, Y4, Y4
	VPMADDWD  Y8, Y5, Y5
	VPMADDWD  Y8, Y6, Y6
	VPMADDWD  Y8, Y7, Y7
	VPADDD    Y4, Y0, Y0
	VPADDD    Y5, Y1, Y1
	VPADDD    Y6, Y2, Y2
	VPADDD    Y7, Y3, Y3
	ADDQ      $16, AX
	CMPQ      AX, R9
	JLT       group

	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (DI)

	ADDQ $16, DI
	LEAQ (DX)(R8*4), DX
	SUBQ $4, CX
	CMPQ CX, $4
	JGE  four

rest:
	TESTQ CX, CX
	JZ    done

one:
	VPXOR Y0, Y0, Y0
	XORQ  AX, AX

onegroup:
	VPMOVSXBW (SI)(AX*1), Y8
	VPMOVSXBW (DX)(AX*1), Y4
	VPMADDWD  Y8, Y4, Y4
	VPADDD    Y4, Y0, Y0
	ADDQ      $16, AX
	CMPQ      AX, R9
	JLT       onegroup

	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      X0, X0, X0
	VPHADDD      X0, X0, X0
	VMOVD        X0, (DI)

	ADDQ $4, DI
	ADDQ R8, DX
	DECQ CX
	JNZ  one

done:
	VZEROUPPER
	RET

// func dotNibblesRowsAVX2(dst *int32, query *int8, rows *byte, fours, rowBytes int)
//
// Y0 to Y3 are the sums of four rows in 16 bits, of at most 128 bytes: eight
// products of pairs, each at most 2*15*127. Y8 to Y11 are the whole sums.
TEXT ·dotNibblesRowsAVX2(SB), NOSPLIT, $0-40
	MOVQ      dst+0(FP), DI
	MOVQ      query+8(FP), SI
	MOVQ      rows+16(FP), DX
	MOVQ      fours+24(FP), CX
	MOVQ      rowBytes+32(FP), R8
	VPCMPEQW  Y14, Y14, Y14
	VPSRLW    $12, Y14, Y15
	VPACKUSWB Y15, Y15, Y15 // 15 in each byte
	VPSRLW    $15, Y14, Y14 // 1 in each word

four:
	LEAQ  (DX)(R8*1), R10
	LEAQ  (DX)(R8*2), R11
	LEAQ  (R10)(R8*2), R12
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11
	XORQ  AX, AX

group:
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1
	VPXOR   Y2, Y2, Y2
	VPXOR   Y3, Y3, Y3
	LEAQ    128(AX), R9
	CMPQ    R9, R8
	CMOVQGT R8, R9

step:
	PREFETCHT0 4096(DX)(AX*4)
	PREFETCHT0 4160(DX)(AX*4)
	VMOVDQU    (SI)(AX*2), Y12
	VMOVDQU    32(SI)(AX*2), Y13
	VMOVDQU    (DX)(AX*1), Y4
	VPSRLW     $4, Y4, Y5
	VPAND      Y15, Y4, Y4
	VPAND      Y15, Y5, Y5
	VPMADDUBSW Y12, Y4, Y4
	VPMADDUBSW Y13, Y5, Y5
	VPADDW     Y4, Y0, Y0
	VPADDW     Y5, Y0, Y0
	VMOVDQU    (R10)(AX*1), Y4
	VPSRLW     $4, Y4, Y5
	VPAND      Y15, Y4, Y4
	VPAND      Y15, Y5, Y5
	VPMADDUBSW Y12, Y4, Y4
	VPMADDUBSW Y13, Y5, Y5
	VPADDW     Y4, Y1, Y1
	VPADDW     Y5, Y1, Y1
	VMOVDQU    (R11)(AX*1), Y4
	VPSRLW     $4, Y4, Y5
	VPAND      Y15, Y4, Y4
	VPAND      Y15, Y5, Y5
	VPMADDUBSW Y12, Y4, Y4
	VPMADDUBSW Y13, Y5, Y5
	VPADDW     Y4, Y2, Y2
	VPADDW     Y5, Y2, Y2
	VMOVDQU    (R12)(AX*1), Y4
	VPSRLW     $4, Y4, Y5
	VPAND      Y15, Y4, Y4
	VPAND      Y15, Y5, Y5
	VPMADDUBSW Y12, Y4, Y4
	VPMADDUBSW Y13, Y5, Y5
	VPADDW     Y4, Y3, Y3
	VPADDW     Y5, Y3, Y3
	ADDQ       $32, AX
	CMPQ       AX, R9
	JLT        step

	VPMADDWD Y14, Y0, Y0
	VPMADDWD Y14, Y1, Y1
	VPMADDWD Y14, Y2, Y2
	VPMADDWD Y14, Y3, Y3
	VPADDD   Y0, Y8, Y8
	VPADDD   Y1, Y9, Y9
	VPADDD   Y2, Y10, Y10
	VPADDD   Y3, Y11, Y11
	CMPQ     AX, R8
	JLT      group

	VPHADDD      Y9, Y8, Y8
	VPHADDD      Y11, Y10, Y10
	VPHADDD      Y10, Y8, Y8
	VEXTRACTI128 $1, Y8, X1
	VPADDD       X1, X8, X8
	VMOVDQU      X8, (DI)

	ADDQ $16, DI
	LEAQ (DX)(R8*4), DX
	DECQ CX
	JNZ  four

	VZEROUPPER
	RET
