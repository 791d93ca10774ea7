//go:build darwin || (linux && !amd64 && !arm64)

package fresh

func (p fdPlace) lookFile(f *file) (sight, error) { return p.look(f.name) }
