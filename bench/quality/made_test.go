package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeclarations finds what lines declare and what comments say of it, and takes
// the comments out without moving a line.
func TestDeclarations(t *testing.T) {
	for name, tt := range map[string]struct {
		text, declared, doc string
	}{
		"a.go": {
			"package a\n\n// Dial opens a connection to the given address.\nfunc (c *Client) Dial(a string) {}\n",
			"Dial callable 4", "opens a connection to the given address",
		},
		"a.py": {"class Pool:\n    def take(self):\n        \"\"\"Wait until there is a connection. Then\n" +
			"        return it.\"\"\"\n        return 1\n", "Pool type 1, take callable 2", "Wait until there is a connection"},
		"A.java": {
			"/** Pool of {@code things}. */\npublic final class Pool {\n  /**\n" +
				"   * Gives back what was taken from here.\n   * @param x what\n   */\n  @Override\n  public void give(int x) {\n",
			"Pool type 2, give callable 8", "Gives back what was taken from here",
		},
		"a.h": {"int open_all(const char *path);\n#define OPEN_MAX 8\n", "OPEN_MAX value 2", ""},
		"a.rb": {
			"# Tells whether all of it was read.\ndef done?\nend\n", "done? callable 2",
			"Tells whether all of it was read",
		},
		"a.lua": {
			"--- adds up all of these numbers.\nfunction list.sum(t)\nend\n", "sum callable 2",
			"adds up all of these numbers",
		},
		"a.other": {"func Dial() {}\n", "", ""},
	} {
		declared, stripped := declarations(name, tt.text)
		var got []string
		doc := ""
		for _, d := range declared {
			got = append(got, strings.Join([]string{d.name, d.kind, string(rune('0' + d.line))}, " "))
			doc += d.doc
		}
		if strings.Join(got, ", ") != tt.declared || doc != tt.doc {
			t.Errorf("%s: declares %q, says %q; want %q, %q", name, got, doc, tt.declared, tt.doc)
		}
		if tt.doc != "" && (strings.Contains(stripped, tt.doc) ||
			strings.Count(stripped, "\n") != strings.Count(tt.text, "\n")) {
			t.Errorf("%s: left of it:\n%s", name, stripped)
		}
	}
}

func TestMisspelt(t *testing.T) {
	for _, name := range []string{"ParseRequest", "connection_pool", "maxRetries", "isShutdown", "getObject"} {
		if wrong := misspelt(name); wrong == name || len(wrong) < len(name)-1 || len(wrong) > len(name)+1 ||
			wrong[:2] != name[:2] {
			t.Errorf("misspelt(%q) = %q", name, wrong)
		}
	}
}

// TestMeasure computes NDCG@10 by hand: gains 7 and 3, discounts 1 and 1/log2(3).
func TestMeasure(t *testing.T) {
	q := question{Level: "symbol", Relevant: []judgment{{"a.go", "A", 5, 3}, {"b.go", "B", 0, 2}}}
	f := measure(q, []answer{{"a.go", "A", 7, 9}, {"b.go", "x.B", 1, 2}, {"a.go", "A", 1, 9}, {"a.go", "A", 1, 9}})
	want := (3/math.Log2(3) + 7/math.Log2(4)) / (7 + 3/math.Log2(3))
	if math.Abs(f.NDCG-want) > 1e-9 || f.MRR != 0.5 || f.First != 0 || f.Five != 1 {
		t.Errorf("measure = %+v, want NDCG %.4f", f, want)
	}
}

// TestBootstrap holds the limits against those of the normal distribution.
func TestBootstrap(t *testing.T) {
	var list []float64
	for i := range 400 {
		list = append(list, float64(i%2))
	}
	middle, low, high := bootstrap(list)
	if math.Abs(middle-0.5) > 1e-9 || math.Abs(low-0.451) > 0.005 || math.Abs(high-0.549) > 0.005 {
		t.Errorf("bootstrap = %.3f [%.3f, %.3f], want .500 [.451, .549]", middle, low, high)
	}
}

// TestDocumented asks by sentences of a tree that keeps its documentation, and nothing else.
func TestDocumented(t *testing.T) {
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "pool")
	text := "package pool\n\n// Take waits until there is a connection to take.\nfunc Take(ctx Context) {}\n"
	if err := os.WriteFile(filepath.Join(dir, "pool.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	qs, err := source{name: "pool"}.ask(dir, target, true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range qs {
		got = append(got, q.Task+": "+q.Text)
	}
	want := "sentence: waits until there is a connection to take, sentence-file: waits until there is a connection to take"
	if strings.Join(got, ", ") != want {
		t.Errorf("asked %q, want %q", got, want)
	}
	if copied, err := os.ReadFile(filepath.Join(target, "pool.go")); err != nil || string(copied) != text {
		t.Errorf("copied %q, %v", copied, err)
	}
}
