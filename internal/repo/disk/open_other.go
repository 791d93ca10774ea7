//go:build !unix

package disk

const nonBlocking = 0

func isNotADirectory(error) bool { return false }
