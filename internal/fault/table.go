package fault

import (
	"maps"
	"slices"
)

// A Code is the error_code of a reply.
type Code string

// The codes of the public contract.
const (
	InvalidRequest       Code = "INVALID_REQUEST"
	InvalidPath          Code = "INVALID_PATH"
	Unauthenticated      Code = "UNAUTHENTICATED"
	Forbidden            Code = "FORBIDDEN"
	RepoNotFound         Code = "REPO_NOT_FOUND"
	PathNotFound         Code = "PATH_NOT_FOUND"
	SymbolNotFound       Code = "SYMBOL_NOT_FOUND"
	JobNotFound          Code = "JOB_NOT_FOUND"
	MethodNotAllowed     Code = "METHOD_NOT_ALLOWED"
	NotAcceptable        Code = "NOT_ACCEPTABLE"
	IndexNotReady        Code = "INDEX_NOT_READY"
	Conflict             Code = "CONFLICT"
	BodyTooLarge         Code = "BODY_TOO_LARGE"
	UnsupportedMediaType Code = "UNSUPPORTED_MEDIA_TYPE"
	LineOutOfRange       Code = "LINE_OUT_OF_RANGE"
	BinaryFile           Code = "BINARY_FILE"
	RateLimited          Code = "RATE_LIMITED"
	Overloaded           Code = "OVERLOADED"
	RAGUnavailable       Code = "RAG_UNAVAILABLE"
	EmbedderUnavailable  Code = "EMBEDDER_UNAVAILABLE"
	LLMUnavailable       Code = "LLM_UNAVAILABLE"
	Timeout              Code = "TIMEOUT"
	Internal             Code = "INTERNAL"

	// Canceled is not part of the contract: the client went away, nobody reads the reply.
	Canceled Code = "CANCELED"
)

// A Row is how one kind of error looks from outside.
type Row struct {
	HTTP int    // status
	Exit int    // exit code of the command line
	Text string // shown when the error brings no message of its own
}

var table = map[Code]Row{
	InvalidRequest:       {400, 2, "the request is not valid"},
	InvalidPath:          {400, 2, "the path is not inside the repository"},
	Unauthenticated:      {401, 4, "an API key is needed"},
	Forbidden:            {403, 4, "this API key may not do that"},
	RepoNotFound:         {404, 3, "no such repository; list them with `ragnav repos`"},
	PathNotFound:         {404, 3, "no such path"},
	SymbolNotFound:       {404, 3, "no such symbol"},
	JobNotFound:          {404, 3, "no such job; list them with `ragnav jobs`"},
	MethodNotAllowed:     {405, 2, "this path does not take that method"},
	NotAcceptable:        {406, 2, "no such representation"},
	IndexNotReady:        {409, 5, "the repository is not indexed yet"},
	Conflict:             {409, 5, "a job for this repository is already running"},
	BodyTooLarge:         {413, 2, "the body is larger than 1 MiB"},
	UnsupportedMediaType: {415, 2, "send Content-Type: application/json"},
	LineOutOfRange:       {416, 2, "the file has fewer lines"},
	BinaryFile:           {422, 2, "the file is not text"},
	RateLimited:          {429, 6, "too many requests; wait and try again"},
	Overloaded:           {503, 6, "the server is busy; wait and try again"},
	RAGUnavailable:       {503, 6, "the store does not answer; try again, then check /readyz"},
	EmbedderUnavailable:  {503, 6, "the embedder does not answer; use mode \"lexical\" meanwhile"},
	LLMUnavailable:       {503, 6, "the language model does not answer"},
	Timeout:              {504, 6, "the request took too long; narrow it or try again"},
	Internal:             {500, 1, "internal error; the log has it under this request id"},
	Canceled:             {499, 1, "the client closed the request"},
}

// Row is the code's line in the table; unknown codes read as Internal.
func (c Code) Row() Row {
	if row, ok := table[c]; ok {
		return row
	}
	return table[Internal]
}

// Codes lists every code of the table, for tests that compare it with the API document.
func Codes() []Code { return slices.Collect(maps.Keys(table)) }
