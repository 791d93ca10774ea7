// Package run is what an index job does to one repository, from listing its files
// to a record that says how it stands.
//
// A run goes through a repository in three steps. It lists the files as git
// does and compares them with the records of the last run. Workers read what
// changed, parse it, compose documents and embed them; one committer gathers
// them in batches, each file together with its record, so that a file is
// either old or new and never half of each. At the end the summaries of the
// folders above changed files and of the repository are made again from the
// records alone.
//
// A first run commits its batches as they come. One over a usable index shows
// readers nothing before its end, where the store is a Drafter: see draft.
//
// A run can be cancelled or killed at any moment: what was committed or drafted
// stays and the next run goes on from there.
//
// What an embedder made of a text is not asked of it again as long as the store
// has it, wherever the text is now: see package vectors. A file is read again when it has
// changed or the rules by which it was read have: see Revision.
//
// # Shared stores
//
// Over a Shared store many processes run jobs. How they share them is said at
// jobs.Board; what is different for a run is that a batch is not atomic: a process
// may die after any of its writes, within a batch in any order. Still no
// document is ever missing that a record speaks of (a hole), and none stays
// that no record speaks of (a ghost), once the next run has ended. This is why:
//
// Files. Before a batch changes documents or stored content of a file, an intent
// is written in place of the file's record. It lists every id that the file has
// before or after, and no size, time or hash, so that no file on disk matches
// it. The record of the new state, or its deletion, comes after everything else.
// At every moment between, the next run finds the intent, reads the file again,
// or finds it gone, puts all of its documents and deletes all others of the list.
// Before the intent nothing has changed; after the last write all has.
//
// Summaries. The records.Folders are marked as dirty before the first document of a
// run changes, and again, with the folders of before and after, before the
// summaries change. It is clean after them. A run that finds it dirty makes all
// summaries again and deletes those of the listed folders that have no files.
//
// All of a repository. Before the documents of a repository are deleted, for
// another embedder or with the repository, its record says that it has no
// usable index, and its records.Folders say Purge. While that is there, file records
// don't count: a run deletes everything again and begins from nothing, a removal
// does the same to its end. The mark goes when documents and file records are
// gone, the repository's own record last. A run that finds no file records at all
// deletes the repository's documents too, whatever they come from.
//
// Readers. The record of a repository says fresh after searches have seen all
// that the run wrote, see Shared.Settle. Intents don't count as documents.
//
// Other writers. Only who has the repository's lease writes any of this. A
// process that was suspended for longer than its lease lasts asks before its
// next write whether it still has it. Only the batch that it was suspended in may
// arrive late. Where the files are still what it read, that writes what is there
// already. Where they are not, it may bring documents back that no record speaks
// of, and delete some of which one does: each run over a whole repository counts
// the documents first, and when there are not as many as the records say, deletes
// the former and reads the files of the latter again. A full run compares the
// documents themselves. What counting cannot tell, as many too many as too few or
// a document that was put back as it was before, stays so until its file changes
// again or a full run comes.
package run
