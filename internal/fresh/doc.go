// Package fresh says whether what was built from a repository, the graph, is
// still true of its folder, and which files it is no longer true of.
//
// The status file and HEAD decide first (package artifact). A Manifest is what
// they leave out: the files that the graph was built from, each with the hash of
// its content. Its Check tells exactly, at the price of one system call for each
// file and no process but two short ones of git, which files changed, came and
// went since.
//
// # How a check is exact
//
// The content of a file is the same while its size, its two times and its inode
// are. The time of the last change of any kind can't be set by programs, so that
// "touch -r" and a renamed older copy are seen. Files that were written within
// two seconds of the look that the manifest remembers are racy: a later write
// may show the same times, so they are read and hashed. A file that only looks
// different is hashed too; when its content is the same, that look is
// remembered in memory, and it is not hashed again.
//
// No file is new while no folder has got an entry, which its times tell, and
// nothing changed that decides which files are listed: ignore files, git's index
// and settings, what is a nested repository. What is new in a folder is put to
// git, by name; when what decides changed, git lists everything again.
//
// Two things are out of reach: a program that writes through a memory map
// whose page was dirty before the look, and a system clock that is set back.
//
// # Watchers
//
// With Options.Watchers, on Linux, the folders of a manifest that is asked about
// again are watched, and a check looks only where something happened, or where
// that can't be told. It begins by reading all events there are; changes that
// give none (through a memory map that is still there, by another name of a file
// that nobody was told of) are seen at the latest by a check that begins Trust
// after them. Whenever there is a doubt, everything is looked at. docs/adr/0017
// has the argument.
package fresh
