//go:build !linux

package ondisk

// straightHead is never ok here.
func straightHead(string, []byte) (ok bool) { return false }
