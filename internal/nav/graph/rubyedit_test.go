//go:build cgo

package graph_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// Each rule by which an edit of Ruby changes what names of other files mean: what is answered over it is what a rebuild
// answers.
func TestEditsOfRuby(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    map[string]string
		from, to string // what is edited, in edited.rb
	}{
		{
			name: "the part of a module that declares most",
			files: map[string]string{
				"a.rb":      "module Shop\n  class Cart\n    def one; end\n    def two; end\n  end\nend\n",
				"edited.rb": "module Shop\n  class Cart\n    # more\n  end\nend\n",
				"use.rb":    "Shop::Cart.new.one\nclass Other < Shop::Cart; end\n",
			},
			from: "# more", to: "def three; end\n    def four; end\n    def five; end",
		},
		{
			name: "what a class has that a module calls",
			files: map[string]string{
				"a.rb":      "module Priced\n  def total; price; end\nend\nclass Other\n  def price; end\nend\n",
				"edited.rb": "class Item\n  # nothing\n  def price; end\nend\n",
			},
			from: "# nothing", to: "include Priced",
		},
		{
			name: "a writer",
			files: map[string]string{
				"a.rb":      "class Use\n  def run(given); given.title = 1; end\nend\n",
				"edited.rb": "class Item\n  # none\nend\n",
			},
			from: "# none", to: "def title=(text); end",
		},
		{
			name: "a state",
			files: map[string]string{
				"a.rb":      "class Use\n  def run; Item.new.draft?; Item.new.draft!; end\nend\n",
				"edited.rb": "class Item\n  enum :status, [:shown]\nend\n",
			},
			from: ":shown", to: ":draft",
		},
		{
			name: "a concern",
			files: map[string]string{
				"a.rb":      "class Post\n  include Visible\nend\nPost.shown\nclass Other\n  def self.shown; end\nend\n",
				"edited.rb": "module Visible\n  other do\n    def shown; end\n  end\nend\n",
			},
			from: "other do", to: "class_methods do",
		},
		{
			name: "an association",
			files: map[string]string{
				"a.rb":      "class Use\n  def run; Post.new.author.full; end\nend\n",
				"b.rb":      "class User\n  def full; end\nend\nclass Person\n  def full; end\nend\n",
				"edited.rb": "class Post\n  belongs_to :author, class_name: \"User\"\nend\n",
			},
			from: "User", to: "Person",
		},
		{
			name: "a method that runs its block with another self",
			files: map[string]string{
				"a.rb":      "class Letter\n  def to; end\nend\nclass Other\n  def to; end\nend\n",
				"use.rb":    "Post.made { to }\n",
				"edited.rb": "class Post\n  def self.made(&block)\n    yield\n  end\nend\n",
			},
			from: "yield", to: "Letter.new.instance_eval(&block)",
		},
		{
			name: "what new gives its block to, of a superclass",
			files: map[string]string{
				"a.rb":      "class Part < Letter\n  def to; end\nend\nclass Other\n  def to; end\nend\n",
				"use.rb":    "Part.new { to }\n",
				"edited.rb": "class Letter\n  def initialize(&block)\n    yield\n  end\nend\n",
			},
			from: "yield", to: "instance_eval(&block)",
		},
		{
			name: "a method that another one hands its block on to",
			files: map[string]string{
				"a.rb":      "class Letter\n  def to; end\nend\nclass Other\n  def to; end\nend\n",
				"b.rb":      "class Case\n  def mock(base = Letter, &block); Post.made(base, &block); end\nend\n",
				"use.rb":    "Case.new.mock { new.to; to }\nCase.new.mock(Letter.new) { to }\n",
				"edited.rb": "class Post\n  def self.made(base, &block)\n    yield\n  end\nend\n",
			},
			from: "yield", to: "base.class_eval(&block)",
		},
		{
			name: "the class that self is of in a block",
			files: map[string]string{
				"a.rb":      "class Letter\n  def self.to; end\nend\nclass Other\n  def self.to; end\nend\n",
				"b.rb":      "class Post\n  def self.made(base, &block); base.class_eval(&block); end\nend\n",
				"use.rb":    "Case.new.mock { to }\n",
				"edited.rb": "class Case\n  def mock(base = Letter, &block); Post.made(base, &block); end\nend\n",
			},
			from: "Letter", to: "Other",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.files["edited.rb"] += "given.noted\n" // a file that refers to nothing might be a manifest
			after := maps.Clone(c.files)
			if after["edited.rb"] = strings.Replace(c.files["edited.rb"], c.from, c.to, 1); maps.Equal(after, c.files) {
				t.Fatal("nothing was edited")
			}
			e := &edits{
				rand:    rand.New(rand.NewPCG(1, 1)), //nolint:gosec // a test
				readers: &readers{parser: treesitter.New(), known: map[string]*facts.File{}}, texts: after,
			}
			e.check(t, c.files)
		})
	}
}
