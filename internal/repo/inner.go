package repo

import "os"

// OpenFolder opens a folder of the tree itself, to look at what is in it: "" is
// the root. Symlinks are followed inside the root only.
func (t *Tree) OpenFolder(p string) (*os.File, error) {
	return t.dir.OpenFile(orDot(p), os.O_RDONLY|nonBlocking, 0)
}

// Inner opens a folder of the tree as a root of its own: nothing outside of it
// can be reached. It is the caller's to close.
func (t *Tree) Inner(p string) (*os.Root, error) { return t.dir.OpenRoot(orDot(p)) }

// NeverListed reports whether List has no files of that name, nor in a folder of
// that name: version control's and our own, and what is not text.
func NeverListed(name string) bool { return hidden(name) || oddName(name) != "" }
