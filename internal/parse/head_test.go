package parse_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
)

// A Head matches what its Regexp does.
func TestHead(t *testing.T) {
	lines := []string{
		"", " ", "\t", "a", "A", " a", "  ab", "ba", "@x", " @x", "\n a", "é", " é", "\xff", "K", "\u212a", "z", " 1", "0\n",
		"= 1", "{", "import a", "\timport", "imports", "\fz", "\v a", "aé", "_", "#", " #a",
	}
	for _, e := range []string{
		`^a`, `^\s*a`, `a`, `^\s*(?:a|\s+b)?`, `^\s*(?:import|from)\b`, `^\s*[^a-z]`, `^(?i)k`, `(?i)^\s*K|a`, `(?i)^a`,
		`^\s*@`, `^\s*$`, `^$`, `^\s+a`, `^\s*\s*a`, `^\s*.`, `^\s*\pL`, `^(?P<n>a+)b*`, `^\s*(?:(?:a|b)\s+)*z`, `^a{0,2}b`,
		`^\s*a{2}`, `^(?:a|^b)`, `^\s*\W`, `^\s*?a`, `(?m)^a`, `^\b`, `^\s*(?:\bx|[\x{80}-\x{10FFFF}])`, `^ ?a`, ``, `^`,
	} {
		head := parse.NewHead(e)()
		for _, line := range lines {
			want := head.FindStringSubmatchIndex(line)
			got := head.FindSubmatchIndex([]byte(line))
			if len(got) != len(want) || head.Match([]byte(line)) != (want != nil) || head.MatchString(line) != (want != nil) ||
				len(head.FindSubmatch([]byte(line))) != len(want)/2 {
				t.Errorf("%s finds %d in %q, want %d", e, got, line, want)
			}
		}
	}
}
