package repo

// Real is the path, relative to the root, that a path as clients give it leads
// to when its symlinks are followed. One that leaves the repository is
// InvalidPath, a missing one PathNotFound.
func (t *Tree) Real(name string) (string, error) {
	p, err := CleanPath(name)
	if err != nil {
		return "", err
	}
	real, err := t.resolve(p)
	if err != nil {
		return "", fileFault(name, err)
	}
	return real, nil
}
