package scope

import (
	"context"
	"math"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// evidence is what tells questions about what was searched from others.
type evidence struct {
	meaning  float64 // cosine of the best quote
	together float64 // share of what the question says, rare words counting more, that is in one quote
	close    float64 // the same in nearTerms terms of a quote, one after another
	// mean logarithm of how much more of the files have its words than elsewhere, rare words counting more
	usual    float64
	nameless float64 // ln(1 + names in the question that nothing has)
	known    float64 // ln(1 + names of code in the question that something has)
	words    float64 // ln(1 + words in the question)
	docs     float64 // what BM25 gives to the best document, see search.Likeness
	telling  int     // words that are about something

	// Of a search that is not limited to the filter.
	compared  bool
	score     float64 // of the best file inside, less that of the best one outside
	likeness  float64 // the same of cosine + wordShare × words
	share     float64 // of the ranks that are inside, first ones counting more
	docsAhead float64 // what BM25 gives to the best document inside, less that of the best one outside
}

const (
	bestOf    = 10    // results that are looked at
	wordShare = 0.2   // what words count beside the cosine
	rareShare = 0.003 // keeps the logarithm of words without a file finite
	nearTerms = 40    // that are near each other
)

// evidence is what the words of the question and the quotes tell.
func (j Judge) evidence(ctx context.Context, words []word, quotes []extract.Quote) (evidence, error) {
	e := evidence{words: math.Log1p(float64(len(words))), telling: telling(words)}
	names := question.NamesIn(j.Asked.Text())
	var rare, all float64
	for i := range words {
		w := &words[i]
		common := j.Gauge.Common(w.text)
		w.says = max(0.2, -common)
		all += w.says
		weight := max(0, -1-common) + 0.1
		rare += weight
		e.usual += weight * (math.Log(w.share+rareShare) - common)
		switch {
		case !w.whole && names[w.text]:
			e.nameless++
		case w.whole && question.IsCoded(w.text):
			e.known++
		}
	}
	e.usual /= rare
	e.nameless, e.known = math.Log1p(e.nameless), math.Log1p(e.known)
	says := termsOf(words)
	for _, q := range quotes {
		terms := fts.Analyze(q.Doc.FilePath + " " + q.Text)
		e.together = max(e.together, covered(words, terms)/all)
		e.close = max(e.close, densest(says, terms))
	}
	var err error
	e.meaning, err = j.meaning(ctx, quotes)
	return e, err
}

// meaning is how like the question the best quote is.
func (j Judge) meaning(ctx context.Context, quotes []extract.Quote) (most float64, err error) {
	inputs := make([]embed.Input, len(quotes))
	for i, q := range quotes {
		inputs[i] = embed.Input{Text: q.Text, Name: q.Doc.SymbolName}
	}
	vectors, err := j.Gauge.Documents(ctx, inputs)
	if err != nil {
		return 0, err
	}
	question, err := j.Gauge.Queries(ctx, []string{j.Asked.Text()})
	if err != nil {
		return 0, err
	}
	for _, v := range vectors {
		most = max(most, cosine(v, question[0]))
	}
	return most, nil
}

func cosine(a, b []float32) (sum float64) {
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// A word is one of the question.
type word struct {
	text  string
	share float64 // of files or of documents, the larger, that have a part of it
	whole bool    // something has all of it
	says  float64 // how much it says: the logarithm of its rarity in code at large
}

func wordsOf(files, docs search.Response) []word {
	all := make([]word, len(files.Words))
	for i, w := range files.Words {
		all[i] = word{text: w.Text, share: shareOf(w), whole: w.Whole > 0}
		if i < len(docs.Words) && docs.Words[i].Text == w.Text {
			all[i].share, all[i].whole = max(all[i].share, shareOf(docs.Words[i])), all[i].whole || docs.Words[i].Whole > 0
		}
	}
	return all
}

// Nowhere are the words that no file and no document has, if both were searched.
func Nowhere(replies map[models.Level]search.Response) (words []string) {
	files, hasFiles := replies[models.LevelFile]
	docs, hasDocs := replies[models.LevelDoc]
	if !hasFiles || !hasDocs {
		return nil
	}
	for _, w := range wordsOf(files, docs) {
		if w.share == 0 {
			words = append(words, w.text)
		}
	}
	return words
}

func shareOf(w search.Word) float64 { return float64(w.In) / float64(max(w.Of, 1)) }

// telling counts the words that are about something.
func telling(words []word) (n int) {
	for _, w := range words {
		if question.AboutSomething(w.text) {
			n++
		}
	}
	return n
}

// covered is how much of what the words say is in a text of these terms.
func covered(words []word, text []string) (sum float64) {
	has := map[string]bool{}
	for _, term := range text {
		has[term] = true
	}
	for _, w := range words {
		terms, found := fts.Analyze(w.text), 0
		for _, term := range terms {
			if has[term] {
				found++
			}
		}
		sum += w.says * float64(found) / float64(len(terms))
	}
	return sum
}

// leastAlike is the cosine from which on two words mean much the same: "computed" and
// "calculate" have .49, "delete" and "remove" .46, "price" and "cost" .11.
const leastAlike = 1.0 / 3

// byMeaning is together where words count, too, that mean what one in the name of the
// symbol does: who asks how a score is computed is told by calculateScore.
func (j Judge) byMeaning(ctx context.Context, words []word, quotes []extract.Quote) (most float64, err error) {
	var texts []string
	all := 0.0
	for _, w := range words {
		texts = append(texts, w.text)
		all += w.says
	}
	if all == 0 {
		return 0, nil
	}
	for _, q := range quotes {
		texts = append(texts, partOf().FindAllString(q.Doc.SymbolName, -1)...)
	}
	vectors, err := j.Gauge.Queries(ctx, texts)
	if err != nil {
		return 0, err
	}
	names := vectors[len(words):]
	for _, q := range quotes {
		n := len(partOf().FindAllString(q.Doc.SymbolName, -1))
		terms, sum := fts.Analyze(q.Doc.FilePath+" "+q.Text), 0.0
		for i, w := range words {
			alike := covered(words[i:i+1], terms)
			for _, v := range names[:n] {
				if c := cosine(vectors[i], v); c >= leastAlike {
					alike = max(alike, w.says*min(c, 1))
				}
			}
			sum += alike
		}
		most, names = max(most, sum/all), names[n:]
	}
	return most, nil
}

// partOf is a word of those that a name is made of; what is all upper case is short
// for something.
var partOf = pattern.NewLazy(`\p{Lu}?\p{Ll}+`)

// termsOf is what each term of the words says.
func termsOf(words []word) map[string]float64 {
	says := map[string]float64{}
	for _, w := range words {
		terms := fts.Analyze(w.text)
		for _, term := range terms {
			says[term] = max(says[term], w.says/float64(len(terms)))
		}
	}
	return says
}

// densest is the largest share of what the terms say that nearTerms terms of a
// text have. What is told of one thing stands together; a long text has many words
// by chance.
func densest(says map[string]float64, text []string) (most float64) {
	all := 0.0
	for _, s := range says {
		all += s
	}
	has, sum := map[string]int{}, 0.0
	for i, term := range text {
		if has[term]++; has[term] == 1 {
			sum += says[term]
		}
		if i >= nearTerms {
			gone := text[i-nearTerms]
			if has[gone]--; has[gone] == 0 {
				sum -= says[gone]
			}
		}
		most = max(most, sum)
	}
	return most / all
}

// docWords is what BM25 gives to the best document; having no documents tells
// nothing.
func docWords(files, docs search.Response) (most float64) {
	if len(docs.Items) == 0 {
		docs = files
	}
	for _, item := range docs.Items[:min(bestOf, len(docs.Items))] {
		most = max(most, docs.Likeness[item.DocumentID].Words)
	}
	return most
}

// unlikely reports whether a question is likelier about something else. Levels leave
// 2.6% of questions and 1.5 to 2.8% of statements about repositories of several
// kinds above them, more among repositories of one kind (bench/RESULTS.md,
// "Answers"). Of statements, which say less, it also counts what stands close
// together and which names are known; where there are others to compare with, both
// what the repository itself tells and how it does beside them, and once more by how
// much it is behind them: a text that is like none, as those about no code are, may
// be the most like this one, and then being ahead says nothing. A question counts
// how far it is behind less: others of its kind may answer it, too, and that alone
// is not foreign. A statement about no thing in particular is foreign nowhere.
func (e evidence) unlikely(question bool) bool {
	alone, beside := e.alone(), e.beside()
	near := 4*e.close + 1.2*e.known
	switch {
	case question && e.compared:
		return beside-min(e.docsAhead, 0)-3*min(e.likeness, 0) > 1 || beside > -1 && alone > 1.5
	case question:
		return alone > 0
	case e.telling < tellingWords:
		return false
	case e.compared:
		return 0.3*alone+0.7*beside-near-1.5*min(e.docsAhead, 0)-6*min(e.likeness, 0) > 0.5
	}
	return alone-near > 0.1
}

// alone and beside are the odds by logistic regressions on the tuning half of
// bench/ask and on plain questions, put to the index of one repository and to one
// of twenty.
func (e evidence) alone() float64 {
	return 8.74 - 7.38*e.meaning - 2.96*e.together - 2.2*e.usual + 2.13*e.nameless - 1.43*e.words - 1.43*e.docs
}

func (e evidence) beside() float64 {
	return 4.98 - 3.67*e.together - 1.39*e.usual + 1.09*e.nameless - 1.22*e.words - 1.39*e.docs -
		0.59*e.score - 1.88*e.likeness - 5.46*e.share
}
