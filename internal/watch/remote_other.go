//go:build !linux

package watch

func remoteKind(string) string { return "" }
