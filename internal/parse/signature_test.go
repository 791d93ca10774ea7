package parse_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
)

// A head that was broken into lines reads as if it hadn't been.
func TestSignatureText(t *testing.T) {
	for head, want := range map[string]string{
		"def f(\n    a,\n    b,\n) -> int:":              "def f(a, b) -> int",
		"def f(\n    self, e: Exception\n):":             "def f(self, e: Exception)",
		"async find<K>(\r\n\tkey: K,\r\n): Promise<T> {": "async find<K>(key: K): Promise<T>",
		"X = (\n    1,\n)":                               "X = (1,)",
		"X = f(\n    (\n        1,\n    ),\n)":           "X = f((1,))",
		"def g(a: dict[\n    str,\n    int,\n]):":        "def g(a: dict[str, int])",
		"def h( a, b )":                                  "def h( a, b )",
		"fn k(x: u8,\n     y: u8) -> u8 {":               "fn k(x: u8, y: u8) -> u8",
		"type T = {\n  a: string\n}":                     "type T = { a: string }",
		"f)\n)\n(":                                       "f)) (",
		"(\n":                                            "(",
		"":                                               "",
	} {
		if got := parse.SignatureText(head); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}
