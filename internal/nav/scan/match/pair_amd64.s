//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// MATCH32 leaves in out the bytes that are ones where the pair is, of 32
// positions from off. Y0 and Y2 are the bytes of the pair, Y1 and Y3 their masks.
#define MATCH32(off, out, other) \
	VPOR     off(SI)(AX*1), Y1, out   \
	VPCMPEQB out, Y0, out             \
	VPOR     off(DX)(AX*1), Y3, other \
	VPCMPEQB other, Y2, other         \
	VPAND    out, other, out

// func indexPairAVX2(text *byte, n int, p *pair) int
TEXT ·indexPairAVX2(SB), NOSPLIT, $0-32
	MOVQ text+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ p+16(FP), BX
	MOVQ pair_distance(BX), DX
	ADDQ SI, DX

	VPBROADCASTB pair_first(BX), Y0
	VPBROADCASTB pair_firstMask(BX), Y1
	VPBROADCASTB pair_second(BX), Y2
	VPBROADCASTB pair_secondMask(BX), Y3

	XORQ AX, AX
	LEAQ -128(CX), R8
	LEAQ -32(CX), R9

four:
	CMPQ AX, R8
	JGT  one
	MATCH32(0, Y4, Y5)
	MATCH32(32, Y6, Y7)
	MATCH32(64, Y8, Y9)
	MATCH32(96, Y10, Y11)
	VPOR  Y4, Y6, Y12
	VPOR  Y8, Y10, Y13
	VPOR  Y12, Y13, Y12
	VPTEST Y12, Y12
	JNZ   which
	ADDQ  $128, AX
	JMP   four

which:
	VPMOVMSKB Y4, BX
	TESTL BX, BX
	JNZ   found
	ADDQ  $32, AX
	VPMOVMSKB Y6, BX
	TESTL BX, BX
	JNZ   found
	ADDQ  $32, AX
	VPMOVMSKB Y8, BX
	TESTL BX, BX
	JNZ   found
	ADDQ  $32, AX
	VPMOVMSKB Y10, BX
	JMP   found

one:
	CMPQ AX, R9
	JGT  last
	MATCH32(0, Y4, Y5)
	VPMOVMSKB Y4, BX
	TESTL BX, BX
	JNZ  found
	ADDQ $32, AX
	JMP  one

// The last positions are fewer than 32: they are looked at together with those
// before, in which the pair is not.
last:
	CMPQ AX, CX
	JEQ  none
	MOVQ R9, AX
	MATCH32(0, Y4, Y5)
	VPMOVMSKB Y4, BX
	TESTL BX, BX
	JNZ  found

none:
	MOVQ $-1, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

found:
	BSFL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
