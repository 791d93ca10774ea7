package models

// A Status is the outcome of an operation.
type Status string

// The outcomes. StatusFallback is an answer from the live tree.
const (
	StatusOK       Status = "OK"
	StatusFallback Status = "FALLBACK"
	StatusError    Status = "ERROR"
)

// A Source says where an answer came from.
type Source string

// The sources. SourceGraph is the index or the graph.
const (
	SourceGraph    Source = "RAG_GRAPH"
	SourceFallback Source = "LOCAL_FALLBACK"
	SourceNone     Source = "NONE"
)

// Freshness says how an answer relates to the working tree.
type Freshness string

// The freshness states.
const (
	Fresh   Freshness = "FRESH"
	Stale   Freshness = "STALE"
	Unknown Freshness = "UNKNOWN"
)

// LeastFresh is what an answer is that is made of two: STALE before UNKNOWN
// before FRESH.
func LeastFresh(a, b Freshness) Freshness {
	for _, state := range []Freshness{Stale, Unknown} {
		if a == state || b == state {
			return state
		}
	}
	return Fresh
}

// IndexStatus describes one repository's index.
type IndexStatus struct {
	Repo              RepoID     `json:"repo"`
	IndexState        IndexState `json:"index_state"`
	LastIndexedAt     *string    `json:"last_indexed_at"` // RFC 3339, UTC
	LastIndexedCommit *string    `json:"last_indexed_commit"`
	SchemaVersion     int        `json:"schema_version"`
	LastError         *string    `json:"last_error"`
}

// BytesPerToken is what a token has at least: code has three bytes and more for
// each with the tokenizers of today's models.
const BytesPerToken = 3

// Tokens is how many tokens a text of so many bytes has at most.
func Tokens(size int) int { return (size + BytesPerToken - 1) / BytesPerToken }

// A Call is a request that can be made as it stands.
type Call struct {
	Operation string `json:"operation"`
	Request   any    `json:"request"`
}

// A Warning tells of something that weakens an otherwise good answer.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// AsNow ends what a message says of files that changed since they were read, and are
// searched as they are.
const AsNow = "the answer is of the files as they are now"

// Meta is the head of every reply. Its first six keys are always present.
type Meta struct {
	Status         Status       `json:"status"`
	ErrorCode      *string      `json:"error_code"`
	Message        *string      `json:"message"`
	Source         Source       `json:"source"`
	FreshnessState Freshness    `json:"freshness_state"`
	IndexStatus    *IndexStatus `json:"index_status"`
	RequestID      string       `json:"request_id"`
	TookMS         float64      `json:"took_ms"`

	Truncated      bool              `json:"truncated,omitempty"`
	NextCursor     string            `json:"next_cursor,omitempty"`
	Next           *Call             `json:"next,omitempty"`           // goes on behind what max_tokens cut
	Total          *int              `json:"total,omitempty"`          // items on all pages
	TotalAtLeast   bool              `json:"total_at_least,omitempty"` // there may be more than Total
	Warnings       []Warning         `json:"warnings,omitempty"`
	StaleFiles     []string          `json:"stale_files,omitempty"` // at most 5
	StaleFileCount int               `json:"stale_file_count,omitempty"`
	Fields         map[string]string `json:"fields,omitempty"` // per-field problems of an INVALID_REQUEST
}

// A Result is the envelope of a reply with items of type T. Operations embed
// it in their response type, beside the fields of their own.
type Result[T any] struct {
	Meta  Meta `json:"meta"`
	Items []T  `json:"items"`
}

// Envelope gives transports access to the head of any reply.
type Envelope interface {
	Head() *Meta
	// Shown is how many of Meta.Total are in the reply.
	Shown() int
}

// Head implements Envelope.
func (r *Result[T]) Head() *Meta { return &r.Meta }

// Shown implements Envelope.
func (r *Result[T]) Shown() int { return len(r.Items) }

// OKResult is an answer from the index.
func OKResult[T any](items []T) Result[T] {
	return result(Meta{Status: StatusOK, Source: SourceGraph, FreshnessState: Unknown}, items)
}

// FallbackResult is an answer from a live scan of the tree.
func FallbackResult[T any](items []T, message string) Result[T] {
	return result(Meta{Status: StatusFallback, Source: SourceFallback, FreshnessState: Stale, Message: Opt(message)},
		items)
}

// ErrorResult is the reply to a request that failed.
func ErrorResult(code, message string) Result[struct{}] {
	return result[struct{}](Meta{
		Status: StatusError, Source: SourceNone, FreshnessState: Unknown,
		ErrorCode: &code, Message: Opt(message),
	}, nil)
}

func result[T any](meta Meta, items []T) Result[T] {
	if items == nil {
		items = []T{}
	}
	return Result[T]{Meta: meta, Items: items}
}

// Or is what p points to, else usual: of what a request may leave out.
func Or[T any](p *T, usual T) T {
	if p == nil {
		return usual
	}
	return *p
}

// Opt is nil for "", else a pointer to s: the JSON null of an optional string.
func Opt(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
