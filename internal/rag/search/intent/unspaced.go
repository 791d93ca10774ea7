package intent

import (
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/pattern"
)

// In scripts without blanks a text is one word, in which words of grammar touch those that
// it is about: "用户的密码怎么加密". Two characters side by side that are of both are found
// nowhere, or by chance. Of Japanese what is in Hiragana is taken for grammar.
var (
	grammar = pattern.NewLazy(`(?:怎[么麼]样?|如何|怎[样樣])(?:实现|工作|设计|组织|处理)?|[为為](?:什[么麼]|何)|什[么麼]|` +
		`在?哪[里裡儿兒些个個]?|是否|请问|[的吗呢是和与、，。？！]|[ぁ-ゟ]+`)
	asksHow = pattern.NewLazy(`怎[么麼样樣]|如何|どう|어떻게`)
	ofTests = pattern.NewLazy(`单元测试|测试用例|的测试|測試|(?:単体|結合|の)テスト|테스트`)
)

// isUnspaced reports whether a text has letters of scripts without blanks between words,
// or of Hangul.
func isUnspaced(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r >= unspacedFrom && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

const unspacedFrom = '\u0E00'

// withoutGrammar is a text in such a script without words of grammar, if that leaves some.
func withoutGrammar(text string) string {
	if !isUnspaced(text) {
		return text
	}
	if rest := strings.Join(strings.Fields(grammar().ReplaceAllString(text, " ")), " "); rest != "" {
		return rest
	}
	return text
}
