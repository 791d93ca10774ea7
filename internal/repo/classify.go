package repo

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/go-enry/go-enry/v2"
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

// Classify judges a file by its path and the beginning of its content, which
// may be nil. The language comes from the name wherever that is enough, which
// takes a microsecond; content is only asked where several languages share an
// extension.
func Classify(p string, content []byte) Marks {
	content = content[:min(len(content), classifyBytes)]
	m := Marks{
		Language:  language(p, content),
		Test:      isTest(p),
		Generated: isGenerated(p, content),
		Vendored:  isVendored(p),
	}
	switch enry.GetLanguageType(m.Language) {
	case enry.Prose:
		m.Documentation = true
	case enry.Data:
		m.Data = true
	case enry.Unknown:
		m.Documentation = enry.IsDocumentation(path.Base(p))
	case enry.Programming, enry.Markup:
		m.Documentation = m.Language == "Jupyter Notebook" || m.Language == "TeX"
	}
	return m
}

// classifyBytes of a file are enough to tell languages and generators.
const classifyBytes = 16 << 10

// usual is the language that an extension nearly always means, where go-enry
// knows several; XML is told apart by its first bytes.
var usual = map[string]string{
	".cs": "C#", ".cl": "OpenCL", ".ex": "Elixir", ".gd": "GDScript", ".html": "HTML", ".json": "JSON",
	".lisp": "Common Lisp", ".md": "Markdown", ".ml": "OCaml", ".php": "PHP", ".properties": "Java Properties",
	".rs": "Rust", ".s": "Assembly", ".sc": "Scala", ".sql": "SQL", ".ts": "TypeScript", ".tsx": "TSX", ".txt": "Text",
	".yaml": "YAML", ".yml": "YAML",
}

// bare is what an extension means when there is no content to ask.
var bare = map[string]string{
	".d": "D", ".f": "Fortran", ".fs": "F#", ".h": "C", ".hh": "C++", ".inc": "PHP", ".m": "Objective-C",
	".mm": "Objective-C++", ".pl": "Perl", ".r": "R", ".s": "Assembly", ".t": "Perl", ".v": "Verilog",
}

func language(p string, content []byte) string {
	base := path.Base(p)
	if lang, ok := enry.GetLanguageByFilename(base); ok {
		return lang
	}
	ext := strings.ToLower(path.Ext(base))
	if lang := usual[ext]; lang != "" && !isXML(content) {
		return lang
	}
	lang, safe := enry.GetLanguageByExtension(base)
	switch {
	case safe:
		return lang
	case len(content) == 0 && bare[ext] != "":
		return bare[ext]
	case lang == "":
		lang, _ = enry.GetLanguageByShebang(content)
		return lang
	}
	return enry.GetLanguage(base, content)
}

// LanguagesOf are the languages that files with an extension (".go") may be in.
func LanguagesOf(ext string) []string {
	if lang := usual[ext]; lang != "" {
		return []string{lang}
	}
	return enry.GetLanguagesByExtension("x"+ext, nil, nil)
}

func isXML(content []byte) bool { return bytes.HasPrefix(content, []byte("<?xml")) }

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
		return enry.IsVendor(path.Base(p))
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
	return enry.IsGenerated(p, content)
}
