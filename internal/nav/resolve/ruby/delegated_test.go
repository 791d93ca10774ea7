//go:build cgo

package ruby_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestOnlyOfItsName compares by which rule the only method of a name is found for a receiver that is not known: what is
// delegated is of other classes too.
func TestOnlyOfItsName(t *testing.T) {
	text := `class Note
  belongs_to :recipient
  delegate :username, to: :recipient
  attribute :score, :integer
  attr_reader :draft
end
given.recipient
given.username
given.score
given.draft
`
	want := map[string]resolve.Tier{
		"recipient": resolve.TierD, "username": resolve.TierF, "score": resolve.TierF, "draft": resolve.TierD,
	}
	f, err := treesitter.New().Facts(parse.File{Path: "a.rb", Language: "Ruby", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	r := resolve.New(resolve.NewMemory([]facts.File{f}), languages.All())
	for i, found := range r.Refs(0) {
		ref := f.Refs[i]
		if tier, ok := want[ref.Name]; ok && ref.Line > 6 && (found.Tier != tier || len(found.Targets) != 1) {
			t.Errorf("%s is found %d times by %c, want %c", ref.Name, len(found.Targets), found.Tier, tier)
		}
	}
}
