// Package archtest checks which package may import what. The picture of the
// same rules is in ARCHITECTURE.md.
package archtest

import "slices"

// Groups of packages, lowest first.
var (
	vocabulary = []string{"internal/fault", "internal/rag/models"}
	repository = []string{
		"internal/repo", "internal/repo/disk", "internal/repo/filekind", "internal/repo/history",
		"internal/repo/listing", "internal/repo/relpath", "internal/repo/remote", "internal/repo/worktrees",
	}
	aLanguage    = []string{"internal/nav/facts", "internal/nav/resolve"}              // what names mean in it
	ofGraph      = []string{"internal/nav/graph", "internal/nav/resolve"}              // what is said over a graph
	aWalker      = []string{"internal/nav/facts", "internal/treesitter/syntax/binder"} // what files of a language say
	capabilities = slices.Concat(repository,
		[]string{
			"internal/embed", "internal/filter", "internal/fts", "internal/parse", "internal/parse/reader",
			"internal/query", "internal/redact", "internal/vector",
		})
	operations = []string{
		"internal/rag/repos", "internal/rag/structure", "internal/rag/search", "internal/rag/filefetch", "internal/rag/ask",
		"internal/rag/outline", "internal/rag/plan",
		"internal/rag/retrieve", "internal/index",
		"internal/nav",
	}
)

// may lists, for each package, the packages of this project that it may
// import. Commands and benchmarks may import everything.
var may = map[string][]string{
	"api": {},

	// vocabulary
	"internal/fault":      {},
	"internal/rag/models": {},

	// everybody above the vocabulary starts goroutines, see anywhere
	"internal/parallel": {"internal/fault"},

	// capabilities
	"internal/gosyntax":                {},
	"internal/highlight":               {"internal/repo/filekind"},
	"internal/pattern":                 {},
	"internal/topk":                    {},
	"internal/filetime":                {},
	"internal/garbage":                 {},
	"internal/wire":                    {},
	"internal/inotify":                 {},
	"internal/modelserver":             {"internal/fault", "internal/redact"},
	"internal/llm":                     {"internal/fault", "internal/modelserver"},
	"internal/rerank":                  {"internal/fault", "internal/modelserver"},
	"internal/llm/llmtest":             {"internal/llm"},
	"internal/llm/scripted":            {"internal/fault", "internal/llm"},
	"internal/embed":                   slices.Concat(vocabulary, []string{"internal/vector/codes", "internal/wire"}),
	"internal/embed/openai":            {"internal/embed", "internal/fault", "internal/modelserver"},
	"internal/embed/embedtest":         {"internal/embed"},
	"internal/embed/openai/openaitest": {"internal/embed/embedtest"},
	"internal/filter": slices.Concat(vocabulary,
		[]string{"internal/fts", "internal/repo/filekind", "internal/repo/filekind/linguist"}),
	"internal/fresh": {
		"internal/fault", "internal/inotify", "internal/rag/models", "internal/repo/disk",
		"internal/repo/listing", "internal/repo/relpath", "internal/wire",
	},
	"internal/fresh/artifact": {"internal/fault", "internal/fresh", "internal/rag/models", "internal/repo/disk"},
	"internal/fts":            vocabulary,
	"internal/query":          {"internal/fault"},
	"internal/parse":          vocabulary,
	"internal/parse/lex":      {"internal/parse"},
	"internal/parse/patterns": {"internal/parse", "internal/parse/lex"},
	"internal/parse/prose":    {"internal/parse", "internal/parse/lex"},
	"internal/parse/gosource": {"internal/gosyntax", "internal/parse", "internal/parse/patterns"},
	"internal/parse/markup":   {"internal/parse", "internal/parse/lex", "internal/parse/patterns"},
	"internal/parse/data":     {"internal/parse", "internal/parse/lex", "internal/parse/patterns"},
	"internal/parse/reader": {
		"internal/parse", "internal/parse/data", "internal/parse/gosource",
		"internal/parse/markup", "internal/parse/patterns", "internal/parse/prose",
	},
	"internal/redact": {},
	"internal/repo": slices.Concat(vocabulary,
		[]string{
			"internal/repo/disk", "internal/repo/filekind", "internal/repo/history", "internal/repo/listing",
			"internal/repo/relpath",
		}),
	"internal/repo/git":               {"internal/fault"},
	"internal/repo/relpath":           {"internal/fault"},
	"internal/repo/filekind":          {"internal/fault", "internal/rag/models", "internal/repo/filekind/linguist"},
	"internal/repo/filekind/linguist": {},
	"internal/repo/disk": {
		"internal/fault", "internal/filetime", "internal/repo/git", "internal/repo/relpath",
	},
	"internal/repo/worktrees": {"internal/fault", "internal/repo/disk", "internal/repo/git"},
	"internal/repo/history": {
		"internal/fault", "internal/repo/disk", "internal/repo/git", "internal/repo/relpath",
	},
	"internal/repo/remote": slices.Concat(vocabulary,
		[]string{"internal/repo/disk", "internal/repo/git", "internal/repo/relpath"}),
	"internal/repo/listing": slices.Concat(vocabulary,
		[]string{"internal/repo/disk", "internal/repo/filekind", "internal/repo/git", "internal/repo/relpath"}),
	"internal/repo/repotest": {},
	"internal/golden":        {},
	"internal/cputime":       {"internal/parallel"},
	"internal/vector": slices.Concat(vocabulary,
		[]string{
			"internal/topk", "internal/vector/codes", "internal/vector/idtable", "internal/vector/mapped",
			"internal/vector/values",
		}),
	"internal/vector/codes":   {},
	"internal/vector/idtable": {},
	"internal/vector/mapped":  {},
	"internal/vector/values":  {"internal/wire"},

	// only the wiring knows them
	"internal/parse/worker": {"internal/nav/facts", "internal/parse", "internal/wire"},
	"internal/treesitter": {
		"internal/nav/facts", "internal/parse", "internal/treesitter/plain", "internal/treesitter/query",
		"internal/treesitter/syntax", "internal/treesitter/syntax/binder",
	},
	"internal/nav/project":      {"internal/nav/facts"},
	"internal/treesitter/plain": {},
	"internal/treesitter/query": {"internal/treesitter/syntax/binder"},
	"internal/treesitter/syntax": {
		"internal/nav/facts", "internal/parse", "internal/treesitter/syntax/binder", "internal/treesitter/syntax/bound",
		"internal/treesitter/syntax/clike", "internal/treesitter/syntax/java", "internal/treesitter/syntax/python",
		"internal/treesitter/syntax/rust", "internal/treesitter/syntax/scala", "internal/treesitter/syntax/script",
		"internal/treesitter/syntax/swift",
	},
	"internal/treesitter/syntax/binder": {"internal/nav/facts", "internal/parse"},
	"internal/treesitter/syntax/bound":  aWalker,
	"internal/treesitter/syntax/clike":  aWalker,
	"internal/treesitter/syntax/java":   aWalker,
	"internal/treesitter/syntax/python": aWalker,
	"internal/treesitter/syntax/rust":   aWalker,
	"internal/treesitter/syntax/script": aWalker,
	"internal/treesitter/syntax/scala":  aWalker,
	"internal/treesitter/syntax/swift":  aWalker,

	// navigation, lowest first
	"internal/nav/facts":   {},
	"internal/nav/golang":  {"internal/gosyntax", "internal/nav/facts"},
	"internal/nav/resolve": {"internal/nav/facts"},
	"internal/nav/lexical": {
		"internal/nav/facts", "internal/nav/resolve", "internal/parse", "internal/parse/data", "internal/parse/lex",
		"internal/parse/patterns", "internal/pattern",
	},

	"internal/nav/resolve/byname":   aLanguage,
	"internal/nav/resolve/clike":    aLanguage,
	"internal/nav/resolve/golang":   aLanguage,
	"internal/nav/resolve/objc":     aLanguage,
	"internal/nav/resolve/python":   aLanguage,
	"internal/nav/resolve/rust":     aLanguage,
	"internal/nav/resolve/script":   aLanguage,
	"internal/nav/resolve/scala":    aLanguage,
	"internal/nav/resolve/swift":    aLanguage,
	"internal/nav/resolve/elixir":   slices.Concat(aLanguage, []string{"internal/nav/resolve/byname"}),
	"internal/nav/resolve/packaged": slices.Concat(aLanguage, []string{"internal/nav/resolve/byname"}),
	"internal/nav/resolve/ruby":     slices.Concat(aLanguage, []string{"internal/nav/resolve/byname"}),
	"internal/nav/resolve/languages": slices.Concat(aLanguage,
		[]string{
			"internal/nav/lexical", "internal/nav/resolve/byname", "internal/nav/resolve/clike", "internal/nav/resolve/golang",
			"internal/nav/resolve/python", "internal/nav/resolve/rust", "internal/nav/resolve/script",
			"internal/nav/resolve/elixir", "internal/nav/resolve/objc", "internal/nav/resolve/packaged",
			"internal/nav/resolve/ruby",
			"internal/nav/resolve/scala", "internal/nav/resolve/swift",
		}),

	"internal/nav/graph": {"internal/fault", "internal/nav/facts", "internal/nav/resolve", "internal/wire"},
	"internal/nav/graph/build": slices.Concat(ofGraph,
		[]string{"internal/nav/facts", "internal/nav/graph/overlay", "internal/parallel"}),
	"internal/nav/graph/joint": slices.Concat(ofGraph,
		[]string{
			"internal/nav/facts", "internal/nav/graph/lineage", "internal/nav/graph/overlay",
			"internal/nav/graph/usage",
		}),
	"internal/nav/graph/lineage": slices.Concat(ofGraph,
		[]string{"internal/fault", "internal/nav/facts", "internal/nav/graph/overlay"}),
	"internal/nav/graph/lookup":  slices.Concat(ofGraph, []string{"internal/nav/graph/overlay", "internal/rag/models"}),
	"internal/nav/graph/ondisk":  slices.Concat(ofGraph, []string{"internal/fault", "internal/vector/mapped"}),
	"internal/nav/graph/overlay": slices.Concat(ofGraph, []string{"internal/nav/facts"}),
	"internal/nav/graph/usage":   slices.Concat(ofGraph, []string{"internal/nav/facts", "internal/nav/graph/overlay"}),
	"internal/nav/precise":       {"internal/fault", "internal/nav/facts", "internal/nav/graph", "internal/nav/resolve"},
	"internal/nav/depend":        {},
	"internal/nav/scip": {
		"internal/fault", "internal/fresh", "internal/fresh/artifact", "internal/nav/facts", "internal/nav/graph",
		"internal/nav/graph/lineage", "internal/nav/graph/overlay", "internal/nav/graph/usage", "internal/nav/resolve",
		"internal/parse", "internal/repo/disk",
	},
	"internal/nav/change": {"internal/fault", "internal/nav/facts"},
	"internal/nav/scan": slices.Concat(vocabulary, repository,
		[]string{"internal/nav/scan/match", "internal/parse"}),
	"internal/nav/scan/match": {"internal/fault"},

	// operations: capabilities and vocabulary; ask also speaks of searches and files
	"internal/rag/current":       below("internal/fresh", "internal/index", "internal/wire"),
	"internal/rag/repos":         below("internal/rag/current"),
	"internal/rag/structure":     below("internal/nav/depend"),
	"internal/rag/search":        below("internal/rag/current", "internal/rag/search/intent", "internal/topk"),
	"internal/rag/filefetch":     below(),
	"internal/rag/outline":       below("internal/rag/filefetch"),
	"internal/rag/plan":          below(),
	"internal/rag/search/intent": {"internal/pattern", "internal/rag/models"},
	"internal/rag/retrieve":      below("internal/rag/plan", "internal/rag/search"),
	"internal/rag/ask": below("internal/rag/ask/arrange", "internal/rag/ask/extract", "internal/rag/ask/inert",
		"internal/rag/ask/question", "internal/rag/ask/scope", "internal/rag/search", "internal/rag/search/intent"),
	"internal/rag/ask/arrange": {
		"internal/rag/ask/extract", "internal/rag/ask/inert", "internal/rag/ask/question", "internal/rag/models",
	},
	"internal/rag/ask/scope": {
		"internal/embed", "internal/fault", "internal/fts", "internal/pattern", "internal/rag/ask/extract",
		"internal/rag/ask/question", "internal/rag/models", "internal/rag/search",
	},
	"internal/rag/ask/question": {
		"internal/filter", "internal/fts", "internal/pattern", "internal/rag/ask/extract", "internal/rag/models",
		"internal/rag/search/intent",
	},
	"internal/rag/ask/extract": {"internal/pattern", "internal/fts", "internal/rag/ask/inert", "internal/rag/models"},
	"internal/rag/ask/inert":   {"internal/pattern"},
	"internal/index/compose":   {"internal/embed", "internal/parse", "internal/rag/models", "internal/repo/filekind"},
	"internal/index/records":   {"internal/embed", "internal/fault", "internal/filter", "internal/rag/models"},
	"internal/index/jobs": {
		"internal/embed", "internal/fault", "internal/index/records", "internal/rag/models", "internal/repo/remote",
		"internal/repo/worktrees",
	},
	"internal/index/tell": {
		"internal/embed", "internal/fault", "internal/index/compose", "internal/index/jobs", "internal/index/records",
		"internal/parse", "internal/rag/models",
	},
	"internal/index/vectors": {"internal/embed", "internal/fault", "internal/index/jobs", "internal/rag/models"},
	"internal/index/run": {
		"internal/embed", "internal/fault", "internal/index/compose", "internal/index/jobs", "internal/index/records",
		"internal/index/tell", "internal/index/vectors", "internal/parse", "internal/parse/reader",
		"internal/rag/models", "internal/redact", "internal/repo/disk", "internal/repo/filekind",
		"internal/repo/listing", "internal/repo/remote",
	},
	"internal/index": below("internal/index/compose", "internal/index/jobs", "internal/index/records",
		"internal/index/run", "internal/index/tell", "internal/index/vectors"),
	"internal/nav/gateway": below("internal/nav/depend", "internal/nav/facts",
		"internal/nav/resolve", "internal/nav/resolve/languages", "internal/nav/project", "internal/nav/graph",
		"internal/nav/graph/build", "internal/nav/graph/lookup",
		"internal/nav/graph/ondisk", "internal/nav/graph/overlay", "internal/nav/graph/usage",
		"internal/nav/scip", "internal/fresh", "internal/fresh/artifact",
		"internal/nav/scan", "internal/nav/scan/match", "internal/parse/patterns"),
	"internal/nav/across": {
		"internal/fault", "internal/nav/depend", "internal/nav/gateway", "internal/nav/graph",
		"internal/nav/graph/joint", "internal/nav/graph/overlay", "internal/nav/resolve", "internal/nav/scan",
		"internal/rag/models", "internal/repo/disk", "internal/repo/history",
	},
	"internal/nav": below("internal/nav/across", "internal/nav/change", "internal/nav/depend", "internal/nav/facts",
		"internal/nav/gateway", "internal/nav/resolve", "internal/nav/resolve/languages", "internal/nav/graph",
		"internal/nav/graph/build", "internal/nav/graph/joint", "internal/nav/graph/lineage", "internal/nav/graph/lookup",
		"internal/nav/graph/ondisk", "internal/nav/graph/overlay", "internal/nav/graph/usage",
		"internal/nav/precise", "internal/nav/scip", "internal/fresh", "internal/fresh/artifact",
		"internal/nav/scan", "internal/nav/scan/match", "internal/parse/patterns"),

	// the list of operations
	"internal/op": slices.Concat(vocabulary, operations),

	// replies as text
	"internal/view": slices.Concat(vocabulary, operations,
		[]string{"internal/filter", "internal/op", "internal/rag/ask/inert", "internal/repo/relpath"}),

	// operations as models call them
	"internal/rag/agent": slices.Concat(vocabulary, operations,
		[]string{
			"internal/filter", "internal/llm", "internal/op", "internal/parallel", "internal/rag/search/intent",
			"internal/redact", "internal/tool", "internal/view",
		}),
	"internal/tool": slices.Concat(vocabulary, operations, []string{"internal/op", "internal/valid", "internal/view"}),

	// adapters know no operation
	"internal/store": {"internal/fts", "internal/rag/models"},
	"internal/store/embedded": {
		"internal/fault", "internal/fts", "internal/rag/models",
		"internal/store", "internal/store/embedded/beside", "internal/store/embedded/codec",
		"internal/store/embedded/disk", "internal/store/embedded/draft", "internal/store/embedded/search",
		"internal/store/embedded/text",
		"internal/vector",
	},
	"internal/store/embedded/search": {
		"internal/fault", "internal/fts", "internal/rag/models", "internal/store/embedded/codec",
		"internal/store/embedded/disk", "internal/store/embedded/rowindex", "internal/store/embedded/text",
		"internal/topk", "internal/vector", "internal/wire",
	},
	"internal/store/embedded/codec":  {"internal/rag/models", "internal/store", "internal/wire"},
	"internal/store/embedded/beside": {"internal/fault", "internal/store/embedded/disk"},
	"internal/store/embedded/backup": {
		"internal/fault", "internal/rag/models", "internal/store/embedded/disk", "internal/store/embedded/draft",
		"internal/vector",
	},
	"internal/store/embedded/disk": {"internal/fault", "internal/filetime", "internal/rag/models", "internal/vector"},
	"internal/store/embedded/draft": {
		"internal/fault", "internal/rag/models", "internal/store/embedded/codec", "internal/store/embedded/disk",
	},
	"internal/store/embedded/rowindex": {
		"internal/rag/models", "internal/store/embedded/codec", "internal/vector",
	},
	"internal/store/embedded/text": {
		"internal/fts", "internal/rag/models", "internal/store/embedded/disk",
	},
	"internal/store/storetest": {
		"internal/fault", "internal/filter", "internal/fts", "internal/rag/models",
		"internal/store",
	},
	"internal/store/couchbase": {
		"internal/fault", "internal/fts", "internal/rag/models", "internal/store",
		"internal/store/couchbase/definition", "internal/store/couchbase/driver", "internal/store/couchbase/wire",
	},
	"internal/store/couchbase/setup": {
		"internal/fault", "internal/fts", "internal/rag/models", "internal/store", "internal/store/couchbase",
		"internal/store/couchbase/definition", "internal/store/couchbase/driver",
	},
	"internal/store/couchbase/clustertest": {
		"internal/fts", "internal/rag/models", "internal/store", "internal/store/couchbase",
		"internal/store/couchbase/driver", "internal/store/couchbase/setup", "test/cbtest",
	},
	"internal/store/couchbase/driver": {"internal/fault", "internal/parallel"},
	"internal/store/couchbase/wire":   {"internal/fts", "internal/rag/models", "internal/vector/codes"},
	"internal/store/couchbase/definition": {
		"internal/fault", "internal/fts", "internal/rag/models", "internal/store/couchbase/driver",
		"internal/store/couchbase/wire",
	},

	// transports know requests and replies, no store and no capability
	"internal/valid":  {"internal/fault"},
	"internal/access": {"internal/fault", "internal/index", "internal/op"},
	"internal/web": slices.Concat(vocabulary, operations,
		[]string{
			"internal/access", "internal/highlight", "internal/op", "internal/query", "internal/valid",
			"internal/web/address", "internal/web/diagram", "internal/web/markup",
		}),
	"internal/web/address": vocabulary,
	"internal/web/diagram": {},
	"internal/web/markup":  {"internal/highlight", "internal/rag/models", "internal/web/address"},
	"internal/agents":      {},
	"internal/client": {
		"internal/fault", "internal/index", "internal/op", "internal/rag/ask",
		"internal/rag/models",
	},
	"internal/httpapi": slices.Concat(vocabulary, operations,
		[]string{
			"api", "internal/access", "internal/httpapi/chat", "internal/op", "internal/rag/ask/inert",
			"internal/valid",
		}),
	"internal/httpapi/apitest": {"api"},
	"internal/httpapi/chat": {
		"internal/fault", "internal/pattern", "internal/rag/ask", "internal/rag/models", "internal/valid",
	},
	"internal/mcpapi": slices.Concat(vocabulary, operations,
		[]string{
			"internal/index/jobs", "internal/op", "internal/parallel", "internal/rag/search/intent",
			"internal/repo/filekind", "internal/tool", "internal/view",
		}),

	// watching knows folders, and what an update is only by its caller's function
	"internal/watch": slices.Concat(vocabulary,
		[]string{"internal/inotify", "internal/repo/disk", "internal/repo/listing"}),

	// wiring
	"internal/config":      {"internal/modelserver"},
	"internal/app/machine": {"internal/fault", "internal/rag/models", "internal/store/embedded/disk"},
	"internal/app": slices.Concat(vocabulary, capabilities, operations,
		[]string{
			"internal/app/machine",
			"internal/config", "internal/embed/openai", "internal/index/records", "internal/index/run", "internal/llm",
			"internal/parse/worker", "internal/rag/agent", "internal/rerank",
			"internal/treesitter", "internal/rag/current", "internal/nav/facts", "internal/fresh", "internal/nav/golang",
			"internal/nav/gateway", "internal/nav/lexical",
			"internal/fresh/artifact", "internal/nav/project", "internal/op", "internal/store", "internal/store/couchbase",
			"internal/store/couchbase/driver", "internal/store/couchbase/setup", "internal/store/embedded",
			"internal/store/embedded/backup", "internal/store/embedded/beside",
			"internal/store/embedded/disk", "internal/watch",
		}),
}

// anywhere are the packages that all may import but those below them.
var anywhere = []string{"internal/parallel", "internal/pattern"}

// below is what an operation may import: what is under it, and more.
func below(more ...string) []string { return slices.Concat(vocabulary, capabilities, more) }

// only lists the importers of a library, beside commands and benchmarks.
var only = map[string][]string{
	"github.com/go-chi/chi":              {"internal/httpapi"},
	"golang.org/x/sync/errgroup":         {"internal/parallel"},
	"github.com/go-playground/validator": {"internal/valid"},
	"github.com/blevesearch": {
		"internal/store/embedded", "internal/store/embedded/disk", "internal/store/embedded/search",
		"internal/store/embedded/text", "test/engine", "bench/speed",
	},
	"github.com/fsnotify/fsnotify":      {"internal/watch"},
	"github.com/smacker/go-tree-sitter": {"internal/treesitter"},
	"github.com/modelcontextprotocol":   {"internal/mcpapi"},
	"golang.org/x/tools":                {"internal/nav/precise"},
	"google.golang.org/protobuf":        {"internal/nav/scip"},
	"github.com/alecthomas/chroma":      {"internal/highlight"},
	"github.com/yuin/goldmark":          {"internal/web/markup"},
	"go.uber.org/zap":                   {"internal/httpapi", "internal/app"},
	"net/http": {
		"internal/httpapi", "internal/httpapi/apitest", "internal/client",
		"internal/embed/openai", "internal/embed/openai/openaitest", "internal/llm", "internal/llm/llmtest",
		"internal/mcpapi", "internal/modelserver", "internal/rerank", "internal/web",
	},
	"log":      {},
	"log/slog": {},
}

// notEvenPrograms are the libraries that commands don't import either.
var notEvenPrograms = []string{
	"github.com/go-chi/chi", "github.com/go-playground/validator", "github.com/blevesearch", "log", "log/slog",
}
