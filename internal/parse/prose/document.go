// Package prose finds the sections of documents: Markdown, reStructuredText,
// AsciiDoc, Org, notebooks and plain text, with their front matter, tags and links.
package prose

import (
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/pattern"
)

// IsDocument reports whether a file is prose, to be searched by its sections,
// rather than source or configuration. Text files that only programs read
// (requirements.txt, CMakeLists.txt …) are not documents.
func IsDocument(file, language string) bool { return DocumentParser(file, language) != nil }

type documentFunc func(f parse.File) parse.Outline

// formats are the document formats by extension. Formats that go-enry knows
// by other names of files come from formatsByLanguage.
var formats = map[string]documentFunc{
	".md": parseMarkdown, ".markdown": parseMarkdown, ".mdown": parseMarkdown, ".mkd": parseMarkdown,
	".mdx": parseMarkdown,
	".mdc": parseMarkdown, ".rmd": parseMarkdown, ".qmd": parseMarkdown,
	".rst": parseRST, ".rest": parseRST,
	".adoc": parseASCIIDoc, ".asciidoc": parseASCIIDoc, ".asc": parseASCIIDoc,
	".org": parseOrg, ".ipynb": parseNotebook,
	".txt": parseText, ".text": parseText,
}

var formatsByLanguage = map[string]documentFunc{
	"Markdown": parseMarkdown, "MDX": parseMarkdown, "RMarkdown": parseMarkdown, "reStructuredText": parseRST,
	"AsciiDoc": parseASCIIDoc, "Org": parseOrg, "Jupyter Notebook": parseNotebook,
}

// machineText matches the names of text files that programs read.
var machineText = pattern.NewLazy(`(?i)^(?:cmakelists|cmakecache|robots|ads|` +
	`(?:[\w.-]*[_-])?(?:requirements|constraints)(?:[_.-][\w.-]*)?|sources|top_level|entry_points|dependency_links|` +
	`requires|` +
	`go\.(?:sum|work\.sum)|modules|packages|version|filelist|files|checksums?|sha256sums?|vendor[_-]?modules)\.(?:txt|` +
	`text)$`)

// documentName matches the names of documents without an extension of a format.
var documentName = pattern.NewLazy(
	`^(?:README|READ\.ME|CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASE[-_]?NOTES|LICEN[CS]ES?|COPYING|COPYRIGHT|` +
		`AUTHORS|CONTRIBUTORS|CONTRIBUTING|INSTALL|TODO|NOTICE|MAINTAINERS|PATENTS|SECURITY|CODE_OF_CONDUCT|ROADMAP|FAQ|` +
		`HACKING|` +
		`THANKS|CREDITS|UPGRADING|UPGRADE|ACKNOWLEDGEMENTS|DISCLAIMER|UNLICENSE|Readme|readme|License|Changelog|ChangeLog|` +
		`Changes)(?:[-._].*)?$`)

// sourceExtension matches extensions that make even a README no document.
var sourceExtension = pattern.NewLazy(
	`(?i)\.(?:go|py|js|ts|sh|rb|java|c|h|cc|cpp|rs|html?|json|ya?ml|toml|xml|in|tmpl|tpl|csv|pl|php|ps1|bat|sql|css)$`)

// DocumentParser is the parser for a file that is a document, else nil.
func DocumentParser(file, language string) documentFunc {
	name := path.Base(file)
	ext := strings.ToLower(path.Ext(name))
	if parse := formats[ext]; parse != nil {
		if machineText().MatchString(name) || path.Base(path.Dir(file)) == "requirements" && ext == ".txt" {
			return nil
		}
		return parse
	}
	if parse := formatsByLanguage[language]; parse != nil {
		return parse
	}
	if documentName().MatchString(name) && !sourceExtension().MatchString(name) {
		return parseText
	}
	return nil
}
