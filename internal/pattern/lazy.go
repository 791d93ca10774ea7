package pattern

import (
	"regexp"
	"sync"
)

// Lazy is a regular expression that is compiled when it is first used, so that
// a program that has many starts without them.
type Lazy struct{ compiled func() *regexp.Regexp }

// NewLazy panics when it is first used if the expression is not valid.
func NewLazy(expression string) Lazy {
	return Lazy{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString is that of regexp.Regexp.
func (l Lazy) MatchString(s string) bool { return l.compiled().MatchString(s) }

// FindString is that of regexp.Regexp.
func (l Lazy) FindString(s string) string { return l.compiled().FindString(s) }

// FindStringSubmatchIndex is that of regexp.Regexp.
func (l Lazy) FindStringSubmatchIndex(s string) []int { return l.compiled().FindStringSubmatchIndex(s) }

// FindAllString is that of regexp.Regexp.
func (l Lazy) FindAllString(s string, n int) []string { return l.compiled().FindAllString(s, n) }

// FindAllStringIndex is that of regexp.Regexp.
func (l Lazy) FindAllStringIndex(s string, n int) [][]int {
	return l.compiled().FindAllStringIndex(s, n)
}

// ReplaceAllString is that of regexp.Regexp.
func (l Lazy) ReplaceAllString(s, by string) string { return l.compiled().ReplaceAllString(s, by) }

// ReplaceAllStringFunc is that of regexp.Regexp.
func (l Lazy) ReplaceAllStringFunc(s string, by func(string) string) string {
	return l.compiled().ReplaceAllStringFunc(s, by)
}

// FindStringSubmatch is that of regexp.Regexp.
func (l Lazy) FindStringSubmatch(s string) []string { return l.compiled().FindStringSubmatch(s) }
