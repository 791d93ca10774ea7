package repo

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// kept is what a run that stores content leaves of a repository.
type kept struct {
	files    []models.FileRecord
	contents map[string]models.Content
	listings int // how often all records were read
	fails    error
}

// open opens a folder until the end of the test.
func open(t testing.TB, root string) Tree {
	t.Helper()
	folder, err := disk.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	return Tree{folder}
}

// keep lists a tree and stores the content of every file that it may.
func keep(t testing.TB, tree Tree) *kept {
	t.Helper()
	l, err := listing.List(t.Context(), tree.Folder, listing.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{files: l.Skipped, contents: map[string]models.Content{}}
	for _, e := range l.Files {
		rec := models.FileRecord{Path: e.Path, Size: e.Size, ModTime: e.ModTime, Changed: e.Changed}
		data, _, err := tree.Read(t.Context(), e.Path, listing.DefaultMaxFileSize)
		switch rec.Skipped, rec.Detail = filekind.Examine(data); {
		case err != nil:
			rec.Skipped, rec.Detail = models.SkipUnreadable, fault.MessageOf(err)
		case rec.Skipped == "" || rec.Skipped == models.SkipEmpty:
			k.contents[e.Path] = models.Content{Text: string(data)}
		}
		k.files = append(k.files, rec)
	}
	slices.SortFunc(k.files, func(a, b models.FileRecord) int { return strings.Compare(a.Path, b.Path) })
	return k
}

func (k *kept) Record(_ context.Context, collection, key string, v any) (bool, error) {
	if collection == "contents:o/r" {
		c, ok := k.contents[key]
		if ok {
			*v.(*models.Content) = c
		}
		return ok, k.fails
	}
	for _, rec := range k.files {
		if rec.Path == key {
			*v.(*models.FileRecord) = rec
			return true, k.fails
		}
	}
	return false, k.fails
}

func (k *kept) Records(_ context.Context, _ string, yield func(string, json.RawMessage) error) error {
	k.listings++
	for _, rec := range k.files {
		value, err := json.Marshal(rec)
		if err != nil {
			return err
		}
		if err := yield(rec.Path, value); err != nil {
			return err
		}
	}
	return k.fails
}

func (k *kept) open() *StoredTree { return OpenStored(k, models.Repository{RepoID: "o/r"}) }

// answers is all that Files tell about a path, errors by their code.
type answers struct {
	Stat             disk.Stat
	Data             string
	Entries          []disk.DirEntry
	Walked           []disk.Entry
	StatCode         fault.Code
	ReadCode         fault.Code
	DirCode, WalkErr fault.Code
}

func ask(t testing.TB, f Files, name string) answers {
	t.Helper()
	var a answers
	stat, err := f.Stat(t.Context(), name)
	a.Stat, a.StatCode = stat, codeOf(err)
	data, stat, err := f.Read(t.Context(), name, 4)
	a.Data, a.ReadCode = string(data), codeOf(err)
	if err == nil && !cmp.Equal(stat, a.Stat, ignoreLook) {
		t.Errorf("%q: Read saw %+v, Stat %+v", name, stat, a.Stat)
	}
	a.Entries, err = f.ReadDir(t.Context(), name)
	a.DirCode = codeOf(err)
	for i, e := range a.Entries {
		if e.IsDir { // folders have no records
			a.Entries[i].Size, a.Entries[i].ModTime, a.Entries[i].Changed = 0, 0, 0
		}
	}
	a.WalkErr = codeOf(f.Walk(t.Context(), name, func(e disk.Entry) error {
		a.Walked = append(a.Walked, e)
		return nil
	}))
	return a
}

func codeOf(err error) fault.Code {
	if err == nil {
		return ""
	}
	return fault.CodeOf(err)
}

// What a run kept answers as the folder did, links and refusals included.
func TestStoredTreeAnswersAsTheFolder(t *testing.T) {
	tree := open(t, repotest.Fortress(t))
	repotest.Write(t, tree.Root(), map[string]string{
		"blank": "\n \n", "empty": "", "logo.bin": "\x00\x01", "id_rsa": "SECRET", "d.x/y": "beside d", "d-x/y": "beside d",
		"d0": "", ".hidden/x": "1",
		"key": "-----BEGIN PRIVATE KEY-----\nMII\n", "deep/er/and/deeper": "down", "bad\xff/x": "1", "new\nline": "2",
		"ünï": "é and more",
	})
	repotest.Symlink(t, ".", tree.Root(), "self")
	repotest.Symlink(t, "in-folder", tree.Root(), "hop-in")
	repotest.Symlink(t, ".hidden", tree.Root(), "to-hidden")
	k := keep(t, tree)
	names := []string{
		"", ".", "./", "a.txt", "./a.txt", "a.txt/", "a.txt/x", "d", "d/", "d/b.txt", "none", "none/x", "..", "/etc", "a\x00",
		"in", "in/x",
		"in-folder", "in-folder/b.txt", "in-folder/up", "in-folder/none", "d/up", "d/around", "out", "out-folder",
		"out-folder/secret", "out-abs", "in-abs", "hop",
		"etc", "etc/passwd", "top", "top/outside/secret", "back", "to-git", "git-folder", "git-folder/config", "d/git",
		"loop", "loop/x", "dangling",
		"dangling/x", ".git", ".git/config", "self", "self/a.txt", "self/self/d/b.txt", "self/.hidden/x", "hop-in",
		"hop-in/b.txt", "to-hidden", "to-hidden/x",
		"blank", "empty", "d.x", "d-x", "d0", "deep", "deep/er", "deep/er/and/deeper", "bad\xff", `bad\xff`, `bad\xff/x`,
		`new\nline`, "ünï", "id_rsa",
	}
	for _, name := range names {
		if diff := cmp.Diff(ask(t, tree, name), ask(t, k.open(), name), ignoreRefused(name),
			ignoreLook, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: from the folder (-), from what is kept (+):\n%s", name, diff)
		}
	}
}

// ignoreLook leaves out what only Read of a folder tells.
var ignoreLook = cmpopts.IgnoreTypes(disk.Look{})

// ignoreRefused leaves out what Read says of a file that Stat finds and that is
// not served: the folder leaves the refusal to its reader.
func ignoreRefused(name string) cmp.Option {
	if name != "id_rsa" {
		return cmp.Options{}
	}
	return cmpopts.IgnoreFields(answers{}, "Data", "ReadCode")
}

func TestStoredTreeOfGitTree(t *testing.T) {
	repotest.NeedGit(t)
	dir, lib := t.TempDir(), t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	repotest.Run(t, lib, "init", "-q")
	repotest.Write(t, lib, map[string]string{"lib.go": "package lib\n"})
	repotest.Run(t, lib, "add", ".")
	repotest.Run(t, lib, "commit", "-qm", "lib")
	repotest.Write(t, dir, map[string]string{".gitignore": "ignored\n", "a.go": "", "ignored/x": "", "sub/ignored": ""})
	repotest.Run(t, dir, "submodule", "--quiet", "add", lib, "lib")
	repotest.Symlink(t, "ignored/x", dir, "to-ignored")
	k := keep(t, open(t, dir))
	entries, err := k.open().ReadDir(t.Context(), "")
	var got []string
	for _, e := range entries {
		got = append(got, e.Path+map[bool]string{true: "/"}[e.IsDir])
	}
	want := []string{".gitignore", ".gitmodules", "a.go", "lib/", "to-ignored"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("ReadDir, error %v (-want +got):\n%s", err, diff)
	}
	_, err = k.open().ReadDir(t.Context(), "lib")
	if fault.CodeOf(err) != fault.PathNotFound || !strings.Contains(fault.MessageOf(err), "index it on its own") {
		t.Errorf("ReadDir of a submodule: %v", err)
	}
	for name, want := range map[string]fault.Code{
		"lib": fault.InvalidPath, "lib/lib.go": fault.PathNotFound,
		"ignored/x": fault.PathNotFound, "to-ignored": fault.PathNotFound,
	} {
		if _, _, err := k.open().Read(t.Context(), name, 10); fault.CodeOf(err) != want {
			t.Errorf("Read(%q) = %v, want %s", name, err, want)
		}
	}
}

func TestStoredTreeSaysWhyThereIsNoContent(t *testing.T) {
	k := &kept{files: []models.FileRecord{
		{Path: "big.sql", Size: 9 << 20, Skipped: models.SkipTooLarge, Detail: "9437184 bytes, the limit is 1048576"},
		{Path: "huge.go", Size: models.MaxContent + 1},
		{Path: "key.txt", Skipped: models.SkipSecret, Detail: "holds a private key"},
		{Path: "locked", Skipped: models.SkipUnreadable, Detail: "check its permissions"},
		{Path: "logo.png", Skipped: models.SkipBinary, Detail: "image/png"},
		{Path: "new.go", Size: 10},
		{Path: "pipe", Skipped: models.SkipIrregular, Detail: "FIFO"},
		{Path: "to-pipe", Skipped: models.SkipSymlink, Detail: disk.LinkToSpecial},
	}}
	for name, want := range map[string]struct {
		code fault.Code
		says string
	}{
		"big.sql":  {fault.PathNotFound, "too_large: 9437184 bytes"},
		"huge.go":  {fault.PathNotFound, "more than 3 MiB"},
		"key.txt":  {fault.Forbidden, "holds a private key"},
		"locked":   {fault.PathNotFound, "permissions"},
		"logo.png": {fault.BinaryFile, "image/png"},
		"new.go":   {fault.PathNotFound, "--content stored"},
		"pipe":     {fault.InvalidPath, "not a regular file"},
		"to-pipe":  {fault.InvalidPath, "not a regular file"},
		"none":     {fault.PathNotFound, "not on this machine"},
	} {
		_, _, err := k.open().Read(t.Context(), name, 10)
		if fault.CodeOf(err) != want.code || !strings.Contains(fault.MessageOf(err), want.says) {
			t.Errorf("Read(%q) = %v, want %s and %q", name, err, want.code, want.says)
		}
	}
}

func TestStoredTreeReadsAFileByItself(t *testing.T) {
	k := &kept{
		files:    []models.FileRecord{{Path: "a.go", Size: 9}},
		contents: map[string]models.Content{"a.go": {Text: "x = ***\n", Masked: 1, MaskedLines: []int{1}}},
	}
	data, stat, err := k.open().Read(t.Context(), "a.go", 100)
	if string(data) != "x = ***\n" || err != nil || stat.Masked != 1 || len(stat.MaskedLines) != 1 || k.listings != 0 {
		t.Errorf("Read = %q, %+v, %v with %d listings", data, stat, err, k.listings)
	}
	tree := k.open()
	for range 3 {
		if _, err := tree.ReadDir(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	if k.listings != 1 {
		t.Errorf("%d listings, want 1", k.listings)
	}
	k.fails = errors.New("no answer")
	if _, _, err := k.open().Read(t.Context(), "a.go", 100); !errors.Is(err, k.fails) {
		t.Errorf("Read = %v, want the error of the store", err)
	}
	if _, err := k.open().ReadDir(t.Context(), ""); !errors.Is(err, k.fails) {
		t.Errorf("ReadDir = %v, want the error of the store", err)
	}
}

func TestCaveats(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for want, tc := range map[string]struct {
		known  models.Repository
		masked int
	}{
		"o/r is read from the index of commit c0ffee, not from a working tree": {
			models.Repository{LastIndexedCommit: "c0ffee", LastIndexedAt: at}, 0,
		},
		"o/r is read from the index of commit c0ffee, not from a working tree; 1 credential is masked": {
			models.Repository{LastIndexedCommit: "c0ffee"}, 1,
		},
		"o/r is read from the index of 2026-01-02 03:04:05 UTC, not from a working tree": {
			models.Repository{LastIndexedAt: at}, 0,
		},
		"o/r is read from an unfinished index, not from a working tree; 3 credentials are masked": {
			models.Repository{},
			3,
		},
	} {
		tc.known.RepoID = "o/r"
		got := OpenStored(nil, tc.known).Caveats(tc.masked)
		if diff := cmp.Diff([]models.Warning{{Code: "STORED_CONTENT", Message: want}}, got); diff != "" {
			t.Error(diff)
		}
	}
	if got := (Tree{}).Caveats(1); got != nil {
		t.Errorf("a folder has the caveat %v", got)
	}
}

// FuzzStoredTree: whatever the path, the answer is that of the folder.
func FuzzStoredTree(f *testing.F) {
	for p := range repotest.Escapes {
		f.Add(p)
	}
	for _, p := range []string{
		"", "a.txt", "in", "hop", "top/outside/secret", "in-folder/../a.txt", "d/git", "back",
		"in-folder//b.txt", "loop/./x",
	} {
		f.Add(p)
	}
	tree := open(f, repotest.Fortress(f))
	k := keep(f, tree)
	f.Fuzz(func(t *testing.T, p string) {
		if diff := cmp.Diff(ask(t, tree, p), ask(t, k.open(), p), ignoreLook, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: from the folder (-), from what is kept (+):\n%s", p, diff)
		}
	})
}
