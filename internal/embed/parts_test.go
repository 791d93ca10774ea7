package embed

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func partsOf(text string) []string {
	parts := []string{}
	sp := splitter{text: text}
	for p := sp.next(); p != nil; p = sp.next() {
		parts = append(parts, string(p))
	}
	return parts
}

func TestParts(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"camel case":             {"openFile", []string{"open", "file"}},
		"acronym before a word":  {"HTTPServer2", []string{"http", "server", "2"}},
		"acronym at the end":     {"parseURL", []string{"parse", "url"}},
		"underscores":            {"__get_user__", []string{"get", "user"}},
		"digits":                 {"utf8to16", []string{"utf", "8", "to", "16"}},
		"punctuation":            {"a.b->c::d", []string{"a", "b", "c", "d"}},
		"capital, underscore":    {"AB_c", []string{"ab", "c"}},
		"letters without case":   {"読むFile", []string{"読むfile"}},
		"German":                 {"GrößeÄndern", []string{"größe", "ändern"}},
		"Arabic digits":          {"a٣b", []string{"a", "٣", "b"}},
		"invalid UTF-8":          {"ab\xffcd", []string{"ab", "cd"}},
		"replacement character":  {"ab\ufffdcd", []string{"ab", "cd"}},
		"nothing":                {" \t\n--", []string{}},
		"only the first 64":      {strings.Repeat("a", 63) + "Bcd", []string{strings.Repeat("a", 63), "b"}},
		"no look past the first": {strings.Repeat("A", 64) + "b", []string{strings.Repeat("a", 64)}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, partsOf(tc.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// plainParts is the definition of splitter, written for reading only.
func plainParts(text string) []string {
	parts := []string{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		runes := []rune(w)
		runes = runes[:min(len(runes), 64)]
		var part strings.Builder
		for i, r := range runes {
			if i > 0 && plainBoundary(runes, i) && part.Len() > 0 {
				parts = append(parts, part.String())
				part.Reset()
			}
			if r != '_' {
				part.WriteRune(unicode.ToLower(r))
			}
		}
		if part.Len() > 0 {
			parts = append(parts, part.String())
		}
	}
	return parts
}

func plainBoundary(w []rune, i int) bool {
	a, b := w[i-1], w[i]
	return a == '_' || b == '_' ||
		unicode.IsDigit(a) != unicode.IsDigit(b) ||
		unicode.IsLower(a) && unicode.IsUpper(b) ||
		unicode.IsUpper(a) && unicode.IsUpper(b) && i+1 < len(w) && unicode.IsLower(w[i+1])
}

func FuzzParts(f *testing.F) {
	for _, tc := range readVectors(f).Texts {
		f.Add(tc.Text)
	}
	for _, s := range []string{"HTTPServer2_x", "ÄÖü9", "\xff\xfe", strings.Repeat("aB", 70), "ⅣǅȺİ", "_", "a\x00b"} {
		f.Add(s)
	}
	s := modelOf(f, builtin(f))
	f.Fuzz(func(t *testing.T, text string) {
		if diff := cmp.Diff(plainParts(text), partsOf(text)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		v := s.vector(s.table.query, Input{Text: text})
		if v == nil {
			return
		}
		if n := length(v); n < 0.999 || n > 1.001 {
			t.Errorf("length %v", n)
		}
	})
}
