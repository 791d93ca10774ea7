// Package filekind says what kind of file a path and its content are: language,
// test, generated, third party, text or not, a store of secrets.
package filekind

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2/data"
)

// Marks say what kind of file it is.
type Marks struct {
	Language      string // go-enry's name; "" when unknown
	Test          bool   // tests and their data
	Generated     bool   // written by a program
	Vendored      bool   // somebody else's code, kept here
	Documentation bool   // text for people
	Data          bool   // JSON, YAML, CSV …
}

// Of judges a file by its path and the beginning of its content, which
// may be nil. The language comes from the name wherever that is enough, which
// takes a microsecond; content is only asked where several languages share an
// extension.
func Of(p string, content []byte) Marks {
	content = content[:min(len(content), classifyBytes)]
	m := Marks{
		Language:  language(p, content),
		Test:      isTest(p),
		Generated: isGenerated(p, content),
		Vendored:  isVendored(p),
	}
	switch data.Type(data.LanguagesType[m.Language]) {
	case data.TypeProse:
		m.Documentation = true
	case data.TypeData:
		m.Data = true
	case data.TypeUnknown:
		m.Documentation = anyMatches(data.DocumentationMatchers, path.Base(p))
	case data.TypeProgramming, data.TypeMarkup:
		m.Documentation = m.Language == "Jupyter Notebook" || m.Language == "TeX"
	}
	return m
}

// classifyBytes of a file are enough to tell languages and generators.
const classifyBytes = 16 << 10

// thirdParty are names of folders that hold other people's code.
var thirdParty = map[string]bool{
	"vendor": true, "vendors": true, "node_modules": true, "bower_components": true, "jspm_packages": true,
	"third_party": true, "third-party": true, "thirdparty": true, "3rdparty": true, "3rd-party": true, "3rd_party": true,
	"extern": true, "external": true, "externals": true, "godeps": true, "carthage": true, "pods": true,
	"site-packages": true, "flow-typed": true,
}

// isVendored goes by go-enry's rules for file names of well-known web assets,
// and by folders. go-enry's own folder rules serve language statistics and
// would take any cache/, env/, dist/ or .github/ for somebody else's code.
func isVendored(p string) bool {
	for dir := range folderNames(p) {
		if thirdParty[strings.ToLower(dir)] {
			return true
		}
	}
	switch path.Ext(p) {
	case ".js", ".css", ".less", ".scss":
		return data.FastVendorMatcher.MatchString(path.Base(p))
	}
	return strings.Contains(p, ".yarn/releases/") || strings.Contains(p, ".yarn/plugins/")
}

// generatedLine is the convention of Go, which others follow, and that of Meta.
var generatedLine = regexp.MustCompile(`(?m)^\W{0,4}\s?(Code generated .*DO NOT EDIT|.{0,40}@generated\b)`)

func isGenerated(p string, content []byte) bool {
	head := content[:min(len(content), 4<<10)]
	isGo := path.Ext(p) == ".go"
	if isGo {
		head, _, _ = bytes.Cut(head, []byte("\npackage "))
	}
	if bytes.Contains(head, []byte("enerated")) && generatedLine.Match(head) {
		return true
	}
	if isGo { // go-enry would take a generator for its output
		content = nil
	}
	return hasGeneratedName(p) || saysGenerated(p, content)
}

func hasGeneratedName(p string) bool {
	_, known := data.GeneratedCodeExtensions[strings.ToLower(path.Ext(p))]
	return known || slices.ContainsFunc(data.GeneratedCodeNameMatchers, func(m data.GeneratedCodeNameMatcher) bool { return m(p) })
}

func saysGenerated(p string, content []byte) bool {
	p = strings.ToLower(p)
	ext := path.Ext(p)
	return slices.ContainsFunc(data.GeneratedCodeMatchers, func(m data.GeneratedCodeMatcher) bool { return m(p, ext, content) })
}

func anyMatches(patterns []*regexp.Regexp, p string) bool {
	return slices.ContainsFunc(patterns, func(one *regexp.Regexp) bool { return one.MatchString(p) })
}
