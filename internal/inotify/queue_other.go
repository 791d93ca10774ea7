//go:build !linux

package inotify

import "errors"

// A Queue is not to be had on this system.
type Queue struct{}

// ErrLost is never returned on this system.
var ErrLost = errors.New("events were lost")

// Open is errors.ErrUnsupported on this system.
func Open() (*Queue, error) { return nil, errors.ErrUnsupported }

// Watch implements what Linux has.
func (*Queue) Watch(int) (int, error) { return 0, errors.ErrUnsupported }

func (*Queue) unwatch(int) {}

// Drain implements what Linux has.
func (*Queue) Drain(func(Event)) error { return errors.ErrUnsupported }

// Close implements what Linux has.
func (*Queue) Close() error { return nil }

// SystemLimit is 0: the system does not say.
func SystemLimit() int { return 0 }

// Remote is "": the system does not say.
func Remote(string) string { return "" }

// Local is false: no file system here is known to tell of all changes.
func Local(int) bool { return false }

// LocalPaths is false as Local.
func LocalPaths([]string) bool { return false }
