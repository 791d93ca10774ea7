package models

import (
	"fmt"
	"time"
)

// An IndexState is where a repository's index stands.
type IndexState string

// The index states. A repository that answers has StateFresh; whether that is
// still true of the working tree is the gateway's question.
const (
	StateNever    IndexState = "never"    // registered, no index yet
	StateIndexing IndexState = "indexing" // the first index is being built
	StateFresh    IndexState = "fresh"    // the last run ended well, or what there is answers: then LastError says why
	StateStale    IndexState = "stale"    // only shown: StateFresh where the last run did not end well
	StateError    IndexState = "error"    // no usable index; LastError says why
)

// A Repository is the record of one registered repository.
type Repository struct {
	MaskCount

	RepoID            RepoID     `json:"repo_id"`
	Root              string     `json:"root"`          // absolute folder on this machine
	URL               string     `json:"url,omitempty"` // where it was cloned from
	State             IndexState `json:"state"`
	DocCount          int        `json:"doc_count"`
	FileCount         int        `json:"file_count"` // indexed files
	SkippedCount      int        `json:"skipped_count"`
	Languages         []string   `json:"languages"` // by bytes of source, most first
	LastIndexedAt     time.Time  `json:"last_indexed_at,omitzero"`
	LastIndexedCommit string     `json:"last_indexed_commit,omitempty"`
	// that changed something, so that one state of the index is told from another
	Runs          int    `json:"runs,omitempty"`
	SchemaVersion int    `json:"schema_version"`
	LastError     string `json:"last_error,omitempty"`
	Revision      string `json:"revision,omitempty"` // of what all documents were made with, see FileRecord
	Stored        bool   `json:"stored,omitempty"`   // the last run kept the content of files, see Content
	// Summaries is how many a language model has written, of contents of now and before.
	Summaries int `json:"summaries,omitempty"`
	// Pending is how many documents wait for their vectors, which a server makes:
	// they are found by words only. The reason is empty while they are being made.
	Pending       int    `json:"pending,omitempty"`
	PendingReason string `json:"pending_reason,omitempty"`
	// Beyond is how many symbols and sections of BeyondFiles have no document:
	// FileRecord.Beyond of all.
	Beyond      int `json:"beyond,omitempty"`
	BeyondFiles int `json:"beyond_files,omitempty"`
	// BeyondIn is how many are in which file, unless there are more files than MaxBeyondIn.
	BeyondIn map[string]int `json:"beyond_in,omitempty"`
	// Updating tells, on a store whose batches are not atomic, that some files
	// are indexed as they are now and some as they were: a run is under way, or
	// was cut off.
	Updating bool `json:"updating,omitempty"`
	// Interrupted is how many runs in a row ended with their process, which nobody
	// meant, before the first one was through.
	Interrupted int `json:"interrupted,omitempty"`
}

// MaxBeyondIn is for how many files Repository.BeyondIn is kept.
const MaxBeyondIn = 200

// Status is the index status that replies carry.
func (r Repository) Status() *IndexStatus {
	s := &IndexStatus{Repo: r.RepoID, IndexState: r.State, SchemaVersion: r.SchemaVersion}
	if !r.LastIndexedAt.IsZero() {
		s.LastIndexedAt = new(r.LastIndexedAt.UTC().Format(time.RFC3339))
	}
	s.LastIndexedCommit, s.LastError = Opt(r.LastIndexedCommit), Opt(r.LastError)
	if r.State == StateFresh && r.LastError != "" {
		s.IndexState = StateStale
	}
	return s
}

// VectorsMissing is the code of the warning that SayPending words.
const VectorsMissing = "VECTORS_MISSING"

// SayPending tells, for people, that documents wait for their vectors.
func (r Repository) SayPending() string {
	said := fmt.Sprintf("%s: %d of %d documents have no vector yet and are found by words only", r.RepoID, r.Pending,
		r.DocCount)
	if r.PendingReason != "" {
		return said + ": " + r.PendingReason
	}
	return said
}

// A FileRecord is what the last index run knew of one file. Records of skipped
// files carry the reason and no documents.
type FileRecord struct {
	Path    string `json:"path"`
	Size    int64  `json:"size"`
	ModTime int64  `json:"mtime"` // nanoseconds since 1970
	// when content, name or permissions last changed, likewise; 0 where the system does not tell
	Changed  int64  `json:"ctime,omitempty"`
	Hash     string `json:"hash,omitempty"` // hex SHA-256 of the content
	Language string `json:"language,omitempty"`
	Lines    int    `json:"lines,omitempty"`
	// how symbols were found: go/parser, tree-sitter, outline, chunks, sections
	Method  string     `json:"method,omitempty"`
	Skipped SkipReason `json:"skipped,omitempty"`
	// the rule or limit behind Skipped; why Method is not the best for the language
	Detail    string       `json:"detail,omitempty"`
	Masked    int          `json:"masked,omitempty"` // credentials replaced in stored content
	Documents []DocumentID `json:"documents,omitempty"`

	// What the summaries of the folders above need, so that they are made
	// again without reading the file again.
	Top       int      `json:"top,omitempty"` // how many of Documents, from the start, are children of the folder
	Summary   string   `json:"summary,omitempty"`
	Package   string   `json:"package,omitempty"`
	Exports   []string `json:"exports,omitempty"` // at most 30 names
	Test      bool     `json:"test,omitempty"`
	Generated bool     `json:"generated,omitempty"`
	Vendored  bool     `json:"vendored,omitempty"`
	// Pending is how many of Documents wait for their vectors.
	Pending int `json:"pending,omitempty"`
	// Racy tells that the file was written so shortly before it was read that
	// a later change may have left size and mtime as they are.
	Racy bool `json:"racy,omitempty"`
	// Grammar is the revision of the grammars that were there to parse the
	// file; 0 if there were none for its language.
	Grammar int `json:"grammar,omitempty"`
	// Beyond is how many symbols or sections have no document, since the file has
	// more of them than a file may have.
	Beyond int `json:"beyond,omitempty"`
	// Stored tells that there is a Content of this file.
	Stored bool `json:"stored,omitempty"`
	// Revision names the rules by which the content was read: what is masked,
	// what counts as text, how documents are made. Another one makes others.
	// It is empty where the content was not read.
	Revision string `json:"revision,omitempty"`
}

// A SkipReason says why a file has no documents.
type SkipReason string

// The skip reasons.
const (
	SkipIgnored   SkipReason = "ignored"     // by git's rules or .ragnavignore
	SkipBinary    SkipReason = "binary"      // not text
	SkipTooLarge  SkipReason = "too_large"   // over the size cap
	SkipSecret    SkipReason = "secret"      // looks like a secret store
	SkipEmpty     SkipReason = "no_text"     // nothing to index
	SkipIrregular SkipReason = "not_regular" // FIFO, socket, device, submodule
	// SkipSymlink is never followed: what it leads to is indexed where it stands, if that is inside.
	SkipSymlink    SkipReason = "symlink"
	SkipUnreadable SkipReason = "unreadable" // permission, or gone between listing and reading
)

// MaxContent is the size in bytes of the largest file whose content is stored:
// as JSON it has at most six times as many, and stores take 20 MB.
const MaxContent = 3 << 20

// A Content is the text of a file as an index run kept it, for servers that
// don't have the repository's folder.
type Content struct {
	Text   string `json:"text"`             // UTF-8 without byte order mark, credentials masked
	Hash   string `json:"hash"`             // hex SHA-256 of the file's bytes
	Lines  int    `json:"lines"`            // of Text
	Masked int    `json:"masked,omitempty"` // credentials replaced by asterisks
	// MaskedLines are the numbers of the lines that the asterisks are in, which
	// are not the lines of the file.
	MaskedLines []int `json:"masked_lines,omitempty"`
}

// ContentsCollection is the collection of Contents by path of one repository.
func ContentsCollection(id RepoID) string { return "contents:" + string(id) }

// A FileState is how a file stands to what was indexed of it.
type FileState int

// The states of files. FileGone is one that is no longer there.
const (
	FileUnknown FileState = iota
	FileSame
	FileChanged
	FileGone
)

// A MaskCount counts credentials that asterisks stand for in what is stored.
// Records that are older than it have zeros.
type MaskCount struct {
	Masked      int `json:"masked"`
	MaskedFiles int `json:"masked_files"` // that have some
}

// Count adds what a file has.
func (n *MaskCount) Count(rec FileRecord) {
	if rec.Masked > 0 {
		n.Masked += rec.Masked
		n.MaskedFiles++
	}
}
