package plain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMendC(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"nothing to do": {
			"int f(DWORD n, char *const p);\nBOOL g(void) { return (int) MAX_LEN; }\n",
			"int f(DWORD n, char *const p);\nBOOL g(void) { return (int) MAX_LEN; }\n",
		},
		"before and behind a function": {
			"LIB_INLINE LIB_PURE LIB_u64 f(int a) LIB_NOTNULL(1);\n",
			"                    LIB_u64 f(int a)               ;\n",
		},
		"parameters": {
			"void f(T* p LIB_BOUND, const char* lib_nonnull q, __unused int n);\n",
			"void f(T* p          , const char*             q,          int n);\n",
		},
		"a type": {"LIB_EXTERN(int) lib_f(void);\n", "LIB_EXTERN      lib_f(void);\n"},
		"instead of a statement": {
			"LIB_FLAG(int, a, 1, {});\nLIB_OP(NE, !=)\nLIB_OP(LE, <=)\nLIB_API Result f(int a);\n",
			"                        \n              \n              \n        Result f(int a);\n",
		},
		"before a word of the language": {
			"namespace a {\nLIB_BEGIN\ntemplate <class S>\nclass LIB_OWNER LIB_TRIVIAL B {};\n}\n",
			"namespace a {\n         \ntemplate <class S>\nclass                       B {};\n}\n",
		},
		"parameters of a template": {
			"template <typename T, LIB_ENABLE_IF(!is_int<T>())> void f();\n",
			"template <typename T, LIB_ENABLE_IF              > void f();\n",
		},
		"an instantiation": {"extern template void f<int>(int);\n", "                                ;\n"},
		"between strings":  {"g(\"%\" PRIu64 \"\\n\", n);\n", "g(\"%\"        \"\\n\", n);\n"},
		"before a member":  {"void f() { LIB_EMIT a->b(c); }\n", "void f() {          a->b(c); }\n"},
		"a cast":           {"n = unsigned(a) << 3;\n", "n = int     (a) << 3;\n"},
		"constants": {
			"#define OPT(na, n) na = n\nenum e {\n  OPT(A, 1),\n  B LIB_DEPRECATED(1, \"x\") = 2,\n" +
				"#define XX(c) E_##c,\n  MAP(XX)\n#undef XX\n  LAST\n};\n",
			"#define OPT(na, n) na = n\nenum e {\n      A    ,\n  B                        = 2,\n" +
				"                    \n         \n         \n  LAST\n};\n",
		},
		"branches that close what others open": {
			"#ifdef A\nint f(int a) {\n#else\n#define N 1\nint f(long a) {\n#endif\n  return 1;\n}\n",
			"        \nint f(int a) {\n     \n#define N 1\n               \n      \n  return 1;\n}\n",
		},
		"a condition that is not read": {
			"#if HAS(a) || \\\n    B\nint a;\n#endif\n",
			"#if 1          \n     \nint a;\n#endif\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := MendC(tc.text, [][2]int{{0, len(tc.text)}})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got := MendC(tc.text, nil); got != tc.text && name != "branches that close what others open" {
				t.Errorf("without errors it becomes\n%s", got)
			}
		})
	}
}
