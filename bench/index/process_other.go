//go:build !linux

package main

// watchMemory does not measure on this system.
func watchMemory(int) (peak func() int64) { return func() int64 { return 0 } }

// loadAverage is not known on this system.
func loadAverage() string { return "?" }
