package question

import (
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/fts"
)

// A Language is what little a question of another language than English has that says
// nothing of what it is about: articles, pronouns, question words.
type Language map[string]bool

// tongues are German, French, Spanish, Portuguese, Italian and Dutch.
var tongues = func() (all []Language) {
	for _, words := range []string{
		"der das den dem ein eine einen einem einer und oder nicht ist sind wie wo wer wird werden wurde " +
			"wurden kann können mit von vom zu zum zur im auf aus bei für über unter nach ob wenn dass sich man " +
			"ich wir es sein hat haben gibt welche welcher welches warum wann woher wofür bitte mir zeige erkläre " +
			"beim durch ohne als auch noch nur macht gemacht die was",
		"le la les un une des du de et ou où est sont comment quand pourquoi quel quelle quels quelles qui " +
			"que quoi avec pour sans dans sur sous par il elle on je nous vous ce cette ces se sa son ses peut " +
			"être fait faire qu cela ça au aux",
		"el la los las un una unos unas de del y o es son está están cómo dónde cuándo cuál cuáles qué quién " +
			"por para con sin en sobre entre se su sus lo al como donde cuando hay hace hacer puede si",
		"o os as um uma de do da dos das e é são como onde quando qual quais que quem por para com sem em no " +
			"na nos nas se seu sua ao está há faz fazer pode",
		"il lo la gli le un una di del della dei delle e è sono come dove quando quale quali che chi perché " +
			"con senza in nel nella su per tra si viene fare può",
		"de het een en of niet is zijn hoe waar wie wat wordt worden kan met van naar voor op uit bij aan " +
			"over als dat deze dit er ik we welke waarom wanneer",
	} {
		all = append(all, Language{})
		for word := range strings.FieldsSeq(words) {
			all[len(all)-1][word] = true
		}
	}
	return all
}()

// ofEnglish are words by which a sentence is English.
var ofEnglish = func() Language {
	set := Language{}
	for word := range strings.FieldsSeq("the how what where which who whose why when is are was were does do did can " +
		"could should of to and or with from for by that this these those it its into not be has have") {
		set[word] = true
	}
	return set
}()

// alsoEnglish are words of tongues that are English, too, or in code. They don't tell
// which language it is.
var alsoEnglish = func() Language {
	set := Language{}
	for word := range strings.FieldsSeq("die was an man hat gibt sein bei war um as do dos da no na nos os se o on en " +
		"per si par pour ses sin del lo come su of over is met dit er we so in al fare para con van at uma e y i es son " +
		"sans elle") {
		set[word] = true
	}
	return set
}()

// languageOf is that of a question which is not in English, nil for one that may be. One
// in other letters than Latin ones has the empty one.
func languageOf(question string) Language {
	var words []string
	latin, other := 0, 0
	for _, word := range fts.Words(question) {
		words = append(words, strings.ToLower(word))
	}
	for _, r := range question {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	if other > latin/5 { // a character of Chinese is half a word
		return Language{}
	}
	var best Language
	most := max(1, 2*ofEnglish.count(words), len(words)/5)
	for _, t := range tongues {
		if n := t.count(words) - t.and(alsoEnglish).count(words); n > most {
			best, most = t, n
		}
	}
	return best
}

func (t Language) and(other Language) Language {
	both := Language{}
	for word := range t {
		if other[word] {
			both[word] = true
		}
	}
	return both
}

func (t Language) count(words []string) (n int) {
	for _, word := range words {
		if t[word] {
			n++
		}
	}
	return n
}

// Has reports whether a word says nothing in the language.
func (t Language) Has(word string) bool { return t[strings.ToLower(word)] }

// without is a text without the words of the tongue, and in English words where these
// are known. One in English stays as it is, in lines: reports are known by them.
func (t Language) without(text string) string {
	if len(t) == 0 {
		return strings.TrimSpace(text)
	}
	begins, text := asksInEnglish(text)
	b, end := strings.Builder{}, 0
	b.WriteString(begins + " ")
	for at, word := range fts.Words(text) {
		b.WriteString(text[end:at])
		end = at + len(word)
		if meaning, ok := inEnglish(word); ok {
			b.WriteString(meaning)
		} else if !t.Has(word) {
			b.WriteString(word)
		}
	}
	b.WriteString(text[end:])
	return strings.Join(strings.Fields(b.String()), " ")
}
