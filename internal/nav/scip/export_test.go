package scip

import (
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func TestPageName(t *testing.T) {
	p := page{lines: []string{"func (t *T) größe() {}", "  this.#hidden = 1"}}
	for _, c := range []struct {
		line, column int
		want         Range
		ok           bool
	}{
		{1, 13, Range{0, 12, 0, 19}, true},
		{2, 8, Range{1, 7, 1, 14}, true},
		{1, 6, Range{}, false},
		{3, 1, Range{}, false},
		{1, 99, Range{}, false},
		{0, 1, Range{}, false},
	} {
		if got, ok := p.name(c.line, c.column); got != c.want || ok != c.ok {
			t.Errorf("%d:%d is %+v (%t), want %+v", c.line, c.column, got, ok, c.want)
		}
	}
	if got := p.around(&facts.Symbol{StartLine: 1, EndLine: 2}); got != (Range{0, 0, 1, 18}) {
		t.Errorf("around %+v", got)
	}
}
