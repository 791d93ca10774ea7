// Package graph is what is known of a repository's names: which symbols it
// declares, and which place uses which of them, in columns. It makes them of the
// facts of all files and of the edges that were found, and reads them.
//
// Its parts are a tree of files, names, facts, edges and links. Facts and edges of
// a file are rows, which are decoded when they are asked for.
//
// The packages below it have the rest: build makes a graph of a tree, ondisk keeps
// it in two files, overlay lays edits over it, and lookup, usage, lineage and joint
// answer.
package graph
