//go:build !unix && !windows

package app

import "errors"

func freeBytes(string) (uint64, error) { return 0, errors.ErrUnsupported }
