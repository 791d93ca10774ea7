// Package listing finds the files of a repository's folder that there are to
// index, and says why others are left out.
//
// In a git work tree the files are exactly those of "git ls-files -co
// --exclude-standard": only git treats tracked but ignored files, nested rules,
// worktrees and sparse checkouts as git does. Where git is not installed, and
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
package listing
