package models

// An Overlay is documents to be seen over those that are stored, by one request.
type Overlay struct {
	Key       string       // stands for all of it: the same key, the same overlay
	Documents []Document   // with Text and Embedding
	Hidden    []DocumentID // those that are stored and not to be seen
}
