package models

// RepoInfo is one item of list_repos. Counts are stored, never recounted.
type RepoInfo struct {
	RepoID            RepoID    `json:"repo_id"`
	DocCount          int       `json:"doc_count"`
	Languages         []string  `json:"languages"`
	FileCount         int       `json:"file_count"`
	FreshnessState    Freshness `json:"freshness_state"`
	LastIndexedAt     *string   `json:"last_indexed_at"`
	LastIndexedCommit *string   `json:"last_indexed_commit"`
}

// StructureInfo is the item of explore_structure: one folder as it is on disk.
type StructureInfo struct {
	RepoID      RepoID            `json:"repo_id"`
	Path        string            `json:"path"`        // "" is the root
	Directories []string          `json:"directories"` // relative to the root, each ends in "/"
	Files       []FileInfo        `json:"files"`
	KeyFiles    map[string]string `json:"key_files"` // readme, config, entry_point, license, build, ci, container → path
	Summary     *string           `json:"summary"`
	Commit      string            `json:"commit,omitempty"` // whose files these are, where one was asked for; its full name
}

// FileInfo is one file of a StructureInfo.
type FileInfo struct {
	Name       string `json:"name"`
	Path       string `json:"path"`
	Language   string `json:"language"`
	LineCount  int    `json:"line_count"`
	HasSummary bool   `json:"has_summary"` // false for a file that is not indexed
}

// SearchResult is one item of search_code.
type SearchResult struct {
	DocumentID  DocumentID         `json:"document_id"`
	DocType     DocType            `json:"doc_type"`
	RepoID      RepoID             `json:"repo_id"`
	FilePath    *string            `json:"file_path"`
	SymbolName  *string            `json:"symbol_name"`
	Language    string             `json:"language"`
	Content     string             `json:"content"`
	Score       float64            `json:"score"` // comparable within one reply, higher is better
	ParentID    *DocumentID        `json:"parent_id"`
	ChildrenIDs []DocumentID       `json:"children_ids"`
	StartLine   *int               `json:"start_line"`
	EndLine     *int               `json:"end_line"`
	Kind        string             `json:"kind,omitempty"`         // of a symbol: func, class, chunk …
	Container   string             `json:"container,omitempty"`    // the type or namespace that a symbol is in
	HeadingPath []string           `json:"heading_path,omitempty"` // of a section, from the outermost heading
	Lines       []MatchLine        `json:"lines,omitempty"`        // those that have most of the query, in order
	Explain     map[string]float64 `json:"explain,omitempty"`      // the parts of Score, when asked for
	Weak        bool               `json:"weak,omitempty"`         // less like the query than what answers one is
	// of a symbol, by the graph of its repository, edits over it; nil where that is not known
	Uses      *int      `json:"uses,omitempty"`
	Tests     *int      `json:"tests,omitempty"` // how many of these are in tests
	Freshness Freshness `json:"freshness,omitempty"`
}

// A MatchLine is a line with words of a query, as it is on disk, without credentials.
type MatchLine struct {
	Line    int      `json:"line"`    // 1-indexed
	Text    string   `json:"text"`    // at most 240 characters
	Matches [][2]int `json:"matches"` // of Text, in characters, the second one exclusive
}

// A Picture is the bytes of an image file.
type Picture struct {
	Media string `json:"media"` // image/png, image/jpeg, image/gif or image/webp
	Data  []byte `json:"data"`  // in base 64
}

// FileContent is the item of get_file: real lines of a file.
type FileContent struct {
	RepoID     RepoID `json:"repo_id"`
	FilePath   string `json:"file_path"`
	Code       string `json:"code"`
	StartLine  int    `json:"start_line"` // 1-indexed
	EndLine    int    `json:"end_line"`   // inclusive; 0 for an empty file
	TotalLines int    `json:"total_lines"`
	Language   string `json:"language"`
	Truncated  bool   `json:"truncated"`
	Symbol     string `json:"symbol,omitempty"` // that was asked for, qualified
	Error      string `json:"error,omitempty"`  // why a span of several has no lines

	Commit    string    `json:"commit,omitempty"`    // whose lines they are, where one was asked for
	Freshness Freshness `json:"freshness,omitempty"` // STALE where the file differs from that commit's, else left out

	Picture *Picture `json:"picture,omitempty"` // in place of lines, where it was asked for
}

// OutlineItem is the item of outline: a symbol of a file, or a heading.
type OutlineItem struct {
	Symbol    string `json:"symbol"`
	Qualified string `json:"qualified"` // of a heading: its slug
	Kind      string `json:"kind"`
	Signature string `json:"signature"` // on one line; empty for headings
	Line      int    `json:"line"`      // of the doc comment above it, where there is one
	EndLine   int    `json:"end_line"`
	Depth     int    `json:"depth"` // of nesting, from 0
	Exported  bool   `json:"exported"`
}

// Answer is the item of ask_codebase.
type Answer struct {
	Answer     string     `json:"answer"` // Markdown; [n] marks refer to Citations
	Citations  []Citation `json:"citations"`
	Gaps       []string   `json:"gaps"` // what the answer does not cover
	OutOfScope bool       `json:"out_of_scope"`
	// Confidence is the share of statements with a checked citation, from 0 to 1.
	Confidence     float64 `json:"confidence"`
	LevelsSearched []Level `json:"levels_searched"`
	Steps          []Step  `json:"steps"`
	Usage          Usage   `json:"usage"`
}

// A Citation is a span of a file that an answer relies on.
type Citation struct {
	N         int    `json:"n"`
	RepoID    RepoID `json:"repo_id"`
	FilePath  string `json:"file_path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Verified  bool   `json:"verified"` // the lines were read again and hold what the answer quotes
}

// A Step is one operation that was done to answer.
type Step struct {
	Operation string `json:"operation"`
	Detail    string `json:"detail"`
	Items     int    `json:"items"`
}

// Usage is what an answer cost. An extractive answer uses no model: all zero.
type Usage struct {
	Model            string `json:"model"`
	PromptTokens     int    `json:"prompt_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
}
