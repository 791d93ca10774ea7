// Package searchsim is the Search service of Couchbase as an engine in memory,
// without sockets, for tests of the adapter that speaks to the real one. It
// does what the server does where the adapter can see it, above all where the
// server fails in silence:
//
//   - query and knn are a union with summed scores; the k nearest are those of
//     the whole index, or of what the filter selects where Options.Prefilter
//     says that the server is new enough. Older ones ignore the filter.
//   - A field that is not indexed, and a query vector of another length than the
//     index has, find nothing and are no error. A document with such a vector
//     is in the index without it.
//   - A definition goes through bleve's own mapping, which the server uses, so
//     its analysers really run. Only stored fields come back.
//   - Partitions that fail answer 200, and only the status tells.
//
// It is stricter than the server in one way: the server ignores keys of a
// request that it does not know, and this engine refuses them, as it refuses
// what it does not implement. Nothing that a test sends is without effect.
//
// Not imitated: approximate vectors (here the nearest are exact), an index over
// several collections, aliases, and whether the collections of a definition
// exist. Documents and indexes of an Engine belong to one bucket.
//
// # Scores
//
// Reference scoring is that of the embedded store to the last bit: BM25 with
// k1 = 2 and b = 0.75 for the words of a match, the boost for every other
// query. So a search must have the same answer from both stores.
//
// Bleve scoring is what a real server gives: the text part runs on an index of
// bleve. It shows what Reference scoring hides. The boosts of conjuncts,
// disjuncts, ids and of a query with a single term do nothing. Where several
// terms are scored and all have the boost 0, scores are not a number, and the
// server answers 500. Equal vectors score [math.MaxFloat32].
//
// # Partitions
//
// With one partition the server answers 400 to what only its index finds wrong,
// an expression that is none or too many terms; with several it answers 200
// and fails in each, and so does this engine. A k outside of 1..10,000 always
// fails here in every partition. Servers of today find it earlier and answer
// 400.
package searchsim
