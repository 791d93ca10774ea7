// Package repo reads registered repositories from disk: which files they have,
// what is in them, what kind of files they are, and what git knows.
//
// Every file is opened through os.Root, so nothing outside a repository can be
// read, whatever its symlinks and its clients' paths say. The .git folder is
// never served.
//
// On a machine that does not have a repository's folder, a StoredTree answers
// instead, from what index runs kept; Files is what both can do.
//
// # Listing
//
// In a git work tree the files are exactly those of "git ls-files -co
// --exclude-standard": only git treats tracked but ignored files, nested rules,
// worktrees and sparse checkouts as git does. git runs with a cleared
// environment and without hooks, monitors, pagers and transports, because a
// repository's own configuration may be hostile. Where git is not installed, and
// where it says that a folder is in no work tree and the disk agrees, the folder
// is walked under its .gitignore files. A git that fails, is killed, or takes too
// long says nothing about files: that is an error, and never an empty or another
// listing.
//
// .ragnavignore files, in any folder and with the syntax of .gitignore, exclude
// more, tracked files too. They can't bring back what git ignores.
//
// Both kinds of ignore files are read here and matched by doublestar. Of the
// libraries at hand go-git's matcher is the best kept; it brings five
// modules and disagrees with git on "[!a]", "a/**", "a/**b" and "a//b". A test
// compares the rules with git's own answers.
package repo
