// Package fts is the typed form of the search request that both engines
// execute: Couchbase Search over the wire and the embedded store in process.
// It also holds what both must agree on: the names of the indexed fields, what
// of a document goes into each, and the analyser that turns text into terms.
//
// # What query and knn mean together
//
// As measured on Couchbase, query and knn are a union with summed scores: the K
// nearest documents *that Filter selects* are taken, the query runs, and a
// document found by either is a hit. KNNOperator "and" only joins several
// entries of KNN with each other. So a vector leg that wants one type of
// document puts the same terms into Query (boost 0) and into KNN.Filter.
package fts

import "github.com/ragnav/ragnav/internal/rag/models"

// MaxK is the largest K of a KNN clause and the largest From+Size.
const MaxK = 10_000

// A Request is one search. Hits are ordered by score, best first, then by id.
type Request struct {
	Query       Query  `json:"query"`
	KNN         []KNN  `json:"knn,omitempty"`
	KNNOperator string `json:"knn_operator,omitempty"` // "or" (default) or "and"
	Size        int    `json:"size"`
	From        int    `json:"from,omitempty"`

	// Statistics selects the documents whose numbers and lengths BM25 counts, so
	// that scores don't depend on others; nil: all. Couchbase knows only those of
	// each partition.
	Statistics Query `json:"-"`

	// Near is a vector that hits are measured by, see Hit.Near.
	Near []float32 `json:"-"`
}

// KNN asks for the K nearest unit vectors in Field among the documents that
// Filter selects (a true pre-filter). The score is 1/d² for the Euclidean
// distance d (l2_norm), which on unit vectors orders as the cosine does:
// d² = 2 - 2·cos. d² is taken as at least 1e-9 so that the score is finite.
type KNN struct {
	Field  string    `json:"field"`
	Vector []float32 `json:"vector"`
	K      int       `json:"k"`
	Filter Query     `json:"filter,omitempty"`
	Boost  *float64  `json:"boost,omitempty"`
}

// A Result is the reply to a Request.
type Result struct {
	Hits []Hit
	// Total counts all documents that match, or is -1 where the store did not
	// have to count them.
	Total int
	// Failed and Partitions count the parts of the index that did not answer,
	// and all of them. Failed > 0 is a partial result.
	Failed, Partitions int
	// Dropped counts hits that the engine returned although the filter does not
	// select them; they are not among Hits.
	Dropped int
	// Degraded says why the reply may miss documents, in one line for people;
	// "" when it does not.
	Degraded string
}

// A Hit is one document found.
type Hit struct {
	models.Header

	Score float64
	// Near is what a KNN clause of the request's Near would give the document; 0
	// where it has no vector, and from stores that would have to ask for it.
	Near float64
}
