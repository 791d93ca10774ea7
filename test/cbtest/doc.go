// Package cbtest is a Couchbase node for tests: it listens on the loopback
// interface, speaks the key-value protocol and the HTTP interfaces of the
// cluster manager, the Query and the Search service, and an unmodified gocb
// client cannot tell it from a small server. It keeps everything in memory.
//
// What it does it does as the server does: CAS, expiry, mutation tokens,
// durability levels, collections, GSI indexes that a query needs, search
// indexes that lag behind the writes, and the server's own error texts. What
// it does not know it refuses: an unknown command, path or statement is an
// error, never an empty success.
//
// On top of that it can be made to fail: Inject answers the next requests with
// an error, late, cut off in the middle or with failed search partitions;
// Stop and Start restart the node with its data kept.
//
// Of SQL++ it knows the statements that the store and the driver send, by their
// text. A query that no index serves is an error, as on servers before 7.6 and
// on later ones whose sequential scans are off; one that does not wait for the
// index sees no write since somebody waited.
//
// Limits, on purpose: one node, 64 vBuckets, no TLS, no replicas, no
// sub-document operations, no compression, no prepared statements, and no search
// index outside of a scope. The Search service is the real engine, a program of
// its own: see ErrNoEngine.
package cbtest
