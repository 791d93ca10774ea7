package pattern

import (
	"errors"
	"regexp/syntax"
	"strings"
)

// missing is what other engines have and RE2 has not, by how it begins, and what does
// instead.
var missing = []struct{ begins, what string }{
	{"(?<=", lookAround},
	{"(?<!", lookAround},
	{"(?=", lookAround},
	{"(?!", lookAround},
	{"(?>", "atomic groups: write (?:…)"},
	{`\k`, backReferences},
	{`\g`, backReferences},
	{"(?#", "comments: leave it out"},
	{"(?|", "branch resets: write (?:…)"},
	{"(?(", "conditions: write both cases, as in a|b"},
}

const (
	lookAround     = "look-around: match what stands around it, too"
	backReferences = "back-references: write the text again"
)

// Mistake says what is wrong with a regular expression that package regexp refuses with
// err, and in which syntax it is to be written.
func Mistake(err error) string {
	bad, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return err.Error()
	}
	return string(bad.Code) + ": `" + bad.Expr + "`; " + instead(bad)
}

func instead(bad *syntax.Error) string {
	digit := len(bad.Expr) == 2 && bad.Expr[0] == '\\' && '1' <= bad.Expr[1] && bad.Expr[1] <= '9'
	if digit || bad.Expr == "(?P" { // "(?P=", of which that much is told
		return "the syntax is RE2, without " + backReferences
	}
	for _, m := range missing {
		if strings.HasPrefix(bad.Expr, m.begins) {
			return "the syntax is RE2, without " + m.what
		}
	}
	switch {
	case bad.Code == syntax.ErrInvalidRepeatOp && strings.HasSuffix(bad.Expr, "+"):
		return "the syntax is RE2, without possessive repetitions: leave the second + out"
	case bad.Code == syntax.ErrInvalidRepeatSize:
		return "the syntax is RE2, whose repetitions are up to 1000"
	}
	return `the syntax is RE2; \ before a character takes it as it is`
}
