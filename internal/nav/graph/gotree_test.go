package graph_test

import (
	"context"
	"crypto/sha256"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// goExtractor reads Go.
type goExtractor struct{}

func (goExtractor) Revision(string) string { return "1" }

func (goExtractor) Facts(_ context.Context, path, language, text string) (*facts.File, error) {
	extract := golang.Extract
	if language == "Go Module" {
		extract = golang.ExtractModule
	}
	f, err := extract(path, text)
	return &f, err
}

func goResolver(w resolve.World) graph.Resolver { return resolve.New(w, languages.All()) }

// goGraph builds the graph of Go files that are written one after the other.
func goGraph(t *testing.T, archive string) *graph.Graph {
	t.Helper()
	texts := map[string]string{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		texts[f.Name] = string(f.Data)
	}
	return graphOf(t, goExtractor{}, texts, nil)
}

// graphOf builds the graph of texts, going on from another one.
func graphOf(t *testing.T, x build.Extractor, texts map[string]string, previous *graph.Graph) *graph.Graph {
	t.Helper()
	in := build.Input{
		Extract: x, Resolver: goResolver,
		Read: func(_ context.Context, p string) (string, error) { return texts[p], nil },
	}
	for p, text := range texts {
		in.Sources = append(in.Sources,
			build.Source{Path: p, Language: filekind.Language(p), Hash: sha256.Sum256([]byte(text))})
	}
	g, report, err := build.Graph(t.Context(), in, previous)
	if err != nil || len(report.Failed) > 0 {
		t.Fatal(err, report.Failed)
	}
	return g
}

// shop is a small program with names that are declared several times.
const shop = `
-- go.mod --
module example.org/shop

go 1.26
-- main.go --
package main

import (
	"example.org/shop/cart"
	"example.org/shop/pay"
)

func main() {
	c := cart.New()
	c.Add("tea")
	run(pay.Card{}, c)
}

func run(p pay.Payer, c *cart.Cart) {
	p.Pay(c.Total())
}

// New is not what main calls.
func New() int { return limit }

const limit = 3
-- cart/cart.go --
package cart

// A Cart holds items.
type Cart struct {
	items []Item
	first *Item
}

type Item struct{ Name string }

func New() *Cart { return &Cart{} }

func (c *Cart) Add(name string) { c.items = append(c.items, Item{Name: name}) }

func (c *Cart) Total() int { return total(c.items) }

func total(items []Item) int {
	if len(items) == 0 {
		return 0
	}
	return 1 + total(items[1:])
}
-- cart/cart_test.go --
package cart

import "testing"

func TestTotal(t *testing.T) {
	c := New()
	c.Add("x")
	if c.Total() != 1 {
		t.Fail()
	}
}
-- pay/pay.go --
package pay

type Payer interface{ Pay(sum int) }

type Card struct{}

func (Card) Pay(sum int) { charge(sum) }

type Cash struct{}

func (Cash) Pay(sum int) {}

func charge(sum int) {}
`
