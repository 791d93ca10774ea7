// Package index brings repositories into the store and keeps them there: the
// operations that start, follow and cancel jobs, preview them, say what is indexed
// and why the rest is not, and remove repositories.
//
// Jobs are queued in package jobs; what a job does to a repository is package run,
// which says what holds at every moment of it; what both keep in a store beside
// documents is package records, and documents are made by package compose.
package index
