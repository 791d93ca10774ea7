// Package embedded is the store of one process: files in one folder, no server.
//
// # Files
//
//	LOCK                held while the store is open; owner.json says by whom
//	.gitignore          of a directory that was made for it: git and index runs ignore it
//	format.json         version of the layout and number of vector components
//	text/               bleve's inverted index (scorch): postings, records
//	rows/               package vector's log: each document, with its vector;
//	                    "known" has what Open would read all of it and of the segments for
//	drafts/             changes of a repository that nobody sees yet, see AppendDraft
//	registrations.json  which repositories there are, should the index be lost
//	seals.json          how files looked when they were found whole
//	folders/            what processes learnt of the folders of repositories, a cache
//	                    of package current
//	reserve             room for the removal of a repository from a full disk
//	quarantine/         damaged files that were put aside
//
// # One commit point
//
// Apply appends the rows of the new documents to the log and syncs it, then
// gives bleve one batch with the changed documents, the deletions and the
// log's mark. Scorch makes a batch durable as a whole, so that batch is the
// commit: rows beyond the committed mark belong to nothing and are cut off on
// open. The rows of deleted documents stay until compaction; no posting points
// to them.
//
// # Backups
//
// Segments never change and rows stay up to the mark, so the files of a commit,
// once open, are that state for good: Backup copies it beside a process that
// writes. A backup is a compressed tar file with the checksums of all at its end.
//
// # One posting ties both
//
// Every document has a row, with a vector or without, and one posting in the
// field "_row", under the name of its text field. Its frequency is the serial
// number of its row (plus 2) and its length the number of terms of its text
// (plus 1). So reading those postings gives for each of scorch's document
// numbers the row and the length, and which documents there are; records have
// none. Bleve knows documents by a hash of their id. The rows have the ids, with
// them the header as meta data, and as value what else there is to show.
//
// # Embeddings by key
//
// The meta data of a row ends with the key of its embedding, see EmbeddingKey in
// package models: the rows are also what was made of which text. Embeddings looks
// keys up in a table that it makes of all rows when it is first called, those of
// deleted and replaced documents included, which go with compaction. Rows of
// earlier programs have no key and are found by nobody.
//
// # Types
//
// A Store is what users see of: files, the data directory as it is open; readers,
// who holds which state; writer, which commits changes; drafts, which publishes
// them; scrubber, which looks for damage; mender, which puts it aside; merger,
// which makes few segments of many. An opening opens the files, and mends them. Who
// changes files has the turn to write; the merger leaves them as they are, and adds one.
package embedded
