package ask

import (
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestDiffering(t *testing.T) {
	for question, want := range map[string]string{
		"What is the difference between Peek and Get?":               "Peek Get",
		"what's the difference between `peek()` and the get method?": "peek get",
		"how does Cache.Peek differ from Cache.Get":                  "Cache.Peek Cache.Get",
		"how is #peek different from #get?":                          "#peek #get",
		"before_fork vs after_fork":                                  "before_fork after_fork",
		"which differences are there between the option a and b?":    "a b",
		"what is the difference between reading a file and a folder": "",
		"difference between get and Get":                             "",
		"how does it choose between a and b":                         "",
	} {
		if got := strings.Join(differing(question), " "); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

// What holds a symbol is not told among what that uses.
func TestUsesWithoutWhatHoldsIt(t *testing.T) {
	var n Near
	for _, name := range []string{"Cache", "Cache.get", "Cac", "a"} {
		n.Used = append(n.Used, models.Definition{Qualified: name})
	}
	var left []string
	for _, d := range n.without("Cache.get").Used {
		left = append(left, d.Qualified)
	}
	if want := []string{"Cache.get", "Cac", "a"}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
}
