//go:build !unix

package repo

const nonBlocking = 0

func isNotADirectory(error) bool { return false }
