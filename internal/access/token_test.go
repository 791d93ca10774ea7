package access

import (
	"os"
	"path/filepath"
	"testing"
)

// A token is made once, for its owner alone, and made again where none can be read.
func TestOwnToken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, tokenFile)
	own := func() string {
		t.Helper()
		token, err := OwnToken(dir)
		if err != nil || token == "" || ReadToken(dir) != token {
			t.Fatalf("token %q, read %q, error %v", token, ReadToken(dir), err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
			t.Fatalf("mode %v, %v", info.Mode(), err)
		}
		return token
	}
	first := own()
	if again := own(); again != first {
		t.Errorf("the second token is %q, the first was %q", again, first)
	}
	if err := os.WriteFile(path, []byte(first[:9]), 0o644); err != nil {
		t.Fatal(err)
	}
	if own() == first {
		t.Error("a token that was cut off came back")
	}

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	own()
	if aside, _ := filepath.Glob(path + ".put-aside-*/inner"); len(aside) != 1 {
		t.Errorf("put aside: %v", aside)
	}
}
