// Package tool is operations as models see them: names, texts and schemas that
// are short, as they are paid for in every conversation, and arguments as models
// write them.
package tool

import (
	"cmp"

	"github.com/ragnav/ragnav/internal/op"
)

// A Tool is an operation as models see it: what it is for, when not to use it,
// one example, and the fields of its request that they may set.
type Tool struct {
	Row   op.Row
	Core  bool // of spec 003
	About string

	args  []arg
	alone string // About where only the core is served; "" for the same

	name    string // of a variant: that of the tool
	variant *variant
}

// A variant is another operation that a tool does where an argument of its own is true.
type variant struct {
	arg
	does Tool
}

// Name is what models call it.
func (t Tool) Name() string { return cmp.Or(t.name, t.Row.About().Tool) }

// Description is About, which names no tool that is not served.
func (t Tool) Description(core bool) string {
	if core {
		return cmp.Or(t.alone, t.About)
	}
	return t.About
}

// An arg is a field of a request. Type, choices and bounds are taken from it.
type arg struct{ name, about string }

// All lists the tools, in the order in which they are shown.
func All() []Tool { return tools }

var tools = []Tool{
	{
		Row: op.Repos, Core: true,
		About: "Indexed repositories with languages, size, freshness. Only when you don't know the repo_id.",
		args:  []arg{{"cursor", ""}},
	},
	{
		Row: op.Structure, Core: true,
		About: "One folder as it is on disk. To find code use search_code. " +
			`Example: {"repo_id":"o/app","path":"src/"}`,
		args: []arg{
			{"repo_id", ""},
			{"path", "default root"},
			{"pattern", "glob, ** descends"},
			{"include_summaries", ""},
			{"commit", ""},
			{"cursor", ""},
		},
		variant: &variant{
			arg{"map", "purposes, top symbols, build"},
			Tool{Row: op.Map, args: []arg{{"repo_id", ""}, {"path", ""}}},
		},
	},
	{
		Row: op.Search, Core: true,
		About: "Find code by meaning and words. For exact text use nav_search, " +
			`for callers where_used. Example: {"query":"where are retries","level":"symbol"}`,
		alone: `Find code by meaning and words. Example: {"query":"where are retries","level":"symbol"}`,
		args: []arg{
			{"query", "words, question, name; lang: file: sym: \"phrase\" /regexp/ -not"},
			{"level", "symbol: functions, types; file: topics; module: folders"},
			{"repo_filter", "repo_id or glob, \"*\" all"},
			{"path_filter", "folder or glob"},
			{"language", ""},
			{"limit", ""},
			{"preview", ""},
			{"cursor", ""},
		},
	},
	{
		Row: op.File, Core: true,
		About: "Real lines of a file, numbered. Read a symbol (file_path \"a.go#Type.Method\"), a hit (document_id) or " +
			"spans rather than whole files. " +
			`Example: {"repo_id":"o/app","file_path":"src/a.go#Client.Do"}`,
		args: []arg{
			{"repo_id", ""},
			{"file_path", "path or path#symbol"},
			{"start_line", ""},
			{"end_line", ""},
			{"symbol", ""},
			{"document_id", ""},
			{"context", "lines around"},
			{"commit", ""},
			{"spans", "many places"},
		},
	},
	{
		Row: op.Outline,
		About: "Symbols of a file, nested, with their lines; headings of a document. The cheapest look at a file; then " +
			"get_file path#symbol. " +
			`Example: {"repo_id":"o/app","file_path":"src/a.go"}`,
		args: []arg{
			{"repo_id", ""},
			{"file_path", ""},
			{"private", "false: exported only"},
			{"depth", ""},
			{"commit", ""},
			{"cursor", ""},
		},
	},
	{
		Row: op.WhereUsed,
		About: "Who uses a symbol: calls, types, reads, writes, resolved, not matched as text. Says when there is none. " +
			"With file, line and column also what stands there: definition, signature. " +
			`Example: {"repo_id":"o/app","symbol":"Client.Do"}`,
		args: []arg{
			{"repo_id", "or \"*\", \"owner/*\": across them"},
			{"symbol", "name, Type.Method or path:name"},
			{"file", "defined here"},
			{"line", ""},
			{"column", "what stands there, without symbol"},
			{"edges", "calls, reads …"},
			{"only", ""},
			{"include_text", "also lines that only name it"},
			{"path_filter", "uses in these files"},
			{"limit", ""},
			{"cursor", ""},
		},
	},
	{
		Row: op.Lineage,
		About: "Callers of callers (upstream), or what a symbol reaches (downstream), over several hops; edges [extends, " +
			"implements] for implementations. For direct uses where_used is exact and shorter. " +
			`Example: {"repo_id":"o/app","symbol":"ParseTime","direction":"upstream"}`,
		args: []arg{
			{"repo_id", "or \"*\""},
			{"symbol", ""},
			{"direction", "upstream or downstream"},
			{"depth", "hops"},
			{"file", "defined here"},
			{"line", ""},
			{"column", ""},
			{"edges", "calls, implements …"},
			{"only", ""},
			{"max_results", ""},
			{"cursor", ""},
		},
	},
	{
		Row: op.Impact,
		About: "What an edit breaks: changed symbols of the working tree against a commit, of a range or a diff; who is " +
			"affected, and which tests to run. Call it before you finish an edit. " +
			`Example: {"repo_id":"o/app","base":"HEAD"}`,
		args: []arg{
			{"repo_id", "or \"*\""},
			{"base", "commit; default HEAD"},
			{"range", "v1..v2"},
			{"diff", "unified diff"},
			{"depth", "hops"},
			{"max_tests", "nearest first"},
			{"limit", ""},
			{"cursor", ""},
		},
	},
	{
		Row: op.NavSearch,
		About: "Lines with exact text or a regular expression in a repository, or in all (repo_id \"*\", \"owner/*\"), as " +
			"the files are now: grep that knows what is ignored. " +
			`Example: {"repo_id":"o/app","query":"TODO|FIXME","regexp":true}`,
		args: []arg{
			{"repo_id", ""},
			{"query", ""},
			{"regexp", "RE2"},
			{"case", ""},
			{"word", "whole words"},
			{"names", "match paths, not lines"},
			{"path_filter", "folder or glob"},
			{"language", ""},
			{"limit", ""},
			{"cursor", ""},
		},
	},
	{
		Row: op.Ask, Core: true,
		About: "Answer a question from the code with quoted, checked citations. For an overview; for one place search_code " +
			"is faster. " +
			`Example: {"query":"how are requests authenticated?"}`,
		args: []arg{{"query", ""}, {"repo_filter", "repo_id or glob"}, {"level", ""}},
	},
}

// Instructions are what an agent reads before it has called anything, of all tools or
// of the core alone.
func Instructions(core bool) string {
	guide := guideOfAll
	if core {
		guide = guideOfCore
	}
	return instructions + "\n\nWhich tool for which question:\n" + guide + "\n\n" + replies
}

const instructions = `ragnav finds, reads and follows code in indexed repositories, also those that are not checked out here. Prefer it to grep and to reading whole files: replies name path and lines, say how fresh they are, and are short.`

const guideOfAll = `- "where is / how does X work": search_code (level symbol for a function or type, file for a topic, doc for documentation)
- "show me X": get_file with path#Type.Method or a hit's document_id; outline first when you know only the file
- "who calls / uses X", "what breaks if I change X": where_used; over several hops lineage
- "what did my edit break, which tests": impact
- exact text, error messages, regular expressions: nav_search
- layout, manifests: explore_structure; a repository that is new to you, on one page: with map
- a broad question in words: ask_codebase
- unknown repository: list_repos`

const guideOfCore = `- "where is / how does X work": search_code (level symbol for a function or type, file for a topic, doc for documentation)
- "show me X": get_file with path#Type.Method or a hit's document_id
- exact text, error messages, regular expressions: search_code with "quotes" or /slashes/
- "who uses X": ask_codebase
- layout, manifests: explore_structure; a repository that is new to you, on one page: with map
- a broad question in words: ask_codebase
- unknown repository: list_repos`

const replies = `The first line of a reply is status, source, freshness and counts. FRESH is true of the files as they are now. OK with no items is a true zero; not indexed, or broken, is an error that says what to do. A reply that was cut ends with the exact next call. repo_id may be a unique last segment; left out, it is the repository that you work in, for searches (repo_filter) too, which ask all where that has nothing like it, and another one that the text names. Start narrow: a symbol's lines cost a tenth of its file.`
