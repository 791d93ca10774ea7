package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// A size is what a tree of files amounts to. Lines are counted in files
// without a zero byte only.
type size struct {
	files int
	bytes int64
	lines int
}

// eachFile calls f with every regular file below root.
func eachFile(root string, f func(path string, data []byte) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return f(path, data)
	})
}

func copyTree(from, to string) (size, error) {
	var s size
	err := eachFile(from, func(path string, data []byte) error {
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		s.files++
		s.bytes += int64(len(data))
		if bytes.IndexByte(data, 0) < 0 {
			s.lines += bytes.Count(data, []byte("\n"))
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
	return s, err
}
