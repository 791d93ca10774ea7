package change_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/change"
)

func TestNamesakes(t *testing.T) {
	names := []string{
		"test_valid_content_type", "TestContentHTTPType", "test_content", "test_type", "test_length_of_content",
		"test_other_type", "test_größe_type", "content_type", "test_a2b",
	}
	none := map[string]bool{"content_type": true}
	for _, c := range []struct {
		symbol string
		want   []string
	}{
		{"Message._process_content_type", []string{"TestContentHTTPType", "test_valid_content_type"}},
		{"parse_http", []string{"TestContentHTTPType"}},
		{"größe", []string{"test_größe_type"}},
		{"a2bc", nil},
		{"other", []string{"test_other_type"}},
		{"", nil},
	} {
		all := func(map[string]bool) iter.Seq[string] { return slices.Values(names) }
		got := change.Namesakes([]string{c.symbol}, 100, all, func(name string) int {
			if none[name] {
				return 0
			}
			return 1
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.symbol, got, c.want)
		}
	}
}

// The order between that of the ways and that of the texts, behind a test that changed itself.
func TestOrderByText(t *testing.T) {
	texts := map[string]string{"TestB": "newHeader(1)", "TestC": "oldHeader(1)", "TestD": "readHeader(reader)"}
	var ways []change.Way
	for i, name := range []string{"TestItself", "TestB", "TestA", "TestD", "TestC"} {
		ways = append(ways, change.Way{Test: change.Test{File: "a_test.go", Name: name}, Depth: min(i, 1), Tier: 'B'})
	}
	ways[0].Tier = 0
	got := slices.Clone(ways)
	slices.Reverse(got)
	change.Order(got, []string{"Reader.Header"}, func(w change.Way) string { return texts[w.Name] })
	if diff := cmp.Diff(ways, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMayName(t *testing.T) {
	for before, want := range map[string]bool{
		"": true, `open("`: true, `open("data/`: true, `open("../`: true, `dir + "/`: true, `open("a/data/`: true,
		`open("else/`: false, `open("my-`: false, `open("x.`: false,
	} {
		if got := change.MayName(before, "lib/data/in.bin"); got != want {
			t.Errorf("%s: %v", before, got)
		}
	}
}
