//go:build unix && !linux

package app_test

import "errors"

func mknod(string) error { return errors.New("not tried on this system") }
