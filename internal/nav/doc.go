// Package nav follows code, in one repository or across all that a filter means: text,
// definitions, uses, implementations, lineage, the impact of an edit, a map. Its answers
// are those of the tree as it is on disk. Where there is a graph, built by
// Build, it answers for the files that it is still true of, and what changed is
// read now; else the whole answer is a live scan, and says so.
//
// Package gateway decides which of them answers, graph has what is known of names, and
// resolve finds what they stand for.
//
// Only Build and ExportSCIP write to a repository, into its folder .llmc.
package nav
