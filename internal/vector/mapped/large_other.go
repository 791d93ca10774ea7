//go:build !linux || nommap

package mapped

// Large does nothing: this system decides by itself.
func Large([]byte) {}
