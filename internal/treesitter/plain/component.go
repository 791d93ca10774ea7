package plain

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Components hold scripts within markup. As TypeScript, each keeps its scripts
// where they stand; what its markup says in expressions becomes statements, so
// that names in them are uses; all else becomes spaces. Names that the markup
// binds itself (v-for, #each) are hidden, since no scope says where they end.

// Vue is a component of Vue as TypeScript.
func Vue(text string) string { return newComponent(text).vue() }

// VueScript is its scripts alone.
func VueScript(text string) string { return newComponent(text).written() }

// Svelte is a component of Svelte as TypeScript. Stores ("$count") have the names
// there that they have in the script.
func Svelte(text string) string { return newComponent(text).svelte() }

// SvelteScript is its scripts alone.
func SvelteScript(text string) string { return hideStores(newComponent(text).written()) }

// Astro is a page of Astro as TypeScript.
func Astro(text string) string { return newAstro(text).svelte() }

// AstroScript is what stands before its markup.
func AstroScript(text string) string { return newAstro(text).written() }

var (
	// apart matches what is no markup of a component: scripts, styles, comments.
	apart = pattern.NewLazy(`(?is)<!--.*?-->|<(script|style)\b(?:[^>"']|"[^"]*"|'[^']*')*>(.*?)</(?:script|style)\s*>`)
	// foreign matches a tag whose content is in a language of its own.
	foreign     = pattern.NewLazy(`(?i)^<\w+[^>]*\blang\s*=\s*["']?(?:coffee|livescript|pug|jade)\b`)
	frontmatter = pattern.NewLazy(`(?ms)\A\s*---[ \t]*\r?\n(.*?)^---`)
	identifier  = pattern.NewLazy(`[\pL_$][\pL\pN_$]*`)
	tagName     = pattern.NewLazy(`^<[\pL][\pL\pN_.$:-]*`)
	attrName    = pattern.NewLazy(`^[^\s"'<>/=]+`)
	vueFor      = pattern.NewLazy(`(?s)^(.*?)\s(?:in|of)\s(.*)$`)
	// svelteHead matches what begins an expression that says how it is meant.
	svelteHead = pattern.NewLazy(`^\s*(?:[#:@][a-z]+(?:[ \t]+if\b)?|/[a-z]+\s*$|\.\.\.)`)
	svelteBind = pattern.NewLazy(`\s(?:as|then|catch)\s`)
	letName    = pattern.NewLazy(`\slet:([\pL_$][\pL\pN_$]*)`)
	arrow      = pattern.NewLazy(`(?:\(([^()]*)\)|([\pL_$][\pL\pN_$]*))\s*=>`)
	element    = pattern.NewLazy(`<[\pL>]`)
	store      = pattern.NewLazy(`(?:^|[^\pL\pN_$.])(\$)([\pL_][\pL\pN_]*)`)
)

// maxOpen bounds the braces that nobody closed, before no more are looked for.
const maxOpen = 100

// A component is one as it is written anew, every byte in its place.
type component struct {
	text  string
	out   []byte
	other [][]int         // the parts that are no markup, in order
	bound map[string]bool // by the markup
	said  [][2]int        // where expressions of the markup stand
	open  int             // braces that nobody closed
}

func newComponent(text string) *component {
	c := blankComponent(text)
	for _, m := range apart().FindAllStringSubmatchIndex(text, -1) {
		c.other = append(c.other, m[:2])
		if m[2] >= 0 && strings.EqualFold(text[m[2]:m[3]], "script") && !foreign().MatchString(text[m[0]:m[4]]) {
			copy(c.out[m[4]:], text[m[4]:m[5]])
		}
	}
	return c
}

func newAstro(text string) *component {
	m := frontmatter().FindStringSubmatchIndex(text)
	if m == nil {
		return newComponent(text)
	}
	before := []byte(text[:m[1]])
	blank(before)
	c := newComponent(string(before) + text[m[1]:])
	blank(c.out) // what a script there says is of the browser
	copy(c.out[m[2]:], text[m[2]:m[3]])
	return c
}

func blankComponent(text string) *component {
	c := &component{text: text, out: []byte(text), bound: map[string]bool{}}
	blank(c.out)
	return c
}

// written is the component, with the names hidden that its markup binds.
func (c *component) written() string {
	for _, s := range c.said {
		for _, m := range identifier().FindAllIndex(c.out[s[0]:s[1]], -1) {
			from, to := s[0]+m[0], s[0]+m[1]
			if c.bound[string(c.out[from:to])] && (from == 0 || c.out[from-1] != '.') {
				copy(c.out[from:to], strings.Repeat("_", to-from))
			}
		}
	}
	return string(c.out)
}

// say writes an expression between two bytes that part it from others.
func (c *component) say(from, to int, before, after string) {
	if strings.TrimSpace(c.text[from:to]) == "" {
		return
	}
	copy(c.out[from-len(before):], before)
	copy(c.out[from:to], c.text[from:to])
	copy(c.out[to:], after)
	c.said = append(c.said, [2]int{from, to})
}

// bind notes all names of a pattern.
func (c *component) bind(pattern string) {
	for _, m := range identifier().FindAllStringIndex(pattern, -1) {
		if m[0] == 0 || pattern[m[0]-1] != '.' {
			c.bound[pattern[m[0]:m[1]]] = true
		}
	}
}

// markup calls visit at each byte of the markup; visit returns where to go on.
func (c *component) markup(visit func(at int) int) {
	for at := 0; at < len(c.text); {
		if len(c.other) > 0 && at >= c.other[0][0] {
			at = max(at, c.other[0][1])
			c.other = c.other[1:]
			continue
		}
		at = max(visit(at), at+1)
	}
}

// named makes a statement of a tag that is named as what a script imports, and
// returns where the name ends, or -1 where no tag begins.
func (c *component) named(at int) int {
	name := tagName().FindString(c.text[at:])
	if name == "" {
		return -1
	}
	switch {
	case strings.Contains(name, ":"):
	case 'A' <= name[1] && name[1] <= 'Z' && !strings.Contains(name, "-"):
		c.say(at+1, at+len(name), ";", "")
	case strings.Contains(name, "-"):
		if imported := pascal(name[1:]); strings.Contains(c.text, imported) {
			c.say(at+1, at+len(name), ";", "")
			blank(c.out[at+1 : at+len(name)])
			copy(c.out[at+1:], imported)
		}
	}
	return at + len(name)
}

// pascal is the name by which a script knows the element "price-tag": PriceTag.
func pascal(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

func (c *component) vue() string {
	c.markup(func(at int) int {
		switch {
		case strings.HasPrefix(c.text[at:], "{{"):
			if n := strings.Index(c.text[at:min(len(c.text), at+longestPart)], "}}"); n > 0 {
				c.say(at+2, at+n, ";(", ");")
				return at + n + 2
			}
		case c.text[at] == '<':
			if end := c.named(at); end > 0 && !foreign().MatchString(c.text[at:min(len(c.text), end+100)]) {
				return c.attributes(end)
			} else if end > 0 {
				return len(c.text)
			}
		}
		return at + 1
	})
	return c.written()
}

// attributes reads those of a tag, and returns where it ends.
func (c *component) attributes(at int) int {
	for at < len(c.text) && c.text[at] != '>' {
		name := attrName().FindString(c.text[at:])
		at += max(len(name), 1)
		if name == "" || at+1 >= len(c.text) || c.text[at] != '=' || c.text[at+1] != '"' && c.text[at+1] != '\'' {
			continue
		}
		n := strings.IndexByte(c.text[at+2:], c.text[at+1])
		if n < 0 {
			return len(c.text)
		}
		from, to := at+2, at+2+n
		c.directive(name, from, to)
		at = to + 1
	}
	return at
}

// directive reads an attribute of Vue whose value is an expression.
func (c *component) directive(name string, from, to int) {
	value := c.text[from:to]
	switch {
	case strings.HasPrefix(name, "v-for"):
		if m := vueFor().FindStringSubmatchIndex(value); m != nil {
			c.bind(value[m[2]:m[3]])
			c.say(from+m[4], to, ";", ";")
		}
	case strings.HasPrefix(name, "#"), strings.HasPrefix(name, "v-slot"), name == "slot-scope":
		c.bind(value)
	case strings.HasPrefix(name, "@"), strings.HasPrefix(name, "v-on:"):
		c.say(from, to, ";{", "}")
	case strings.HasPrefix(name, ":"), strings.HasPrefix(name, "v-"):
		c.say(from, to, ";(", ")")
	}
}

func (c *component) svelte() string {
	for _, m := range letName().FindAllStringSubmatch(c.text, -1) {
		c.bound[m[1]] = true
	}
	c.markup(func(at int) int {
		switch c.text[at] {
		case '<':
			return c.named(at)
		case '{':
			near := c.text[:min(len(c.text), at+1+longestPart)]
			if end := closingBrace(near, at+1, "'\"`", nil); end > at {
				return c.braced(at+1, end)
			}
			if c.open++; c.open > maxOpen { // each costs longestPart
				return len(c.text)
			}
		}
		return at + 1
	})
	return hideStores(c.written())
}

// braced reads what stands in braces: an expression, or one that a word says the
// meaning of. It returns where the markup goes on.
func (c *component) braced(from, to int) int {
	head, end := svelteHead().FindString(c.text[from:to]), to+1
	at := from + len(head)
	value := c.text[at:to]
	switch strings.TrimSpace(head) {
	case "#each", "#await":
		if m := svelteBind().FindStringIndex(value); m != nil {
			c.bind(value[m[1]:])
			to = at + m[0]
		}
	case "#snippet":
		if _, params, ok := strings.Cut(value, "("); ok {
			c.bind(params)
		}
		return end
	case ":then", ":catch":
		c.bind(value)
		return end
	case "@const":
		name, _, _ := strings.Cut(value, "=")
		c.bind(name)
		at = min(at+len(name)+1, to)
	}
	if element().MatchString(c.text[at:to]) { // markup within: what it is made of, then what is within
		for _, m := range arrow().FindAllStringSubmatch(c.text[at:to], -1) {
			c.bind(m[1] + " " + m[2])
		}
		n := to - at - len(strings.TrimLeft(c.text[at:to], " \t\r\n"))
		if m := identifier().FindStringIndex(c.text[at+n : to]); m != nil && m[0] == 0 {
			n += m[1]
		}
		if word := strings.TrimSpace(c.text[at : at+n]); word != "if" && word != "for" && word != "return" {
			c.say(at, at+n, "", ";")
		}
		c.out[from-1] = ';'
		return at + max(n, 1)
	}
	c.say(at, to, "", ";")
	c.out[from-1] = ';'
	return end
}

// runes are what Svelte itself calls "$name".
var runes = map[string]bool{
	"state": true, "derived": true, "effect": true, "props": true, "bindable": true, "inspect": true, "host": true,
}

// hideStores hides the dollar of stores.
func hideStores(text string) string {
	var out []byte
	for _, m := range store().FindAllStringSubmatchIndex(text, -1) {
		if !runes[text[m[4]:m[5]]] {
			out = writable(out, text)
			out[m[2]] = ' '
		}
	}
	return written(out, text)
}
