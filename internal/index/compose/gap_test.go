package compose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What no symbol stands for is found, too: the code of a script, and what registers
// something; but not what a file uses, and no licence.
func TestGaps(t *testing.T) {
	const script = `#!/bin/sh
# Copyright (c) 2020 Someone

usage() {
  echo usage
}
file=$1
git fetch
git checkout "$file"

branch=main
git merge "$branch"
git push
git tag done
`
	usage := parse.Symbol{Name: "usage", Qualified: "usage", Kind: "func", StartLine: 4, EndLine: 6}
	value := func(line int) parse.Symbol {
		return parse.Symbol{Name: "v", Qualified: "v", Kind: "var", StartLine: line, EndLine: line}
	}
	imports := strings.Repeat("import a\n", 8)
	long := strings.Repeat("  get handler\n", 130)
	for name, tc := range map[string]struct {
		text    string
		symbols []parse.Symbol
		record  models.FileRecord
		want    []string
	}{
		"script": {script, []parse.Symbol{usage, value(7), value(11)}, models.FileRecord{}, []string{"8-14"}},
		"too little": {
			script,
			[]parse.Symbol{usage, {Name: "f", Qualified: "f", Kind: "func", StartLine: 7, EndLine: 10}},
			models.FileRecord{},
			nil,
		},
		"test":      {script, []parse.Symbol{usage}, models.FileRecord{Test: true}, nil},
		"vendored":  {script, []parse.Symbol{usage}, models.FileRecord{Vendored: true}, nil},
		"generated": {script, []parse.Symbol{usage}, models.FileRecord{Generated: true}, nil},
		"chunks": {
			script, []parse.Symbol{{Kind: models.KindChunk, StartLine: 1, EndLine: 2}}, models.FileRecord{}, []string{"1-2"},
		},
		"imports": {imports, nil, models.FileRecord{}, nil},
		"a long class": {
			long,
			[]parse.Symbol{{Name: "C", Qualified: "C", Kind: "class", StartLine: 1, EndLine: 130}},
			models.FileRecord{},
			[]string{"1-60", "61-120", "121-130"},
		},
		"a short class": {
			long,
			[]parse.Symbol{{Name: "C", Qualified: "C", Kind: "class", StartLine: 1, EndLine: 120}},
			models.FileRecord{},
			[]string{"121-130"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.record.Path = "a/b"
			got := compose.File(compose.Source{
				Repo: "r", Record: tc.record, Text: tc.text, Raw: tc.text,
				Outline: parse.Outline{Method: parse.MethodTree, Symbols: tc.symbols},
			})
			var chunks []string
			for _, d := range got.Documents {
				if d.Kind == models.KindChunk {
					chunks = append(chunks, fmt.Sprintf("%d-%d", d.StartLine, d.EndLine))
				}
			}
			if diff := cmp.Diff(tc.want, chunks); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if want := len(got.Documents) - 1; len(got.Documents[0].ChildrenIDs) != want {
				t.Errorf("%d children, want %d", len(got.Documents[0].ChildrenIDs), want)
			}
		})
	}
}
