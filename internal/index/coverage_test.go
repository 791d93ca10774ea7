package index_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestCoverage(t *testing.T) {
	b := setUp(t, small)
	b.write(".gitignore", "build/\n")
	b.write("build/out.js", "x\n")
	b.run()
	b.write("new.go", "package x\n")

	res, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Only: "skipped"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range res.Items {
		got = append(got, item.FilePath+" "+string(item.Reason))
	}
	if diff := cmp.Diff([]string{".env secret", "logo.bin binary", "server/empty.go no_text"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[models.SkipReason]int{"secret": 1, "binary": 1, "no_text": 1}, res.Skipped); diff != "" || res.Indexed != 7 {
		t.Errorf("%d indexed, %s", res.Indexed, diff)
	}
	page, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Limit: new(4)})
	if err != nil || len(page.Items) != 4 || *page.Meta.Total != 10 || page.Meta.NextCursor == "" {
		t.Errorf("page %+v, %v", page, err)
	}

	tests := []struct {
		name, path string
		indexed    bool
		reason     models.SkipReason
		says       string
	}{
		{"indexed", "./main.go", true, "", ""},
		{"skipped", "logo.bin", false, models.SkipBinary, ""},
		{"ignored", "build/out.js", false, models.SkipIgnored, "build/"},
		{"newer than the index", "new.go", false, "", "ragnav index"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			res, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Path: test.path})
			if err != nil {
				t.Fatal(err)
			}
			item, message := res.Items[0], ""
			if res.Meta.Message != nil {
				message = *res.Meta.Message
			}
			if item.Indexed != test.indexed || item.Reason != test.reason || !strings.Contains(item.Detail+message, test.says) {
				t.Errorf("got %+v, message %q", item, message)
			}
		})
	}
	for path, want := range map[string]fault.Code{"nope.go": fault.PathNotFound, "../x": fault.InvalidPath, "server": fault.InvalidPath} {
		if _, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Path: path}); fault.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if _, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: "x"}); fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("unknown repository: %v", err)
	}
}

func TestMaskedCredentials(t *testing.T) {
	lines := "// Key is one.\nconst Key = \"AKIA" + "QWERTYUIOPASDFGH\""
	b := setUp(t, map[string]string{"a.go": "package a\n\n" + lines + "\n"})
	b.run()
	hash := models.HashText(lines)
	for id, d := range b.store.all() {
		if d.Type == models.TypeSymbol && d.ContentHash != hash {
			t.Errorf("%s has the hash %s, want %s of the lines as they are in the file", id, d.ContentHash, hash)
		}
		if strings.Contains(d.Content+d.Text+d.Signature, "QWERTY") {
			t.Errorf("%s has the credential", id)
		}
	}
	res, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Path: "a.go"})
	if err != nil || !strings.Contains(res.Items[0].Detail, "1 credential") {
		t.Errorf("got %+v, %v", res.Items, err)
	}
}
