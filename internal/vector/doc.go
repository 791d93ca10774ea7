// Package vector finds the rows of a table whose vectors have the largest dot
// products with a query, exactly, by scanning them.
//
// From the bottom up:
//
//   - Package codes makes codes of 8 bits, or of 4 where these are all there is to a
//     vector. A vector is kept as its codes, and from then on it is what they stand
//     for. A search scans them with the query in codes too first; of many rows of 8
//     bits it scans 4, which are kept in memory once searches come often.
//   - Package idtable finds rows by ids, values keeps what else a row has, and mapped
//     has files as memory.
//   - [Bits] is a set of row numbers: the filter of a search.
//   - [Log] keeps rows in an append-only, memory-mapped file. Its writer
//     appends, lets its owner commit the returned [Mark], then publishes.
//   - [Snapshot] is what a reader sees: an unchanging table of rows.
//     [Snapshot.Nearest] searches it.
package vector
