//go:build !unix

package scan

import "os"

// mapFile reads a file.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	data, err = os.ReadFile(path)
	return data, func() error { return nil }, err
}
