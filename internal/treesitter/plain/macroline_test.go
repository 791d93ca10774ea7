package plain

import "testing"

func TestFieldMacro(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"VersionSet* const versions_ GUARDED_BY(mutex_);", "GUARDED_BY(mutex_)"},
		{"int total PT_GUARDED_BY(mu) = 0;", "PT_GUARDED_BY(mu)"},
		{"std::map<int, Foo> all_ ABSL_GUARDED_BY(mu_){};", "ABSL_GUARDED_BY(mu_)"},
		{"mutable Stats *stats GUARDED_BY( mu ) ;", "GUARDED_BY( mu )"},
		{"Stats stats_[kLevels::all] GUARDED_BY(mutex_);", "GUARDED_BY(mutex_)"},
		{"static int GET_ALL(int);", ""},
		{"static Foo GET_ALL(int);", ""},
		{"const unsigned int GET_ALL(int);", ""},
		{"return x GET_ALL(y);", ""},
		{"GET_ALL(y);", ""},
		{"x = y GET_ALL(z);", ""},
		{"Foo* GET_ALL(z);", ""},
		{"int n GUARDED(mu);", ""},
		{"f(a) GET_ALL(z);", ""},
	} {
		from, to := fieldMacro(test.line)
		if got := test.line[from:to]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.line, got, test.want)
		}
	}
}

func TestMacroLine(t *testing.T) {
	for line, want := range map[string]bool{
		"LIB_BEGIN\n": true, "LIB_BEGIN // namespace lib\n": true, "  UCLASS(Abstract)": true,
		"LIB_BEGIN {": false, "// LIB_BEGIN": false, "LIB = 1; // LIB": false,
	} {
		if got := isMacroLine(line); got != want {
			t.Errorf("%q: isMacroLine = %t, want %t", line, got, want)
		}
	}
}

func TestMacrosAroundDeclarations(t *testing.T) {
	for text, want := range map[string]string{
		"struct POINT {":           "struct POINT {",
		"class API;":               "class API;",
		"class API ALIGNED Name {": "class             Name {",
		"class API NOTE(\"a\",\n \"(\") Name : public Base {": "class              \n      Name : public Base {",
		"  NOTE(\"x()\")\n  int64_t old() const;":             "             \n  int64_t old() const;",
		"  NOTE(\"x\")\n  std::vector<int> *old();":           "           \n  std::vector<int> *old();",
		"  CHECK(\"x\")\n  return old();":                     "  CHECK(\"x\")\n  return old();",
		"  CHECK(\"x\")\n  old();":                            "  CHECK(\"x\")\n  old();",
		"  int CHECK(\n  NOTE(\"x\")\n  int old())":           "  int CHECK(\n  NOTE(\"x\")\n  int old())",
	} {
		if got := hideMacros(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestLeadingMacro(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"LIB_CONSTEXPR void f();", "LIB_CONSTEXPR"},
		{"  FMT_CONSTEXPR FMT_INLINE auto f() -> int;", "  FMT_CONSTEXPR FMT_INLINE"},
		{"SPDLOG_INLINE pool::pool(int n)", "SPDLOG_INLINE"},
		{"LIB_API Result<int> f();", "LIB_API"},
		{"HANDLE open();", ""},
		{"INLINE_TYPE f();", ""},
		{"LIB_INLINE = 3;", ""},
		{"LIB_INLINE void f() \\", ""},
	} {
		if got := test.line[:leadingMacro(test.line)]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.line, got, test.want)
		}
	}
}

func TestQualifying(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"pool(pool &&other) LIB_NOEXCEPT : a_(1) {", "LIB_NOEXCEPT"},
		{"int size() const LIB_NOEXCEPT;", "LIB_NOEXCEPT"},
		{"void f() LIB_OVERRIDE {", "LIB_OVERRIDE"},
		{"if (x) LIB_NOEXCEPT(y);", ""},
		{"LIB_NOEXCEPT {", ""},
	} {
		from, to := qualifying(test.line)
		if got := test.line[from:to]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.line, got, test.want)
		}
	}
}

func TestConvention(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"void SPDLOG_INLINE spdlog::sinks::base_sink<Mutex>::log(int n) {", "SPDLOG_INLINE"},
		{"static int WINAPI start(void *p)", "WINAPI"},
		{"std::vector<int> LIB_API list();", "LIB_API"},
		{"return LIB_API x;", ""},
		{"#define LIB_API extern", ""},
		{"int a = LIB_API + 1;", ""},
		{"class LIB_API Foo {", "LIB_API"},
	} {
		from, to := convention(test.line)
		if got := test.line[from:to]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.line, got, test.want)
		}
	}
}

func TestTrailingMacro(t *testing.T) {
	for _, test := range []struct{ before, line, want string }{
		{"", "  void Lock() EXCLUSIVE_LOCK_FUNCTION() { mu_.lock(); }\n", "EXCLUSIVE_LOCK_FUNCTION()"},
		{"", "bool Insert(const Name& name) const LOCKS_EXCLUDED(mu_) {\n", "LOCKS_EXCLUDED(mu_)"},
		{"", "Table* imm_ GUARDED_BY(mutex_);  // being written\n", "GUARDED_BY(mutex_)"},
		{"  std::queue<Item> queue_  // all\n", "      GUARDED_BY(mutex_);\n", "GUARDED_BY(mutex_)"},
		{"  x = 1;\n", "      GUARDED_BY(mutex_);\n", ""},
		{"", "if (ready) RETURN_IF_ERROR(f());\n", ""},
		{"", "} while (0) FOR_ALL(x) {\n", ""},
	} {
		from, to := trailingMacro(test.line, test.before)
		if got := test.line[from:to]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.line, got, test.want)
		}
	}
}
