package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// lets are forms of Lisp that bind the names in the list behind them.
var lets = resolve.Set(`
let let* letrec let-values loop for doseq dotimes dolist when-let if-let when-some if-some when-let* if-let* binding
with-open with-redefs fn fn* lambda flet labels cl-flet cl-labels cl-letf pcase-let destructuring-bind multiple-value-bind
cl-loop named-let define-values -let -let* -when-let -if-let do do* prog1 let-syntax as->`)

// isLet reports whether token n stands in the list of names of a form of Lisp: of its
// parameters, or of what it binds, where each name is the first of a pair.
func (b *binder) isLet(n int) bool {
	code := b.src.Code
	for open := b.all[n].open; open >= 0 && open > b.all[n].start-2000; {
		i := open - 1
		for i >= 0 && code[i] <= ' ' {
			i--
		}
		end := i + 1
		for i >= 0 && b.isLetter(code, i) {
			i--
		}
		head := string(code[i+1 : end])
		_, own := b.at[i+1]
		if head != "" && (own || lets[head]) {
			first := b.all[n].before == '(' || b.all[n].before == '['
			switch {
			case own, strings.HasPrefix(head, "fn"), head == "lambda": // parameters
				return true
			case code[open] == '[': // pairs
				return b.isEven(n, open)
			}
			return first || b.all[n].open == open
		}
		if head != "" || own {
			return false
		}
		if open = b.around(open); open < 0 {
			return false
		}
	}
	return false
}

// isEven reports whether an even number of forms stands between a bracket and token n, or the
// form of its own right in it that the token is a part of.
func (b *binder) isEven(n, open int) bool {
	forms, depth, inside := 0, 0, false
	for i := open + 1; i < b.all[n].start; i++ {
		switch c := b.src.Code[i]; {
		case strings.IndexByte("([{", c) >= 0:
			if depth == 0 && !inside {
				forms++
			}
			depth++
			inside = false
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && c <= ' ' || c == ',':
			inside = false
		case depth == 0 && !inside:
			forms, inside = forms+1, true
		}
	}
	if depth > 0 { // of a form that is taken apart
		return forms%2 == 1
	}
	return forms%2 == 0
}
