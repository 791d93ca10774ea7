package models

// A Batch is a set of changes to a store. Deletions are carried out before puts.
type Batch struct {
	DeleteRepos   []RepoID     // every document of those repositories
	DeleteRecords []RecordID   // Key "" deletes the whole collection
	Delete        []DocumentID // ids that don't exist are ignored
	Put           []Document
	PutRecords    []Record
}

// A RecordID names a record.
type RecordID struct{ Collection, Key string }

// A Record is a small JSON value kept beside the documents.
type Record struct {
	Collection, Key string
	Value           any
}

// The collections of records.
const (
	CollectionRepos = "repos" // repo_id → Repository
	CollectionMeta  = "meta"  // "embedder" → embed.Manifest; "run:" + repo_id → the mark of a run that has not ended
)

// FoldersKey is the key in CollectionMeta of the record of a repository that
// lists, as "dirs", the folders with indexed files.
func FoldersKey(id RepoID) string { return "folders:" + string(id) }

// FilesCollection is the collection of FileRecords by path of one repository.
func FilesCollection(id RepoID) string { return "files:" + string(id) }

// An Overlay is documents to be seen over those that are stored, by one request.
type Overlay struct {
	Key       string       // stands for all of it: the same key, the same overlay
	Documents []Document   // with Text and Embedding
	Hidden    []DocumentID // those that are stored and not to be seen
}
