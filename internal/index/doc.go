// Package index brings repositories into the store and keeps them there.
//
// A job goes through a repository in three steps. It lists the files as git
// does and compares them with the records of the last run. Workers read what
// changed, parse it, compose documents and embed them; one committer writes
// them in batches, each file together with its record, so that a file is
// either old or new and never half of each. At the end the summaries of the
// folders above changed files and of the repository are made again from the
// records alone.
//
// A run can be cancelled or killed at any moment: what was committed stays and
// the next run goes on from there.
package index
