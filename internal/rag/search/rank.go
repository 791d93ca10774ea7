package search

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
	"github.com/ragnav/ragnav/internal/topk"
)

// The weights of the fusion. score = lexical + semantic·(cosine part) and, for
// levels above symbols, the same of the best symbols; every part is divided by
// its maximum over the candidates first. Measured in bench/quality.
const (
	weightSemantic      = 1.1 // cosines below 0 count as they are: they order what nothing else tells apart
	weightJoined        = 1.5 // in place of weightSemantic, of cosines of a model on a server and the table together
	weightSymbolLexical = 0.5 // in folders and repositories: files have the words of their symbols
	weightIdentifier    = 1.0
	weightPath          = 1.0
	weightTraced        = 4.0  // times as much of a path that the query has all of, and more
	weightQuoted        = 3.0  // of how much of the query is there word for word
	weightName          = 2.0  // of the share of the query that the name has
	weightSpeaker       = 0.3  // of what the symbol that speaks best for a file or folder has by itself
	weightSize          = 0.05 // of each doubling of a file's lines: options, errors and constants have few
	weightLength        = 0.2  // of each doubling of the lines of a symbol that may do what is asked for
	weightKind          = 1.3  // factor of the kind that the query speaks of
	weightThing         = 1.3  // factor of what is not called, where the query says what something is
	weightDone          = 0.8  // factor of what is not called, where the query says how something is done
	weightWithin        = 0.8  // of an identifier in a longer name that says nothing else
	weightFile          = 1.0  // of how like the words a symbol's file is
	weightStanding      = 2.0  // of the rank of a symbol's file among files; of a description's not

	// Of the share of the query that the path has. Who asks where something is done
	// means a file, which tells by its path, too; what describes a symbol says less of it.
	weightLocation    = 1.5
	weightDescribedAt = 0.6 // where the query describes a symbol
	weightEntry       = 2.0 // of how likely something begins in a file, where a query asks for that
	weightSubject     = 0.6 // once more of a file named after a part of what a query asks the structure of

	penaltyTest     = 0.5
	penaltyBulk     = 0.7  // generated or vendored, or types of what other files do
	penaltyExample  = 0.7  // or a benchmark, or code in documentation
	penaltyText     = 0.6  // markup and data, and what builds the code
	penaltyValue    = 0.85 // variables, constants, keys: they name things more often than they do them; and chunks
	penaltyProto    = 0.8  // C's prototypes, and headers: what they declare is defined elsewhere
	enoughLines     = 128  // of a file or symbol; longer ones say no more by that
	shortLines      = 4    // longer properties compute something, and longer functions have a body
	evidenceSymbols = 3    // how many symbols speak for a module or a repository
)

// A hit is a ranked document and the parts of its score.
type hit struct {
	*models.Header

	score    float64
	factor   float64 // of its kind, and of the kind of its file; 0 before it is known
	parts    parts
	declares bool // what another one defines

	// The best of its own and of the symbols that speak for it, as measured.
	cosine, bm25 float64

	speakers []Speaker // the symbols in it that are most like the query, best first
}

// A part is one of what a score is made of, or what was done to it.
type part uint8

const (
	partLexical part = iota // the sum of those up to partSpeaker is what the penalty is for
	partSemantic
	partSymbolLexical
	partSymbolSemantic
	partName
	partFile
	partLocation
	partSize
	partQuoted
	partSpeaker
	partIdentifier
	partPath
	partPenalty
	partRepeated
	partReranker
	partRanked // its place before a reranker, from 1
	numParts
)

var partNames = [numParts]string{
	"lexical", "semantic", "symbol_lexical", "symbol_semantic", "name", "file", "location", "size", "quoted", "speaker",
	"identifier", "path", "penalty", "repeated", "reranker", "ranked",
}

// parts are those of one score; 0 where there is none.
type parts [numParts]float64

func (p *parts) explained() map[string]float64 {
	all := map[string]float64{}
	for i, v := range p {
		if v != 0 {
			all[partNames[i]] = v
		}
	}
	return all
}

// measured takes over what a candidate was measured to be like the query.
func (h *hit) measured(c *candidate) {
	h.cosine, h.bm25 = max(h.cosine, c.cosine), max(h.bm25, c.bm25)
}

// A ranking is all candidates of a level in order.
type ranking struct {
	hits     []*hit
	examined int // hits before their texts were judged
	capped   bool
	cut      bool // the documents of the level itself are capped
	words    wording
	warnings []models.Warning
	asked    bool     // they are what a question about a project is for, whatever its words
	named    bool     // something has a name that was asked for
	nearly   []string // names almost like the one asked for, which nothing has
	order    []byte   // of a reranker: where its first hits were
}

// A goal is what a request asks for, and what it needs of names and paths.
type goal struct {
	intent.Intent

	cover  *cover // nil: it is not known how rare the words are
	joined bool   // cosines are those of a model on a server and of the table together
}

// rank fuses the legs and orders the candidates: score, then repository, path,
// line and id. Those behind the first so many are in no order.
func rank(level models.Level, q goal, f found, first int) ranking {
	f.own.define()
	f.symbols.define()
	shareOf := maximaFor(level, q, f.own.all)
	own := make([]hit, len(f.own.all))
	hits := make([]*hit, len(own))
	for i, c := range f.own.all {
		own[i] = c.judged(q, shareOf(c))
		hits[i] = &own[i]
	}
	if f.symbols.byID != nil {
		hits = addEvidence(level, q, f.symbols, hits)
	}
	if level == models.LevelFile {
		defineFiles(hits)
	}
	f.files.support(q, hits)
	for _, h := range hits {
		h.parts[partIdentifier] += weightIdentifier * identifierMatch(q, h.Header)
		h.parts[partPath] = weightPath * pathMatch(q, h.FilePath)
		if level == models.LevelFile {
			h.parts[partSize] = weightSize * math.Log2(float64(min(max(h.EndLine, 1), enoughLines)))
		}
		h.parts[partLocation] = q.pick(weightLocation, weightDescribedAt) * q.cover.location(h.FilePath, q.Framed)
		if q.Entry {
			h.parts[partLocation] += weightEntry * beginsAt(h.FilePath, intent.ProjectName(string(h.RepoID)))
		}
		h.finish(q)
	}
	at(q, hits)
	newest(q, hits)
	order(hits, first, q, level == models.LevelSymbol && !q.Lone)
	return ranking{
		hits: hits, capped: f.own.capped || f.symbols.capped, warnings: f.warnings,
		named: f.own.named || f.symbols.named, nearly: slices.Concat(f.own.nearly, f.symbols.nearly),
	}
}

// judged is a hit of the candidate with what it is like by itself.
func (c *candidate) judged(q goal, m maxima) hit {
	h := hit{Header: c.Header, declares: c.declares}
	h.parts[partLexical] = m.lexical(c)
	h.parts[partSemantic] = m.weight * m.semantic(c)
	h.parts[partName] = weightName * q.cover.name(c.Header)
	h.parts[partQuoted] = weightQuoted * c.quoted
	if c.Type == models.TypeSymbol && q.WantsWork() {
		h.parts[partSize] = weightLength * math.Log2(float64(min(max(c.EndLine-c.StartLine+1, 1), enoughLines)))
	}
	h.measured(c)
	return h
}

// before orders by score, then repository, path, line and id.
func before(a, b *hit) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return cmp.Or(cmp.Compare(a.RepoID, b.RepoID), cmp.Compare(a.FilePath, b.FilePath),
		cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.ID, b.ID))
}

// finish sums the parts in a fixed order and applies the penalties.
func (h *hit) finish(q goal) {
	if h.factor == 0 {
		h.factor = q.factor(h)
	}
	sum := 0.0
	for _, v := range h.parts[:partSpeaker+1] {
		sum += v
	}
	if h.factor != 1 {
		h.parts[partPenalty] = h.factor
	}
	// Who names a thing wants it, in whatever file it stands.
	sum *= h.factor
	if q.Lone {
		sum *= restOfNamed
	}
	sum += h.parts[partIdentifier] + h.parts[partPath]
	if q.OnlyTests && !h.Test && (h.Type == models.TypeSymbol || h.Type == models.TypeFile) {
		sum *= penaltyTest // what they are of has its name
	}
	h.score = rounded(sum)
}

// factor is what the parts count for the kind of a hit and of its file, unless the
// query asks for that kind of code.
func (q goal) factor(h *hit) float64 {
	factor := 1.0
	if h.Test && !q.WantsTests {
		factor *= penaltyTest
	}
	if (h.Generated || h.Vendored) && !q.WantsGenerated || onlyDeclares(h.FilePath) {
		factor *= penaltyBulk
	}
	asked := asksFormat(q, h.Header)
	if asked {
		factor *= weightKind
	}
	if !q.WantsTests && !asked && isExample(h.FilePath) {
		factor *= penaltyExample
	}
	if !asked && (h.Type == models.TypeSymbol || h.Type == models.TypeFile) &&
		(!q.WantsTexts && texts[h.Language] || !q.WantsBuilds && builds[h.Language]) {
		factor *= penaltyText
	}
	if h.Type == models.TypeFile && (isHeader(h.FilePath) || h.declares) && !q.Described { // else it is documented there
		factor *= penaltyProto
	}
	factor *= ofModule(q, h.Header) * worth(h.Header, h.declares)
	if slices.Contains(q.Kinds, h.Kind) {
		factor *= weightKind
	}
	if h.Type == models.TypeSymbol && !slices.Contains(calledKinds, h.Kind) {
		factor *= q.uncalled(h.Kind)
	}
	return factor
}

// uncalled is the factor of a kind of symbols that are not called: a query says what a
// thing is, or how something is done.
func (q goal) uncalled(kind string) float64 {
	switch {
	case q.Thing:
		return weightThing
	case q.Done && kind != models.KindChunk:
		return weightDone
	}
	return 1
}

func rounded(score float64) float64 { return math.Round(score*1e6) / 1e6 }

var lesserKinds = []string{models.KindChunk, "var", "const", "key", "macro", "element"}

// worth is how much the words of a symbol count for its kind, and for being a
// declaration only.
func worth(h *models.Header, declares bool) float64 {
	switch {
	case h.Type != models.TypeSymbol:
		return 1
	case slices.Contains(lesserKinds, h.Kind), isConstructor(h):
		return penaltyValue
	case declares, isPrototype(h):
		return penaltyProto
	case (h.Kind == "property" || h.Kind == "field") && h.EndLine-h.StartLine+1 < shortLines:
		return penaltyValue
	}
	return 1
}

// isConstructor reports whether a symbol has the name of the type that it is in, which
// says more.
func isConstructor(h *models.Header) bool {
	of, ok := strings.CutSuffix(h.QualifiedName, "."+h.SymbolName)
	return ok && strings.HasSuffix(of, h.SymbolName) && (len(of) == len(h.SymbolName) ||
		of[len(of)-len(h.SymbolName)-1] == '.')
}

// isPrototype reports whether a function in a header of C or C++ is too short for
// more than its declaration.
func isPrototype(h *models.Header) bool {
	return isHeader(h.FilePath) && slices.Contains(calledKinds, h.Kind) && h.EndLine-h.StartLine+1 < shortLines
}

// maxima are the largest scores of a pool's legs, and from where on cosines count:
// those of one query are close together, so that most of each tells nothing. Those of
// questions count whole: their words are seldom those of the code.
type maxima struct {
	bm25, cosine, base float64
	weight             float64 // of cosines
}

// The base of cosines is a share of that of the document which so many are nearer than.
// Those of models on servers begin anywhere: of some, two texts that have nothing to do
// with each other have .7. So they count from that document on, and whatever is asked.
const (
	baseOf    = 100
	baseShare = 0.4
)

func maximaOf(q goal, all []*candidate) maxima {
	m := maxima{weight: weightSemantic}
	if q.joined {
		m.weight = weightJoined
	}
	var cosines []float64
	for _, c := range all {
		m.bm25, m.cosine = max(m.bm25, c.bm25), max(m.cosine, c.cosine)
		if c.known {
			cosines = append(cosines, c.cosine)
		}
	}
	if n := min(baseOf+1, len(cosines)); n > 0 && !q.Lone && (!q.Asks || q.joined) {
		topk.Select(cosines, n, func(a, b *float64) int { return cmp.Compare(*b, *a) })
		share := baseShare
		if q.joined && len(cosines) > baseOf {
			share = 1
		}
		m.base = share * max(0, slices.Min(cosines[:n]))
	}
	return m
}

// maximaFor are those that the legs' scores of a candidate are shares of. What has
// the one name that a query is stands before all others, and is compared with its
// like: the others need not be known.
func maximaFor(level models.Level, q goal, all []*candidate) func(*candidate) maxima {
	of := maximaOf(q, all)
	if level != models.LevelSymbol || !q.Lone {
		return func(*candidate) maxima { return of }
	}
	bears := func(c *candidate) bool { return nameMatch(q.Identifiers[0], c.Header) > 0 }
	bearers := maximaOf(q, slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return !bears(c) }))
	bearers.bm25 = math.Inf(1) // words are of no account
	return func(c *candidate) maxima {
		if bears(c) {
			return bearers
		}
		return of
	}
}

func (m maxima) lexical(c *candidate) float64 { return ratio(c.bm25, m.bm25) }

func (m maxima) semantic(c *candidate) float64 {
	if !c.known {
		return 0
	}
	return ratio(c.cosine-m.base, m.cosine-m.base)
}

// ratio is v as a share of limit; where nothing is above 0 it is v itself.
func ratio(v, limit float64) float64 {
	if limit <= 0 {
		return v
	}
	return v / limit
}

// identifierMatch is the certainty of the surest identifier of the query that
// names the document's symbol: whole qualified name and exact case count most.
func identifierMatch(q goal, h *models.Header) float64 {
	if q.Lone {
		return weightNamed / weightIdentifier * namedBy(q, h)
	}
	best := 0.0
	for _, id := range q.Identifiers {
		match := nameMatch(id, h)
		if match == 0 && within(q, id, h) {
			match = weightWithin
		}
		best = max(best, id.Weight*match)
	}
	return best
}

// within reports whether an identifier is a part of a symbol's name whose other
// words are of the query, too: "the default BodyLimit config" is
// DefaultBodyLimitConfig.
func within(q goal, id intent.Identifier, h *models.Header) bool {
	return q.cover != nil && id.Last == id.Name && len(id.Last) >= minWithin && len(h.SymbolName) > len(id.Last) &&
		hasFolded(h.SymbolName, id.Last) && q.cover.of(h.SymbolName).fit == 1
}

const minWithin = 3 // bytes of an identifier

// How much names count that are the wanted one: at least, case and all; and as another
// language joins its words: get_user for getUser.
const (
	asWritten = 0.9
	respelt   = 0.6
)

func nameMatch(id intent.Identifier, h *models.Header) float64 {
	switch {
	case h.Type == models.TypeModule && strings.EqualFold(path.Base(h.FilePath), id.Name):
		return 1
	case h.SymbolName == "":
		return 0
	}
	qualified := id.Last != id.Name
	if id.Sign != "" && h.SymbolName == id.Last+id.Sign {
		return 1
	}
	switch {
	case qualified && (h.QualifiedName == id.Name || strings.HasSuffix(id.Name, "."+h.QualifiedName) &&
		strings.Contains(h.QualifiedName, ".")):
		return 1.2
	case qualified && strings.EqualFold(h.QualifiedName, id.Name):
		return 1.1
	case qualified && h.SymbolName == id.Last && inPackage(h.FilePath, id.Name):
		return 1.1
	case qualified && h.SymbolName == id.Last:
		return 0.5
	case h.SymbolName == id.Last && h.QualifiedName == h.SymbolName:
		return 1
	case h.SymbolName == id.Last:
		return asWritten
	case strings.EqualFold(h.SymbolName, id.Last), !qualified && isModule(h, id.Last):
		return 0.8
	case id.SameWords(h.SymbolName):
		return respelt
	}
	return 0
}

// isModule reports whether a symbol is what a module of JavaScript exports, which has
// no name but that of its file, or of its folder: who imports it calls it so.
func isModule(h *models.Header, name string) bool {
	if h.SymbolName != "exports" && h.SymbolName != "default" {
		return false
	}
	file := h.FilePath
	if strings.HasPrefix(path.Base(file), "index.") {
		file = path.Dir(file)
	}
	return plainName(path.Base(file)) == plainName(name)
}

// inPackage reports whether a file lies in the folder or file that the first
// part of a qualified name says: "http.Client" in net/http/client.go.
func inPackage(file, name string) bool {
	pkg, _, _ := strings.Cut(name, ".")
	base := path.Base(file)
	return path.Base(path.Dir(file)) == pkg || strings.TrimSuffix(base, path.Ext(base)) == pkg
}

// pathMatch is 1 for a document whose path ends with a path of the query, and more where
// the query has all of it, as stack traces have.
func pathMatch(q goal, file string) float64 {
	for _, p := range q.Paths {
		if strings.HasSuffix(p, "/"+file) && strings.Contains(file, "/") {
			return weightTraced
		}
		if file == p || strings.HasSuffix(file, "/"+p) || strings.HasPrefix(file, p+"/") ||
			strings.Contains(file, "/"+p+"/") {
			return 1
		}
	}
	return 0
}
