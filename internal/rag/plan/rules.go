package plan

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/query"
)

// Rules makes a plan without a model. Only the operators of the text can be wrong.
func Rules(text string, today time.Time) (Plan, error) {
	if err := unfit(text); err != nil {
		return Plan{}, err
	}
	p := Plan{Filters: []filter.Condition{}, ResponseFormat: format(text)}
	rest := strings.NewReplacer(veil, " ", marked, " ").Replace(text)
	rest = without(p.names(rest))
	rest, quotes := hide(rest)
	rest, dated := dates(plainer(rest), today)
	rest = p.tags(p.links(p.either(p.exceptions(rest))))
	rest = strings.ReplaceAll(p.places(rest), marked, "#")
	p.Filters = append(p.Filters, dated...)
	asked, err := query.Parse(show(quotes, rest))
	if err != nil {
		if _, mistake := query.Parse(text); mistake != nil {
			return Plan{}, mistake // whose place is in what was given
		}
		return Plan{}, err
	}
	p.SemanticQuery = p.fields(asked)
	if _, err := query.Parse(p.SemanticQuery); err != nil { // odd characters have become operators
		p.SemanticQuery = strings.Join(plainWord().FindAllString(p.SemanticQuery, -1), " ")
	}
	return p, nil
}

// unfit is the first mistake in the value of a field, told with its place in the
// text: a language that is not known, a path that leaves the repository.
func unfit(text string) (err error) {
	asked, broken := query.Parse(pathField().ReplaceAllString(text, "${1}file:$2"))
	if broken != nil {
		return nil // told when what is left of the text is parsed
	}
	query.Has(asked.Root, func(n query.Node) bool {
		switch f, _ := n.(query.Field); f.Name {
		case query.FieldLang:
			_, problem := filter.ParseLanguage(f.Value)
			err = f.Within(problem)
		case query.FieldFile:
			_, problem := filter.ParsePath(f.Value)
			err = f.Within(problem)
		}
		return err != nil
	})
	return err
}

// What stands in place of quoted texts, and of "#" that begins no tag.
const (
	veil   = "\u0001"
	marked = "\u0002"
)

var plainWord = pattern.NewLazy(`[\p{L}\p{N}_.]+`)

var literal = pattern.NewLazy(`(^|[\s(:-])("(?:[^"\\]|\\.)+"|/(?:[^/\\\s]|\\.)+/)($|[\s)])`)

// hide puts a mark in place of what is quoted and of expressions, which rules for
// words leave alone.
func hide(text string) (string, []string) {
	var all []string
	for {
		m := literal().FindStringSubmatchIndex(text)
		if m == nil {
			return text, all
		}
		all = append(all, text[m[4]:m[5]])
		text = text[:m[4]] + veil + text[m[5]:]
	}
}

// show puts back what was hidden.
func show(quotes []string, text string) string {
	for _, q := range quotes {
		text = strings.Replace(text, veil, q, 1)
	}
	return text
}

// add adds a condition.
func (p *Plan) add(f filter.Field, o filter.Operator, v any) {
	p.Filters = append(p.Filters, filter.Condition{Field: f, Operator: o, Value: v})
}

// tagWord is a tag as it is written in words.
const tagWord = `#?[\p{L}\p{N}_][\p{L}\p{N}_/-]*`

const (
	notWords = `(?:(?:and|but) )?(?:(?:is|are|was|were|that|which|those) ` +
		`)*(?:not|isn't|aren't|without|excluding|except|minus|never)(?: (?:is|are|those|ones|the|being|any))*`
	tagList = `(` + tagWord + `(?:(?:, (?:and |or )?|,| and | or )(?:(?:the )?tag(?:ged)? )?` + tagWord + `)*)`
)

var (
	untagged = pattern.NewLazy(
		`(?i)(?:^|\s)(?:(?:without|with no|having no) (?:any )?tags?|untagged|not tagged)(?: (?:at ` +
			`all|yet))?($|[\s.,;?!)](?:about|on|from|in|since|before|created|modified)\b|[.,;?!)])`)
	notTagged = pattern.NewLazy(`(?i)(?:^|\s)` + notWords + ` (?:tagged|labell?ed|tags?)(?: (?:as|with|by))? ` + tagList)
	neither   = pattern.NewLazy(
		`(?i)(?:^|\s)(?:(?:that|which|are|is) )*(?:tagged )?neither (?:tagged |(?:with |by )?(?:the )?tag )?(` + tagWord +
			` nor (?:tagged |(?:with |by )?(?:the )?tag )?` + tagWord + `)`)
	notHash = pattern.NewLazy(`(?i)(?:^|\s)(?:` + notWords + ` |-)(#[\p{L}\p{N}_][\p{L}\p{N}_/-]*)`)
	butNot  = pattern.NewLazy(`(?i)(?:tagged|labell?ed|with (?:the )?tags?)(?: (?:as|with|by))? ` + tagWord +
		`(,? (?:but|and) not (?:tagged )?(` + tagWord + `))`)
	tagged = pattern.NewLazy(
		`(?i)(?:^|\s)(?:(?:that|which|is|are|i|have|has) )*(?:tagged|labell?ed|with (?:the )?tags?|having (?:the ` +
			`)?tags?)(?: (?:as|with|by))? ` + tagList)
	eitherHash = pattern.NewLazy(`(?i)(?:^|[\s(])(#[\p{L}\p{N}_][\p{L}\p{N}_/-]*(?: or #[\p{L}\p{N}_][\p{L}\p{N}_/-]*)+)`)
	hashTag    = pattern.NewLazy(`(?:^|[\s(])(#[\p{L}\p{N}_][\p{L}\p{N}_/-]*)`)
	listed     = pattern.NewLazy(tagWord)
	directive  = pattern.NewLazy(
		`^#(?:include|define|undef|ifdef|ifndef|if|elif|else|endif|pragma|error|line|region|endregion|\d+)$`)
	noTag = pattern.NewLazy(
		`(?i)^(?:and|or|about|with|without|from|in|on|that|which|not|but|for|of|to|the|is|are|i|as|since|before|after|` +
			`mentioning|containing|created|modified|linking|where|by)$`)
)

// tags takes what is said of tags out of a text.
func (p *Plan) tags(text string) string {
	text = p.take(text, untagged, func(string) string {
		p.Filters = append(p.Filters, negated(filter.Condition{Field: filter.Tags, Operator: filter.Like, Value: "%"}))
		return ""
	})
	text = p.take(text, neither, func(list string) string {
		tags, _ := splitTags(list)
		p.add(filter.Tags, filter.Nin, tags)
		return ""
	})
	text = p.take(text, notTagged, func(list string) string {
		tags, rest := splitTags(list)
		if len(tags) > 0 {
			p.add(filter.Tags, filter.Nin, tags)
		}
		return rest
	})
	text = p.take(text, notHash, func(tag string) string {
		p.add(filter.Tags, filter.Nin, []any{strings.TrimPrefix(tag, "#")})
		return ""
	})
	for m := butNot().FindStringSubmatchIndex(text); m != nil; m = butNot().FindStringSubmatchIndex(text) {
		p.add(filter.Tags, filter.Nin, []any{strings.TrimPrefix(text[m[4]:m[5]], "#")})
		text = text[:m[2]] + text[m[3]:]
	}
	text = p.take(text, tagged, func(list string) string {
		tags, rest := splitTags(list)
		switch {
		case len(tags) == 0:
		case strings.Contains(strings.ToLower(list), " or "):
			p.add(filter.Tags, filter.In, tags)
		default:
			for _, tag := range tags {
				p.add(filter.Tags, filter.In, []any{tag})
			}
		}
		return rest
	})
	text = p.take(text, eitherHash, func(list string) string {
		tags, _ := splitTags(list)
		p.add(filter.Tags, filter.In, tags)
		return ""
	})
	return p.take(text, hashTag, func(tag string) string {
		if directive().MatchString(tag) {
			return marked + tag[1:]
		}
		p.add(filter.Tags, filter.In, []any{tag[1:]})
		return ""
	})
}

// excepted is of a text that asks for everything, not of one in which the word occurs.
var excepted = pattern.NewLazy(
	`(?i)^((?:(?:please|show|give|get|find|list|search|read|me|us|i|want|need) )*` +
		`(?:everything|anything|all(?: (?:of )?(?:my|the))? (?:notes?|docs|documents|pages|files)))` +
		`(?:(\b.*?),? (?:except(?: for)?|excluding|apart from|aside from|other than)|,? but(?: not)?) ` +
		`(?:(?:for|the|my|any|all) )*([\p{L}\p{N}_-]+)[.?! ]*$`)

// noName is of words that stand for something else.
var noName = pattern.NewLazy(`(?i)^(?:this|that|these|those|it|them|one|ones|untagged)$`)

var everything = pattern.NewLazy(`(?i)\b(?:everything|anything)\b(?: (?:about|on|regarding|concerning)\b)?`)

// exceptions takes "everything … except drafts" out of a text: what is in a folder of
// that name, or has it for a tag, in the singular or the plural.
func (p *Plan) exceptions(text string) string {
	m := excepted().FindStringSubmatch(text)
	if m == nil || noTag().MatchString(m[3]) || noName().MatchString(m[3]) {
		return text
	}
	one := strings.ToLower(m[3])
	if len(one) > 3 {
		one = strings.TrimSuffix(one, "s")
	}
	names := []any{one, one + "s"}
	left := filter.Condition{Operator: filter.Or, Parts: []filter.Condition{{
		Field: filter.Tags, Operator: filter.In, Value: names,
	}}}
	first, size := utf8.DecodeRuneInString(one)
	capital := string(unicode.ToTitle(first)) + one[size:] // names of folders are compared with their case
	for _, name := range []string{one, one + "s", capital, capital + "s"} {
		left.Parts = append(left.Parts, filter.Condition{Field: filter.FilePath, Operator: filter.Like, Value: name})
	}
	p.Filters = append(p.Filters, negated(left))
	return everything().ReplaceAllString(m[1]+m[2], "")
}

// splitTags are the tags of a list up to a word that is none, and what follows.
func splitTags(list string) (tags []any, rest string) {
	for _, m := range listed().FindAllStringIndex(list, -1) {
		word := list[m[0]:m[1]]
		switch strings.ToLower(word) {
		case "and", "or", "nor", "tag", "tagged", "either", "both":
			continue
		}
		if noTag().MatchString(word) {
			return tags, list[m[0]:]
		}
		tags = append(tags, strings.TrimPrefix(word, "#"))
	}
	return tags, ""
}

// take replaces each match of a pattern by what use makes of its last group.
func (p *Plan) take(text string, expression pattern.Lazy, use func(group string) string) string {
	for {
		m := expression().FindStringSubmatchIndex(text)
		if m == nil {
			return text
		}
		group := ""
		for i := len(m) - 2; i >= 2 && group == ""; i -= 2 {
			if m[i] >= 0 {
				group = text[m[i]:m[i+1]]
			}
		}
		text = text[:m[0]] + " " + use(group) + text[m[1]:]
	}
}

const (
	choiceTag = `[\p{L}\p{N}_][\p{L}\p{N}_/-]*`
	aPair     = `(\[\[[^\[\]]+\]\] or #` + choiceTag + `|#` + choiceTag + ` or (?:` + linkVerb + `)?\[\[[^\[\]]+\]\])`
)

// mixed is a choice between a link and a tag, notMixed is neither of both.
var (
	mixed    = pattern.NewLazy(`(?i)(?:^|\s)(?:` + linkVerb + `|(?:that |which )?(?:are )?tagged )?` + aPair)
	notMixed = pattern.NewLazy(`(?i)(?:^|\s)(?:` + notWords + `|(?:that |which )?(?:do|does|did)(?: not|n't)) (?:` +
		linkVerb + `|to |of |tagged )?` + aPair)
	choice = pattern.NewLazy(`\[\[([^\[\]]+)\]\]|#(` + choiceTag + `)`)
)

// either takes "[[A]] or #b" out of a text, of which one is enough.
func (p *Plan) either(text string) string {
	conditions := func(pair string, o filter.Operator) (all []filter.Condition) {
		for _, m := range choice().FindAllStringSubmatch(pair, -1) {
			if m[1] != "" {
				all = append(all, filter.Condition{Field: filter.Wikilinks, Operator: o, Value: []any{linkTarget(m[1])}})
			} else {
				all = append(all, filter.Condition{Field: filter.Tags, Operator: o, Value: []any{m[2]}})
			}
		}
		return all
	}
	text = p.take(text, notMixed, func(pair string) string {
		p.Filters = append(p.Filters, conditions(pair, filter.Nin)...)
		return ""
	})
	return p.take(text, mixed, func(pair string) string {
		p.Filters = append(p.Filters, filter.Condition{Operator: filter.Or, Parts: conditions(pair, filter.In)})
		return ""
	})
}

const linkVerb = `(?:(?:that|which|have|having|with) ` +
	`)*(?:links?|linking|linked|backlinks?|points?|pointing|refers?|referring|references?|mentions?|mentioning)(?: ` +
	`(?:back|to|of|for|from))* `

var (
	notLinked = pattern.NewLazy(`(?i)(?:^|\s)(?:` + notWords + `|(?:that |which )?(?:do|does|did)(?: not|n't)) (?:` +
		linkVerb + `|to |of )?\[\[([^\[\]]+)\]\]`)
	dashLink = pattern.NewLazy(`(?:^|\s)-\[\[([^\[\]]+)\]\]`)
	linked   = pattern.NewLazy(`(?i)(?:^|\s)(?:` + linkVerb + `)?!?\[\[([^\[\]]+)\]\]`)
	linkedTo = pattern.NewLazy(
		`(?:^|\s)(?:(?:that|which) )?(?i:links? (?:back )?to|linking (?:back )?to|backlinks? (?:to|of|for)) (?:the note ` +
			`)?(\p{Lu}[\p{L}\p{N}_'/-]*(?: \p{Lu}[\p{L}\p{N}_'/-]*)*)`)
)

// links takes what is said of links to notes out of a text.
func (p *Plan) links(text string) string {
	for _, negated := range []pattern.Lazy{notLinked, dashLink} {
		text = p.take(text, negated, func(target string) string {
			p.add(filter.Wikilinks, filter.Nin, []any{linkTarget(target)})
			return ""
		})
	}
	for _, positive := range []pattern.Lazy{linked, linkedTo} {
		text = p.take(text, positive, func(target string) string {
			p.add(filter.Wikilinks, filter.In, []any{linkTarget(target)})
			return ""
		})
	}
	return text
}

// linkTarget is the note of a link, without heading and label.
func linkTarget(link string) string {
	if i := strings.IndexAny(link, "|#"); i > 0 {
		link = link[:i]
	}
	return strings.TrimSpace(link)
}

var (
	notFolder = pattern.NewLazy(`(?i)(?:^|\s)(?:` + notWords +
		` (?:in|under|below|inside|within)|outside(?: of)?|excluding|except(?: for| in)?|without)(?: (?:the|my))? ` +
		`(?:(?:folder|directory) ([\w./-]+)|([\w./-]+) (?:folder|directory)|([\w.-]+/[\w./-]*))`)
	folder = pattern.NewLazy(
		`(?i)(?:^|\s)(?:in|under|below|inside|within)(?: (?:the|my))? (?:(?:folder|directory) ([\w./-]+)|([\w./-]+) ` +
			`(?:folder|directory)|([\w-][\w./-]*/)(?:$|[\s,;?!]))`)
	ofLevel = pattern.NewLazy(
		`(?i)(?:^|\s)(?:(?:in|at|of|on|with) )?(?:headings? (?:of|at|on) level|level) ([1-6])(?: headings?)?`)
	pathField = pattern.NewLazy(`(^|[\s(-])path:(\S)`)
	titled    = pattern.NewLazy(`(?i)(?:^|\s)(?:titled|called|named|with (?:the )?title) "([^"]+)"`)
	writtenIn = pattern.NewLazy(`(?i)(?:^|\s)(?:(?:that|which|is|are) )*(not )?(?:written|implemented) in ([\w+#]+)`)
	// filesOf is of code: a language is what notes may be about.
	filesOf  = pattern.NewLazy(`(?i)(?:^|\s)` + codeName + ` (?:files|code|sources?|scripts?|modules|classes|functions)($|\s)`)
	inCode   = pattern.NewLazy(`(?i)\sin ` + codeName + `[.?! ]*$`)
	ofNotes  = pattern.NewLazy(`(?i)\b(?:notes?|wr[io]te|written|journal|diary|pages?|docs?|documents?|sections?|entries)\b`)
	compared = pattern.NewLazy(
		`(?i)(?:^|\s)(?:(?:where|with|of|whose) )?(?:the )?(?:heading )?level (?:is )?((?:>=|<=|>|<|=) ?[1-6])`)
	headedBy = pattern.NewLazy(
		`(?:^|\s)(?i:under|with|in|below)(?i: the)? (?i:heading) (\p{Lu}[\p{L}\p{N}_'-]*(?: \p{Lu}[\p{L}\p{N}_'-]*)*)`)
	headed = pattern.NewLazy(`(?i)(?:^|\s)(?:under|with|in|below)(?: the)? (?:heading|section|header) "([^"]+)"`)
)

var (
	notTaggedText = pattern.NewLazy(`(?i)(?:^|\s)` + notWords + ` (?:tagged|labell?ed|tags?)(?: (?:as|with))? "([^"]+)"`)
	taggedText    = pattern.NewLazy(`(?i)(?:^|\s)(?:tagged|labell?ed|with (?:the )?tag)(?: (?:as|with))? "([^"]+)"`)
	notField      = pattern.NewLazy(`(?i)(^|\s)not ((?:repo|file|path|lang|sym|kind|tag):\S)`)
)

// names takes quoted titles, headings and tags out of a text.
func (p *Plan) names(text string) string {
	for _, quoted := range []struct {
		pattern pattern.Lazy
		field   filter.Field
		by      filter.Operator
	}{
		{titled, filter.Title, filter.Contains},
		{headed, filter.Heading, filter.Contains},
		{headedBy, filter.Heading, filter.Contains},
		{notTaggedText, filter.Tags, filter.Ne},
		{taggedText, filter.Tags, filter.Eq},
	} {
		text = p.take(text, quoted.pattern, func(name string) string {
			p.add(quoted.field, quoted.by, name)
			return ""
		})
	}
	return notField().ReplaceAllString(text, "${1}-$2")
}

var (
	omitted = pattern.NewLazy(
		`(?i)(^|\s)(?:(?:that|which) )?(?:(?:do|does|did)(?: not|n't) (?:mention|contain)|(?:not|without) ` +
			`(?:mentioning|containing)|without the word|` +
			`(?:excluding|except(?: for)?) (?:those|ones|anything|everything) (?:about|on|mentioning)) (?:the )?(?:word ` +
			`)?(\pL[\pL\pN_]*)`)
	butWithout = pattern.NewLazy(`(?i)(\s)but not (?:(?:those|ones) )?(?:about |on )?(\pL[\pL\pN_]*)[.?!]?$`)
)

// without says in the query language which words must not be there.
func without(text string) string {
	text = omitted().ReplaceAllString(text, "${1}-$2")
	if asks().MatchString(strings.TrimSpace(text)) { // "called but not exported" is said of code
		text = butWithout().ReplaceAllString(text, "${1}-$2")
	}
	return text
}

// codeName is a language that little else is called by.
const codeName = `(python|rust|go|golang|java|javascript|typescript|ruby|php|c\+\+|c#|kotlin|swift|scala|haskell|perl|` +
	`lua|elixir|erlang|clojure|bash|shell|sql)`

// languages takes "python files" and "in rust" out of a text that asks for code.
func (p *Plan) languages(text string) string {
	if ofNotes().MatchString(text) {
		return text
	}
	text = p.take(text, inCode, func(name string) string {
		p.add(filter.Language, filter.Eq, name)
		return ""
	})
	return filesOf().ReplaceAllStringFunc(text, func(said string) string {
		m := filesOf().FindStringSubmatch(said)
		p.add(filter.Language, filter.Eq, m[1])
		return " files" + m[2]
	})
}

// places takes what is said of folders and levels out of a text.
func (p *Plan) places(text string) string {
	text = pathField().ReplaceAllString(text, "${1}file:$2")
	text = p.take(text, notFolder, func(dir string) string {
		p.Filters = append(p.Filters, negated(filter.Condition{Field: filter.FilePath, Operator: filter.Like, Value: dir}))
		return ""
	})
	text = writtenIn().ReplaceAllStringFunc(text, func(said string) string {
		m := writtenIn().FindStringSubmatch(said)
		if _, err := filter.ParseLanguage(m[2]); err != nil {
			return said
		}
		by := filter.Eq
		if m[1] != "" {
			by = filter.Ne
		}
		p.add(filter.Language, by, m[2])
		return " "
	})
	text = p.languages(text)
	text = p.take(text, folder, func(dir string) string {
		p.add(filter.FilePath, filter.Like, dir)
		return ""
	})
	text = p.take(text, compared, func(is string) string {
		operator := strings.TrimRight(is, " 123456")
		by := map[string]filter.Operator{
			">": filter.Gt, ">=": filter.Gte, "<": filter.Lt, "<=": filter.Lte,
			"=": filter.Eq,
		}[operator]
		p.add(filter.HeadingLevel, by, float64(is[len(is)-1]-'0'))
		return ""
	})
	return p.take(text, ofLevel, func(level string) string {
		p.add(filter.HeadingLevel, filter.Eq, float64(level[0]-'0'))
		return ""
	})
}
