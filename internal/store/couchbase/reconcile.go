package couchbase

// pageKeys is how many keys a list brings at once.
const pageKeys = 10_000
