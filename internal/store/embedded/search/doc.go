// Package search reads and searches the index as of one commit. A State is that
// commit, held open; an Engine carries out requests on states.
//
// Bleve's own scoring is not BM25 (it takes the root of the term frequency,
// squares idf and counts unique terms as length), so queries are executed here,
// on the postings of scorch's segments. Segments never change: what is read of
// one (rows, lengths, the documents of a filter) is kept as long as it lives. A
// query is evaluated segment by segment, first to the set of matching
// documents, then to the scores of those that are in the final set.
//
// BM25 has k1 = 2 and b = 0.75, idf = ln(1 + (N-n+½)/(n+½)), with N, n and the
// average length over the live documents of one text field, of those that the
// request's Statistics select. A query on a keyword field scores its boost.
// Scores of a request that is repeated are the same bits, however the index
// came about.
package search
