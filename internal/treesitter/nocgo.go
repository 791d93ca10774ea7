//go:build !cgo

package treesitter

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// Languages is empty: there are no grammars in this build.
func Languages() []string { return nil }

// Speaks reports false: there are no grammars in this build.
func Speaks(string) bool { return false }

// A Parser in this build knows no language.
type Parser struct{}

// New returns a Parser.
func New() *Parser { return &Parser{} }

// NewAlone is New.
func NewAlone() *Parser { return New() }

// Outline returns ErrUnknown.
func (*Parser) Outline(parse.File, parse.Want) (parse.Outline, error) {
	return parse.Outline{}, ErrUnknown
}

// Facts returns ErrUnknown.
func (*Parser) Facts(parse.File) (facts.File, error) { return facts.File{}, ErrUnknown }

// Both returns ErrUnknown.
func (*Parser) Both(parse.File) (parse.Outline, *facts.File, error) {
	return parse.Outline{}, nil, ErrUnknown
}

// Locals returns ErrUnknown.
func (*Parser) Locals(parse.File) ([]facts.Local, error) { return nil, ErrUnknown }
