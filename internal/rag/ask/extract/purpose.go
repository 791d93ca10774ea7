package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/pattern"
)

// HeadLines are those of a README in which it says what the project is.
const HeadLines = 150

const (
	mostRead   = 10 // paragraphs of prose that are looked at
	leastWords = 5  // of a sentence, links aside half of them
)

// Introduce has the answer about a project as a whole begin with the sentence in which a README
// that is quoted says what the project is, if the first lines of the file have one: what was
// found of it may have only badges, a picture, or what sponsors get.
func (a *Answer) Introduce(at int, lines []string, project string) {
	p, ok := purposeOf(lines, project)
	if !ok || p.vague && described(a.Summaries[0].Content) {
		return
	}
	q := a.Quotes[at]
	if p.start < q.Start || p.start > q.End {
		q.Doc.Heading, q.End = p.heading, p.end
	}
	q.Start, q.End = p.start, min(q.End, p.start+partial-1, len(lines))
	q.Text = strings.Join(lines[q.Start-1:q.End], "\n")
	a.says = p.text
	a.Quotes = slices.Insert(slices.Delete(slices.Clone(a.Quotes), at, at+1), 0, q)
}

// A paragraph is prose of a README.
type paragraph struct {
	text       string // its first sentence, plain
	heading    string // it stands under
	under      int    // how many headings stand above it
	start, end int    // its lines, from 1
	vague      bool   // it says something, but not what the project is or does
}

// described reports whether a summary has the description of a manifest, which tells more than
// what is vague.
func described(summary string) bool { return ofManifest().MatchString(gist(summary)) }

var ofManifest = pattern.NewLazy(`\([\w-]+\.\w+\)\.?$`)

// purposeOf is the first paragraph that says what a project is or does, or else that
// says something.
func purposeOf(lines []string, name string) (p paragraph, ok bool) {
	all := prose(lines)
	if len(all) == 0 {
		return p, false
	}
	at := slices.IndexFunc(all, func(p paragraph) bool {
		m := says().FindStringSubmatch(p.text)
		return m != nil && !formal().MatchString(p.text) &&
			(calls(m[2], name) || p.under <= soon && p.start <= soonLines && (m[1] != "" || calls(m[2], p.heading)))
	})
	if at < 0 && all[0].under <= soon && all[0].start <= soonLines && !formal().MatchString(all[0].text) {
		at = 0
	}
	if at < 0 {
		return p, false
	}
	m := says().FindStringSubmatch(all[at].text)
	all[at].vague = m == nil || strings.HasPrefix(m[1], "A") // "An efficient server needs …"
	return all[at], true
}

// Where what does not name the project may say what it is.
const (
	soon      = 2 // headings above it
	soonLines = 60
)

// calls reports whether the subject of a sentence is a name, with little else.
func calls(subject, name string) bool {
	subject, name = bareWord(subject), bareWord(strings.TrimPrefix(name, "What is "))
	subject = strings.TrimPrefix(subject, "the")
	return name != "" && (strings.HasPrefix(subject, name) || strings.HasSuffix(subject, name) &&
		len(subject) <= len(name)+len("apache"))
}

func bareWord(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "")
}

var (
	says = pattern.NewLazy(`^(?:(An? |This (?:is an? |(?:project|library|package|repository|crate|gem|module)\b)|It )|` +
		`(.{1,60}?) (?:is (?:an?|the|built|designed|one)|are|provides?|lets|allows|implements|makes|offers|helps|aims|` +
		`contains|enables|gives)\b)`)
	// formal begins what is about the document or those who made it.
	formal = pattern.NewLazy(`(?i)^(?:note|warning|important|caution|news|deprecat|we\b|sponsor|support|looking for|join|` +
		`follow|star |thanks|thank you|click|see |for |read |check |visit|documentation|copyright|latest|you |if you|please|` +
		`install|download|run |use |by using|development of|to |an? (?:general|quick|short|brief)\b|full )|` +
		`\b(?:licen[cs]ed?|governed|contributors|no longer|examples? of|can be found|components:)`)
)

// prose are the paragraphs of text between headings, lists, tables, code and pictures.
func prose(lines []string) (all []paragraph) {
	var now paragraph
	var words []string
	fence := ""
	flush := func(end int) {
		text := plain(strings.Join(words, "\n"))
		if text != "" {
			all = append(all, paragraph{text: text, heading: now.heading, under: now.under, start: now.start, end: end})
		}
		words = nil
	}
	for i, line := range lines {
		trimmed := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), ">"))
		switch opens := fenceOn().FindString(trimmed); {
		case len(all) >= mostRead:
			return all
		case fence != "":
			if strings.HasPrefix(trimmed, fence) || strings.HasSuffix(trimmed, fence) {
				fence = ""
			}
		case opens != "":
			flush(i)
			if fence = opens; opens == "<!--" {
				fence = "-->"
			}
			if opens == "<!--" && strings.Contains(trimmed, "-->") {
				fence = ""
			}
		case heading().MatchString(trimmed):
			flush(i)
			now.under++
			now.heading = strings.Trim(tagOf().ReplaceAllString(trimmed, ""), "#= ")
		case underline().MatchString(trimmed):
			if len(words) == 1 {
				now.under++
				now.heading = strings.TrimSpace(words[0])
			}
			words = nil
		case trimmed == "", noProse().MatchString(trimmed), len(words) == 0 && indented().MatchString(line):
			flush(i)
		default:
			if len(words) == 0 {
				now.start = i + 1
			}
			words = append(words, trimmed)
		}
	}
	flush(len(lines))
	return all
}

var (
	fenceOn   = pattern.NewLazy("^(?:```|~~~|----$|<!--)")
	heading   = pattern.NewLazy(`(?i)^(?:(?:#{1,6}|=+)\s|<h[1-6]\b)`)
	underline = pattern.NewLazy(`^(?:=+|-+|~+|\*+)$`)
	indented  = pattern.NewLazy(`^(?: {4}|\t)\s*[^<\s]`)
	// noProse begins a line of a table, a list, a directive, an attribute, a link's target.
	noProse = pattern.NewLazy(`^(?:\||[-*+.] |\d+[.)] |\.\. |:[\w-]+:|\[[^\]]+\]:|\[!|image:|\+[-=]|\{|(?:<[^<>]*>\s*)+$)`)
)

// plain is the first sentence of a paragraph without pictures, marks and elements, or ""
// where it says nothing: all of it is links, or it is too short.
func plain(text string) string {
	text = tagOf().ReplaceAllString(pictureOf().ReplaceAllString(text, " "), " ")
	apart := strings.Fields(linkOf().ReplaceAllString(text, " "))
	text = linkOf().ReplaceAllString(text, "$1$2$3")
	text = strings.Join(strings.Fields(marks.Replace(text)), " ")
	apart = slices.DeleteFunc(apart, func(w string) bool { return !wordOf().MatchString(w) })
	if len(strings.Fields(text)) < leastWords || len(apart) < leastWords/2+1 {
		return ""
	}
	text = sentence(text)
	if strings.Contains(text, "<") || len(strings.Fields(text)) <= leastWords/2 {
		return ""
	}
	return text
}

// marks are those of words that stand out.
var marks = strings.NewReplacer("**", "", "__", "", "``", "`", "&nbsp;", " ", "&bullet;", "")

var (
	pictureOf = pattern.NewLazy(`\[!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\](?:\([^)]*\)|\[[^\]]*\])|` +
		`!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|image::?\S*\[[^\]]*\]|\|[\w -]+\|`)
	tagOf  = pattern.NewLazy(`(?s)<a\b[^>]*>[^<]*</a>|</?[a-zA-Z][^<>]*>|<!--.*?-->`)
	linkOf = pattern.NewLazy("\\[([^\\]]+)\\](?:\\([^)]*\\)|\\[[^\\]]*\\])?|`([^`<]+) <[^>]+>`_+|" +
		"(?:link:|https?:)\\S+\\[([^\\]]*)\\]|https?://\\S+")
	wordOf = pattern.NewLazy(`\pL{2}`)
)
