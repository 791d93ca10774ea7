//go:build cgo && !linux

package treesitter

func useArena() bool { return false }

func beginArena() {}

func endArena() {}
