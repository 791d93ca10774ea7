//go:build !unix

package ondisk

// ignoreUnsupported drops the error of systems that cannot sync folders.
func ignoreUnsupported(error) error { return nil }
