package pattern

import (
	"regexp"
	"sync"
)

// A Lazy is a regular expression that is compiled when it is first called, so that
// a program that has many starts without them.
type Lazy func() *regexp.Regexp

// NewLazy panics when it is first called if the expression is not valid.
func NewLazy(expression string) Lazy {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
