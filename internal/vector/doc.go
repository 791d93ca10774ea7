// Package vector finds the rows of a table whose vectors have the largest dot
// products with a query, exactly, by scanning them.
//
// From the bottom up:
//
//   - [DotF32I8], [DotInt8] and their batch forms are the kernels. Assembly
//     (AVX2) and plain Go give the same bits; the build tag purego leaves the
//     assembly out.
//   - [Quantize] makes 8-bit codes. A vector is kept as its codes, and from then
//     on it is what they stand for. A search scans them with the query in codes
//     too first; of many rows 4 bits a component, which are kept in memory once
//     searches come often.
//   - [Bits] is a set of row numbers: the filter of a search.
//   - [Log] keeps rows in an append-only, memory-mapped file. Its writer
//     appends, lets its owner commit the returned [Mark], then publishes.
//     The build tag nommap reads it into memory instead, as systems without
//     memory maps do.
//   - [Snapshot] is what a reader sees: an unchanging table of rows.
//     [Snapshot.Nearest] searches it.
package vector
