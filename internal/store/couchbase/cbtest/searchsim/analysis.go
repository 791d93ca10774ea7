package searchsim

// The analysis that a definition can name. The server has these and the
// analysers of more languages.
import (
	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/simple"
	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/web"
	_ "github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
	_ "github.com/blevesearch/bleve/v2/analysis/char/html"
	_ "github.com/blevesearch/bleve/v2/analysis/char/regexp"
	_ "github.com/blevesearch/bleve/v2/analysis/char/zerowidthnonjoiner"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en"
	_ "github.com/blevesearch/bleve/v2/analysis/token/apostrophe"
	_ "github.com/blevesearch/bleve/v2/analysis/token/camelcase"
	_ "github.com/blevesearch/bleve/v2/analysis/token/compound"
	_ "github.com/blevesearch/bleve/v2/analysis/token/edgengram"
	_ "github.com/blevesearch/bleve/v2/analysis/token/elision"
	_ "github.com/blevesearch/bleve/v2/analysis/token/keyword"
	_ "github.com/blevesearch/bleve/v2/analysis/token/length"
	_ "github.com/blevesearch/bleve/v2/analysis/token/ngram"
	_ "github.com/blevesearch/bleve/v2/analysis/token/reverse"
	_ "github.com/blevesearch/bleve/v2/analysis/token/shingle"
	_ "github.com/blevesearch/bleve/v2/analysis/token/stop"
	_ "github.com/blevesearch/bleve/v2/analysis/token/truncate"
	_ "github.com/blevesearch/bleve/v2/analysis/token/unicodenorm"
	_ "github.com/blevesearch/bleve/v2/analysis/token/unique"
	_ "github.com/blevesearch/bleve/v2/analysis/tokenizer/exception"
	_ "github.com/blevesearch/bleve/v2/analysis/tokenizer/regexp"
	_ "github.com/blevesearch/bleve/v2/analysis/tokenizer/single"
	_ "github.com/blevesearch/bleve/v2/analysis/tokenizer/web"
	_ "github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	_ "github.com/blevesearch/bleve/v2/analysis/tokenmap"
)
