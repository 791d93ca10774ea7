// Package overlay answers who uses what in a graph of which some files changed
// since it was built: a View.
//
// # Equality with a rebuild
//
// A View answers over a Graph and Changes of files since. Its answers are those of a
// graph built anew from the changed tree:
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
//     when asked for. The rest keep their edges. Paths of imports mention names as
//     well: of all names that come with such an import any may be another.
//   - Where names don't tell what may be different (a file comes or goes, a
//     package or a star import changes), all references of the name are resolved
//     again. Files of a Go package that has others only declare names.
package overlay
