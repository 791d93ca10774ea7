// Package watch keeps the index of registered folders up to date while their
// files change: it learns of changes, gathers what belongs together, and asks
// for an update of the paths in question.
//
// # What is watched
//
// The folders whose files can be listed (repo.Scope): ignored folders are not
// watched, new ones are, symlinks are not followed. Of a git repository also
// the folder with HEAD and the index: when those change, as with a branch switch
// or a commit, anything may have changed, and the update is a whole run.
//
// # When an update begins
//
// When nothing has changed for Quiet, at the latest Longest after the first
// change, and not while git holds the index (index.lock); for five times Quiet
// once git was at work, so that a branch switch is one update. While one update of a repository runs the next gathers.
// An update that finds the repository taken by another job is tried again.
//
// # Where watching fails
//
// When the system has no more watches to give, on file systems that don't tell of
// changes made elsewhere, and on systems without notifications, the folder
// is listed again and again, at a twentieth of one processor's time, and a whole
// run follows when the listing differs. When the root is gone, watching begins
// anew once it is back.
package watch
