package lex

import (
	"slices"
	"strings"
)

// Brackets tells which bracket closes which, in code with comments and
// strings blanked.
type Brackets struct {
	Open   []int32 // offsets, ascending
	Close  []int32 // offset of the partner; len(code) without one
	Parent []int32 // index of the bracket around, or -1
	Kind   []byte  // '{', '(' or '['
	AtLine []int32 // index of the innermost bracket open at each line's start, or -1
}

// bracketScan is the state of matching.
type bracketScan struct {
	Brackets
	stack    []int32
	branches [][]int32 // the stacks at the #if that are open
}

// MatchBrackets pairs the brackets of the kinds given by their opening ones.
// With directives, each branch of an #if starts from the same open brackets.
func MatchBrackets(src *Source, kinds string, directives bool) *Brackets {
	var s bracketScan
	s.AtLine = make([]int32, src.Lines.Lines())
	for n := range s.AtLine {
		if directives && src.Class[n]&(InString|InComment) == 0 {
			s.directive(src.RawLine(n), src.Lines[n])
		}
		s.AtLine[n] = s.top()
		if kinds == noBrackets {
			continue
		}
		for i := src.Lines[n]; i < src.Lines[n+1]; i++ {
			switch c := src.Code[i]; c {
			case '{', '(', '[':
				if kinds == BracesOnly && c != '{' {
					continue
				}
				s.push(i, c, len(src.Code))
			case '}', ')', ']':
				s.pop(i, c)
			}
		}
	}
	return &s.Brackets
}

// The kinds of brackets that are matched.
const (
	AllBrackets = "({["
	BracesOnly  = "{" // where parentheses need not match
	noBrackets  = ""  // where lines tell all
)

func (s *bracketScan) top() int32 {
	if len(s.stack) == 0 {
		return -1
	}
	return s.stack[len(s.stack)-1]
}

func (s *bracketScan) push(i int, kind byte, unmatched int) {
	s.Open, s.Close = append(s.Open, int32(i)), append(s.Close, int32(unmatched))
	s.Parent, s.Kind = append(s.Parent, s.top()), append(s.Kind, kind)
	s.stack = append(s.stack, int32(len(s.Open)-1))
}

// pop closes the innermost bracket of the kind. A brace closes the
// parentheses left open in its block; a parenthesis never closes a block.
func (s *bracketScan) pop(i int, closing byte) {
	opening := map[byte]byte{'}': '{', ')': '(', ']': '['}[closing]
	for n, top := range slices.Backward(s.stack) {
		if s.Kind[top] == opening {
			s.Close[top] = int32(i)
			s.stack = s.stack[:n]
			return
		}
		if closing != '}' {
			return
		}
		if n == 0 {
			s.stack = s.stack[:0]
		}
	}
}

// Deeper nesting is not followed over the branches of an #if.
const (
	maxBranches = 50
	maxBranched = 200 // open brackets
)

// directive follows the branches of #if. What a branch leaves open ends with
// it.
func (s *bracketScan) directive(line string, offset int) {
	word, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	if !ok {
		return
	}
	switch word = strings.TrimLeft(word, " \t"); {
	case hasWord(word, "if"), hasWord(word, "ifdef"), hasWord(word, "ifndef"):
		if len(s.branches) < maxBranches && len(s.stack) < maxBranched {
			s.branches = append(s.branches, slices.Clone(s.stack))
		}
	case hasWord(word, "else"), hasWord(word, "elif"):
		if n := len(s.branches); n > 0 {
			for _, open := range s.stack[min(len(s.branches[n-1]), len(s.stack)):] {
				s.Close[open] = int32(max(offset-1, 0))
			}
			s.stack = slices.Clone(s.branches[n-1])
		}
	case hasWord(word, "endif"):
		if n := len(s.branches); n > 0 {
			s.branches = s.branches[:n-1]
		}
	}
}

func hasWord(line, word string) bool {
	return len(line) >= len(word) && line[:len(word)] == word && (len(line) == len(word) || !IsWord(line[len(word)]))
}

// At is the index of the bracket at an offset, or -1.
func (b *Brackets) At(offset int) int {
	i, ok := slices.BinarySearch(b.Open, int32(offset))
	if !ok {
		return -1
	}
	return i
}
