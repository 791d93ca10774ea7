//go:build darwin || (linux && !amd64 && !arm64)

package fresh

func (p fdPlace) differing(files []file, report func(i int, seen stat)) error {
	return differing(files, p.look, report)
}
