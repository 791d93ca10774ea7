// Package graph keeps what is known of a repository's names: which symbols it
// declares, and which place uses which of them. It makes the artifact from the
// facts of all files, loads it, lays edits over it, and answers who uses a
// symbol and what reaches what.
//
// # Artifact
//
// A graph is two files in the folder .llmc of a repository. rag_graph.json is
// for everybody (see encode.go), rag_graph.bin is what this package loads (see
// format.go). They are bound to each other by hashes, and a pair that does not
// belong together is refused. The same tree gives the same bytes, whatever the
// number of workers and whether the build was clean or went on from an older
// graph.
//
// The commit point of a build is the renaming of rag_graph.json. Before that
// the new sidecar is at rag_graph.bin.next; a process that dies in between
// leaves a pair that Load finds all the same (see save.go).
//
// # Equality with a rebuild
//
// A View answers over a Graph and an Overlay of files that changed since. Its
// answers are those of a graph built anew from the changed tree:
//
//   - Files have the same numbers in the View's World as in the new graph.
//   - References of changed files are resolved again.
//   - As long as every changed file looks the same to others (its shape: names,
//     kinds, types, bases, imports), references of other files stand for what
//     they stood for, and their stored edges are used.
//   - Else references that mention a name of a symbol that is new, gone or
//     different, directly or through what they mention, may stand for something
//     else (see delta.go). Who asks for a symbol asks for references of its name,
//     or of a name that an import gives it, so of those they are resolved again,
//     when asked for. The rest keep their edges.
//   - Where names don't tell what may be different (a file comes or goes, a
//     package or a star import changes), all references of the name are resolved
//     again. Files of a Go package that has others only declare names.
package graph
