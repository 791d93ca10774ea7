package parse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		binary         bool
	}{
		{name: "ASCII", in: "a\r\nb\n", want: "a\r\nb\n"},
		{name: "UTF-8", in: "größe", want: "größe"},
		{name: "empty"},
		{name: "UTF-8 with mark", in: "\xef\xbb\xbfa", want: "a"},
		{name: "UTF-16 little endian", in: "\xff\xfea\x00\n\x00\xac\x20", want: "a\n€"},
		{name: "UTF-16 big endian", in: "\xfe\xff\x00a\xd8\x3d\xde\x00", want: "a😀"},
		{name: "UTF-16 cut off", in: "\xff\xfea\x00b", want: "a\ufffd"},
		{name: "Latin-1", in: "gr\xf6\xdfe\n", want: "größe\n"},
		{name: "Windows-1252", in: "\x93caf\xe9\x94 \x80 1\x92000\r\nx", want: "“café” € 1’000\r\nx"},
		{name: "UTF-8 with a stray byte", in: "größe\xff\n", want: "größe\ufffd\n"},
		{name: "Latin-1 that is UTF-8 by chance", in: "\xc3\xa9 \xe9\xe8, \xe9 \xe8", want: "Ã© éè, é è"},
		{name: "no byte of Windows-1252", in: "a\x81 \xe9 \xe8", want: "a\ufffd \ufffd \ufffd"},
		{name: "Cyrillic of Windows-1251", in: "// \xcf\xf0\xe8\xe2\xe5\xf2", want: "// " + strings.Repeat("\ufffd", 6)},
		{name: "Shift JIS", in: "// \x93\xfa\x96\x7b\x8c\xea", want: "// \ufffd\ufffd\ufffd{\ufffd\ufffd"},
		{name: "cut off UTF-8", in: "a\xe2\x82", want: "a\ufffd\ufffd"},
		{name: "NUL", in: "a\x00b", binary: true},
		{name: "NUL in UTF-16", in: "\xff\xfe\x00\x00a\x00", binary: true},
		{name: "late NUL", in: strings.Repeat("a", 8192) + "\x00", want: strings.Repeat("a", 8192) + "\x00"},
		{name: "control characters", in: "\x01\x02\x03ab", binary: true},
		{name: "few control characters", in: "\x1b[0mabcdef", want: "\x1b[0mabcdef"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := parse.Decode([]byte(tt.in))
			if ok == tt.binary || got != tt.want {
				t.Errorf("Decode = %q, %v; want %q, %v", got, ok, tt.want, !tt.binary)
			}
		})
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n": 1, "\n\n": 2, "a\r\nb\r\n": 2,
		"a\rb": 1,
	} {
		if got := parse.Lines(text); got != want {
			t.Errorf("Lines(%q) = %d, want %d", text, got, want)
		}
		if got := parse.LineOffsets(text).Lines(); got != want {
			t.Errorf("LineOffsets(%q).Lines() = %d, want %d", text, got, want)
		}
	}
}

func TestSlice(t *testing.T) {
	for _, tt := range []struct {
		text       string
		start, end int
		want       string
	}{
		{"a\nb\nc\n", 1, 3, "a\nb\nc"},
		{"a\nb\nc\n", 2, 2, "b"},
		{"a\nb\nc", 3, 3, "c"},
		{"a\r\nb\r\n", 1, 2, "a\r\nb"},
		{"a\n\n\nb", 2, 3, "\n"},
		{"a\nb", 0, 9, "a\nb"},
		{"a\nb", 3, 9, ""},
		{"a\nb", 2, 1, ""},
		{"", 1, 1, ""},
		{"\n", 1, 1, ""},
	} {
		if got := parse.Slice(tt.text, tt.start, tt.end); got != tt.want {
			t.Errorf("Slice(%q, %d, %d) = %q, want %q", tt.text, tt.start, tt.end, got, tt.want)
		}
		if got := parse.LineOffsets(tt.text).Slice(tt.text, tt.start, tt.end); got != tt.want {
			t.Errorf("Offsets.Slice(%q, %d, %d) = %q, want %q", tt.text, tt.start, tt.end, got, tt.want)
		}
	}
}

func TestLineAt(t *testing.T) {
	offsets := parse.LineOffsets("ab\nc\n")
	var got []int
	for offset := -1; offset <= 6; offset++ {
		got = append(got, offsets.LineAt(offset))
	}
	if diff := cmp.Diff([]int{1, 1, 1, 1, 2, 2, 2, 2}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
