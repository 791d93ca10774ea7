//go:build !unix

package graph

// ignoreUnsupported drops the error of systems that cannot sync folders.
func ignoreUnsupported(error) error { return nil }
