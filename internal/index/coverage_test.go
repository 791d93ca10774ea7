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
	b.write(".ragnavignore", "later.go\n")
	b.write("gone.go", "package x\n")
	b.write("edited.go", "package x\n")
	b.write("later.txt", "x\n")
	b.run()
	b.write("new.go", "package x\n")
	b.write("new/a.go", "package x\n")
	b.remove("gone.go")
	b.write("edited.go", "package x\n\nfunc F() {}\n")
	b.write(".ragnavignore", "later.go\nlater.txt\n")

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
	if diff := cmp.Diff(map[models.SkipReason]int{"secret": 1, "binary": 1, "no_text": 1}, res.Skipped); diff != "" ||
		res.Indexed != 11 {
		t.Errorf("%d indexed, %s", res.Indexed, diff)
	}
	page, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Limit: new(4)})
	if err != nil || len(page.Items) != 4 || *page.Meta.Total != 14 || page.Meta.NextCursor == "" {
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
		{"an ignored folder", "build", false, models.SkipIgnored, `rule "build/" in .gitignore line 1`},
		{"an ignored folder, with a slash", "build/", false, models.SkipIgnored, `rule "build/" in .gitignore line 1`},
		{"deleted since", "gone.go", true, "", "deleted since the index of 20"},
		{"edited since", "edited.go", true, "", "changed since the index of 20"},
		{"ignored since", "later.txt", true, "", `rule "later.txt" in .ragnavignore line 2`},
		{"as it was", "main.go", true, "", ""},
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
			if test.says == "" && message != "" || item.Indexed != test.indexed || item.Reason != test.reason ||
				!strings.Contains(item.Detail+message, test.says) {
				t.Errorf("got %+v, message %q", item, message)
			}
		})
	}
	for path, want := range map[string]fault.Code{
		"nope.go": fault.PathNotFound, "../x": fault.InvalidPath,
		"build/nope.js": fault.PathNotFound, "/etc/passwd": fault.InvalidPath, ".git/config": fault.InvalidPath,
	} {
		if _, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Path: path}); fault.CodeOf(err) !=
			want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	for path, want := range map[string][]string{
		"server": {"server/deep/x.py", "server/empty.go", "server/server.go"}, "server/deep/": {"server/deep/x.py"},
		"new": nil,
	} {
		res, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID, Path: path})
		if err != nil || (res.Meta.Message == nil) != (want != nil) {
			t.Fatalf("%s: %+v, %v", path, res.Meta, err)
		}
		var got []string
		for _, item := range res.Items {
			got = append(got, item.FilePath)
		}
		if diff := cmp.Diff(want, got); diff != "" || res.Indexed+len(res.Skipped) != len(want) {
			t.Errorf("%s: %d indexed, %v (-want +got):\n%s", path, res.Indexed, res.Skipped, diff)
		}
	}
	if _, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: "x"}); fault.CodeOf(err) !=
		fault.RepoNotFound {
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
	if err != nil || res.Items[0].Detail != "1 credential masked" || res.Items[0].Masked != 1 ||
		res.MaskCount != (models.MaskCount{Masked: 1, MaskedFiles: 1}) {
		t.Errorf("got %+v, %+v, %v", res.Items, res.MaskCount, err)
	}
}

// Job, record of the repository, preview and coverage count the credentials of
// the whole repository, whatever a run has looked at.
func TestMaskCount(t *testing.T) {
	key := "AKIA" + "QWERTYUIOPASDFGH"
	b := setUp(t, map[string]string{"a.txt": key + " " + key + "\n", "b/b.txt": key + "\n", "c.txt": "none\n"})
	want := func(when string, masked, files int) {
		t.Helper()
		n := models.MaskCount{Masked: masked, MaskedFiles: files}
		preview := b.preview(index.StartRequest{}).Repositories[0].MaskCount
		job := b.wait(b.start(false))
		if covered := b.covered().MaskCount; preview != n || job.MaskCount != n || covered != n || b.record().MaskCount != n {
			t.Errorf("%s: preview %+v, job %+v, coverage %+v, record %+v; want %+v", when, preview, job.MaskCount, covered,
				b.record().MaskCount, n)
		}
	}
	want("first run", 3, 2)
	want("nothing changed", 3, 2)
	b.write("c.txt", "now "+key+"\n")
	want("one file changed", 4, 3)
	b.write("a.txt", "no more\n")
	want("two are gone", 2, 2)
}
