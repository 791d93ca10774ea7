package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A corpus is one repository in memory, for the references.
type corpus struct {
	root  string
	files map[string]*source // by path relative to root
}

// A source is one text file and the symbols in it.
type source struct {
	path  string
	text  string
	spans []span
}

func (s *source) has(symbol string) bool {
	for _, sp := range s.spans {
		if sameSymbol(sp.name, symbol) {
			return true
		}
	}
	return false
}

// prose is what the levels file and symbol don't hold: it is searched at level doc.
var prose = map[string]bool{".md": true, ".rst": true, ".adoc": true, ".txt": true, ".ipynb": true}

// maxSize is the product's own limit for a file.
const maxSize = 1 << 20

func loadCorpora(queries []query, roots map[string]string) (map[string]*corpus, error) {
	corpora := map[string]*corpus{}
	for _, q := range queries {
		if corpora[q.Repo] != nil {
			continue
		}
		root, ok := roots[q.Repo]
		if !ok {
			return nil, fmt.Errorf("no -root %s=FOLDER; bench/quality/run.sh gives them all", q.Repo)
		}
		c, err := loadCorpus(root)
		if err != nil {
			return nil, err
		}
		corpora[q.Repo] = c
	}
	return corpora, nil
}

func loadCorpus(root string) (*corpus, error) {
	c := &corpus{root: root, files: map[string]*source{}}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		if prose[path.Ext(p)] {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil || len(data) > maxSize || bytes.IndexByte(data, 0) >= 0 {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		c.files[rel] = &source{path: rel, text: string(data), spans: cut(rel, data)}
		return nil
	})
	return c, err
}

func cut(name string, data []byte) []span {
	switch path.Ext(name) {
	case ".go":
		return cutGo(data)
	case ".py":
		return cutPython(string(data))
	}
	return nil
}

// texts are the lines of each span, in the order of the spans.
func (s *source) texts() []string {
	all := strings.SplitAfter(s.text, "\n")
	texts := make([]string, 0, len(s.spans))
	for _, sp := range s.spans {
		texts = append(texts, strings.Join(all[min(sp.start-1, len(all)):min(sp.end, len(all))], ""))
	}
	return texts
}
