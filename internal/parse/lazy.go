package parse

import (
	"regexp"
	"sync"
)

// A LazyRegexp is compiled when it is first called: a run needs few of them, and
// all together take longer than a search.
type LazyRegexp func() *regexp.Regexp

// Lazy is re, to be compiled when it is first used.
func Lazy(re string) LazyRegexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(re) })
}
