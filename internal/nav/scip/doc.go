// Package scip reads and writes SCIP indexes, which compilers' indexers make of
// repositories, and resolves references by them.
//
// An [Index] is a protobuf message; what is not needed of it is skipped. It says
// of places in documents which symbols stand there, in positions of an encoding
// that it declares. It does not say of which text it was made, so a [Table]
// notes the hashes of the files as they are when it is made, and leaves out
// documents that cannot have been made of them. The table names declarations by
// path and qualified name, so that it holds while other files change. Its
// [Table.Over] knows what stands at the places of files that are as they
// were then; of all else it knows nothing.
package scip
