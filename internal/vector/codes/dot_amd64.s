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

// func unpackAVX2(levels *int8, rows *byte, n int)
TEXT ·unpackAVX2(SB), NOSPLIT, $0-24
	MOVQ      levels+0(FP), DI
	MOVQ      rows+8(FP), SI
	MOVQ      n+16(FP), CX
	VPCMPEQW  Y15, Y15, Y15
	VPSRLW    $12, Y15, Y15
	VPACKUSWB Y15, Y15, Y15 // 15 in each byte

group:
	VMOVDQU (SI), Y0
	VPSRLW  $4, Y0, Y1
	VPAND   Y15, Y0, Y0
	VPAND   Y15, Y1, Y1
	VPADDB  Y0, Y0, Y0
	VPADDB  Y1, Y1, Y1
	VPSUBB  Y15, Y0, Y0
	VPSUBB  Y15, Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ    $32, SI
	ADDQ    $64, DI
	SUBQ    $32, CX
	JG      group

	VZEROUPPER
	RET

// func addScaledAVX2(v *float32, row *int8, w float32, n int)
//
// The product is rounded before it is added (no FMA), as in the plain Go form.
TEXT ·addScaledAVX2(SB), NOSPLIT, $0-32
	MOVQ         v+0(FP), DI
	MOVQ         row+8(FP), SI
	VBROADCASTSS w+16(FP), Y8
	MOVQ         n+24(FP), CX
	XORQ         AX, AX

group:
	VPMOVSXBD (SI)(AX*1), Y4
	VPMOVSXBD 8(SI)(AX*1), Y5
	VPMOVSXBD 16(SI)(AX*1), Y6
	VPMOVSXBD 24(SI)(AX*1), Y7
	VCVTDQ2PS Y4, Y4
	VCVTDQ2PS Y5, Y5
	VCVTDQ2PS Y6, Y6
	VCVTDQ2PS Y7, Y7
	VMULPS    Y8, Y4, Y4
	VMULPS    Y8, Y5, Y5
	VMULPS    Y8, Y6, Y6
	VMULPS    Y8, Y7, Y7
	VADDPS    (DI)(AX*4), Y4, Y4
	VADDPS    32(DI)(AX*4), Y5, Y5
	VADDPS    64(DI)(AX*4), Y6, Y6
	VADDPS    96(DI)(AX*4), Y7, Y7
	VMOVUPS   Y4, (DI)(AX*4)
	VMOVUPS   Y5, 32(DI)(AX*4)
	VMOVUPS   Y6, 64(DI)(AX*4)
	VMOVUPS   Y7, 96(DI)(AX*4)
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLT       group

	VZEROUPPER
	RET

// func roundAVX2(codes *int8, v *float32, scale float32, n int)
//
// The quotient is rounded to the nearest, ties to even, by the conversion to an
// integer, as MXCSR says; packing with saturation puts it within int8, and -128 is
// raised to -127.
TEXT ·roundAVX2(SB), NOSPLIT, $0-32
	MOVQ         codes+0(FP), DI
	MOVQ         v+8(FP), SI
	VBROADCASTSS scale+16(FP), Y8
	MOVQ         n+24(FP), CX
	XORQ         AX, AX
	MOVL         $0x81818181, BX
	MOVQ         BX, X9
	VPBROADCASTD X9, Y9
	MOVQ         $0x0000000400000000, BX
	MOVQ         BX, X10
	MOVQ         $0x0000000500000001, BX
	MOVQ         BX, X11
	VPUNPCKLQDQ  X11, X10, X10
	MOVQ         $0x0000000600000002, BX
	MOVQ         BX, X11
	MOVQ         $0x0000000700000003, BX
	MOVQ         BX, X12
	VPUNPCKLQDQ  X12, X11, X11
	VINSERTI128  $1, X11, Y10, Y10

group:
	VMOVUPS   (SI)(AX*4), Y4
	VMOVUPS   32(SI)(AX*4), Y5
	VMOVUPS   64(SI)(AX*4), Y6
	VMOVUPS   96(SI)(AX*4), Y7
	VDIVPS    Y8, Y4, Y4
	VDIVPS    Y8, Y5, Y5
	VDIVPS    Y8, Y6, Y6
	VDIVPS    Y8, Y7, Y7
	VCVTPS2DQ Y4, Y4
	VCVTPS2DQ Y5, Y5
	VCVTPS2DQ Y6, Y6
	VCVTPS2DQ Y7, Y7

	// Packing takes the halves of registers apart: fours 0 4 8 12, then 16 20 24 28
	// of each half, which Y10 puts in order.
	VPACKSSDW Y5, Y4, Y4
	VPACKSSDW Y7, Y6, Y6
	VPACKSSWB Y6, Y4, Y4
	VPERMD    Y4, Y10, Y4
	VPMAXSB   Y9, Y4, Y4
	VMOVDQU   Y4, (DI)(AX*1)
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLT       group

	VZEROUPPER
	RET

// func largestAVX2(v *float32, n int) float32
TEXT ·largestAVX2(SB), NOSPLIT, $0-20
	MOVQ         v+0(FP), SI
	MOVQ         n+8(FP), CX
	XORQ         AX, AX
	MOVL         $0x7fffffff, BX
	MOVQ         BX, X9
	VPBROADCASTD X9, Y9
	VXORPS       Y0, Y0, Y0
	VXORPS       Y1, Y1, Y1
	VXORPS       Y2, Y2, Y2
	VXORPS       Y3, Y3, Y3

group:
	VANDPS (SI)(AX*4), Y9, Y4
	VANDPS 32(SI)(AX*4), Y9, Y5
	VANDPS 64(SI)(AX*4), Y9, Y6
	VANDPS 96(SI)(AX*4), Y9, Y7
	VMAXPS Y4, Y0, Y0
	VMAXPS Y5, Y1, Y1
	VMAXPS Y6, Y2, Y2
	VMAXPS Y7, Y3, Y3
	ADDQ   $32, AX
	CMPQ   AX, CX
	JLT    group

	VMAXPS       Y2, Y0, Y0
	VMAXPS       Y3, Y1, Y1
	VMAXPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VPERMILPS    $0x0e, X0, X1
	VMAXPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VMAXSS       X1, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET
