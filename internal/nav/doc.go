// Package nav follows code in one repository: text, uses, lineage. Its answers
// are those of the tree as it is on disk. Where there is a graph, built by
// Build, it answers for the files that it is still true of, and what changed is
// read now; else the whole answer is a live scan, and says so.
//
// Only Build writes to a repository, into its folder .llmc.
package nav
