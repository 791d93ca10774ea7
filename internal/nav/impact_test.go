package nav_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
)

func git(t *testing.T, root string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git",
		append([]string{"-C", root, "-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

const lib = `package lib

func Parse(s string) int { return parse(s, 0) }

func parse(s string, from int) int { return len(s) - from }

func Old() int { return 1 }

func Unused() {}
`

// edited is a repository with a commit, and another one that changes a
// signature, a body, and takes a function away whose one user is adapted and
// whose other one is not.
func editedRepository(t *testing.T) (root string, svc *nav.Service) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git here")
	}
	root = t.TempDir()
	put(t, root, "go.mod", "module example.com/m\n")
	put(t, root, "lib/lib.go", lib)
	put(t, root, "lib/lib_test.go",
		"package lib\n\nimport \"testing\"\n\nfunc TestParse(t *testing.T) { help() }\n\nfunc help() { Parse(\"\") }\n\n"+
			"func TestOther(t *testing.T) {}\n\nfunc TestGone(t *testing.T) { keeps() }\n\nfunc keeps() { Old() }\n")
	put(t, root, "use/use.go",
		"package use\n\nimport \"example.com/m/lib\"\n\nfunc Use() int { return lib.Parse(\"a\") }\n\n"+
			"func Stays() int { return lib.Old() }\n\nfunc Adapts() int { return lib.Old() }\n\n"+
			"func Once() int { return lib.Parse(\"\") }\n")
	put(t, root, "gone.go", "package m\n\nfunc Gone() {}\n")
	put(t, root, "notes.md", "old\n")
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "one")
	return root, nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
}

func editRepository(t *testing.T, root string) {
	t.Helper()
	put(t, root, "lib/lib.go",
		strings.NewReplacer("s string, from int", "s string, from, to int", "parse(s, 0)", "parse(s, 0, 1)",
			"func Old() int { return 1 }\n\n", "").Replace(lib))
	put(t, root, "use/use.go",
		strings.NewReplacer("Adapts() int { return lib.Old() }", "Adapts() int { return 2 }",
			"Once() int { return lib.Parse(\"\") }", "Once() int { return 3 }").Replace(read(t, root, "use/use.go")))
	put(t, root, "lib/lib_test.go",
		strings.Replace(read(t, root, "lib/lib_test.go"), "func TestGone(t *testing.T) { keeps() }\n\n", "", 1))
	put(t, root, "new.go", "package m\n\n// New is.\nfunc New() {}\n")
	put(t, root, "notes.md", "new\n")
	git(t, root, "rm", "-q", "gone.go")
}

const wantImpact = `removed Old lib/lib.go:7: keeps 1 calls test, Stays 1 calls
removed Gone gone.go:3:
signature parse lib/lib.go:5: Parse 1 calls, help 2 calls test, Use 2 calls, TestParse 3 calls test
body Parse lib/lib.go:3: help 1 calls test, Use 1 calls, TestParse 2 calls test
body Adapts use/use.go:9:
body Once use/use.go:11:
added New new.go:4:
removed TestGone lib/lib_test.go:11:
lib/lib_test.go TestParse
go test ./lib -run '^(TestParse)$'`

func told(r nav.ImpactResponse) string {
	var out []string
	for _, item := range r.Items {
		var who []string
		for _, a := range item.Affected {
			text := fmt.Sprintf("%s %d %s", a.Symbol, a.Depth, a.Edge)
			if a.Test {
				text += " test"
			}
			who = append(who, text)
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s:%d: %s", item.Change, item.Symbol, item.FilePath, item.Line,
			strings.Join(who, ", "))))
	}
	for _, test := range r.Tests {
		out = append(out, test.FilePath+" "+test.Symbol)
	}
	return strings.Join(append(out, r.Commands...), "\n")
}

// An edit has the same impact however it is told: by the files as they are, by
// a diff that is applied or not, by a range, with or without a graph.
func TestImpact(t *testing.T) {
	root, svc := editedRepository(t)
	check := func(name string, req nav.ImpactRequest) {
		t.Helper()
		req.RepoID = "o/a"
		r, err := svc.Impact(t.Context(), req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if diff := cmp.Diff(wantImpact, told(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	build := func() {
		t.Helper()
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a"}); err != nil || len(r.Items) != 0 ||
		!strings.Contains(*r.Meta.Message, "nothing differs") || r.Items == nil || r.Tests == nil || r.Commands == nil {
		t.Errorf("of no edit: %+v, %v", r, err)
	}
	editRepository(t, root)
	git(t, root, "add", ".")
	diff := git(t, root, "diff", "HEAD")
	check("live", nav.ImpactRequest{})
	check("a diff, live", nav.ImpactRequest{Diff: diff})
	git(t, root, "stash", "-q")
	build()
	check("a diff to come", nav.ImpactRequest{Diff: diff})
	git(t, root, "stash", "pop", "-q")
	check("a graph from before", nav.ImpactRequest{Base: "HEAD"})
	check("a diff that is there", nav.ImpactRequest{Diff: diff})
	build()
	check("a graph from after", nav.ImpactRequest{})
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "two")
	check("a range", nav.ImpactRequest{Range: "HEAD~1..HEAD"})
	check("from where they part", nav.ImpactRequest{Range: "HEAD~1...HEAD"})
	check("an older commit", nav.ImpactRequest{Base: "HEAD~1"})
}

func TestImpactPages(t *testing.T) {
	root, svc := editedRepository(t)
	editRepository(t, root)
	var all []string
	req := nav.ImpactRequest{RepoID: "o/a", Limit: new(2)}
	for {
		r, err := svc.Impact(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range r.Items {
			all = append(all, item.Symbol)
		}
		if req.Cursor = r.Meta.NextCursor; req.Cursor == "" {
			break
		}
	}
	if want := []string{"Old", "Gone", "parse", "Parse", "Adapts", "Once", "New", "TestGone"}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
}

func TestImpactRefuses(t *testing.T) {
	_, svc := editedRepository(t)
	for _, req := range []nav.ImpactRequest{
		{Base: "nowhere"},
		{Base: "--all"},
		{Range: "HEAD"},
		{Range: "HEAD..nowhere"},
		{Base: "HEAD", Diff: "x"},
		{Diff: "not a diff"},
		{Diff: "--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n"},
	} {
		req.RepoID = "o/a"
		_, err := svc.Impact(t.Context(), req)
		if code := fault.CodeOf(err); code != fault.InvalidRequest && code != fault.InvalidPath {
			t.Errorf("%+v: %v", req, err)
		}
	}
	_, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Base: "HEAD~1..HEAD"})
	if err == nil || !strings.Contains(err.Error(), `two are a range, and "HEAD~1..HEAD" is for that`) {
		t.Errorf("a range as base: %v", err)
	}
	plain := t.TempDir()
	put(t, plain, "a.go", "package a\n")
	_, err = nav.New(gateway.Config{Repos: folder(plain), Extract: goOnly{}}).Impact(t.Context(),
		nav.ImpactRequest{RepoID: "o/a"})
	if fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("without git: %v", err)
	}
}

// Who used what is gone is found also where something else took its place: what it hid.
// Itself in another file, where all find it, is not gone.
func TestImpactTakenPlaces(t *testing.T) {
	root, svc := editedRepository(t)
	put(t, root, "go.mod", "module example.com/m\n")
	put(t, root, "base.go", "package m\n\ntype Base struct{}\n\nfunc (Base) Name() string { return \"\" }\n")
	put(t, root, "sub.go",
		"package m\n\ntype Sub struct{ Base }\n\nfunc (Sub) Name() string { return \"s\" }\n\nfunc Moves() {}\n")
	put(t, root, "to.go", "package m\n\nfunc To() {}\n")
	put(t, root, "x/x.go",
		"package x\n\nimport \"example.com/m\"\n\nfunc BySub(s m.Sub) string { return s.Name() }\n\n"+
			"func ByBase(b m.Base) string { return b.Name() }\n\nfunc Calls() { m.Moves() }\n")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "two")
	put(t, root, "sub.go", "package m\n\ntype Sub struct{ Base }\n")
	put(t, root, "to.go", "package m\n\nfunc To() {}\n\nfunc Moves() {}\n")
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("removed Sub.Name sub.go:5: BySub 1 calls", told(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const moved = "1 symbol moved unchanged, the first one Moves from sub.go to to.go: what used it finds it there"
	if !strings.Contains(*r.Meta.Message, moved) {
		t.Errorf("message %q, want %q", *r.Meta.Message, moved)
	}
}

// What holds no symbols differs, too, and it is said what is not known of it.
func TestImpactOfOtherFiles(t *testing.T) {
	root, svc := editedRepository(t)
	put(t, root, "data/in.bin", "a\x00b")
	put(t, root, "data/named.bin", "a\x00b")
	put(t, root, "lib/data_test.go", "package lib\n\nimport \"testing\"\n\nfunc TestData(t *testing.T) { open() }\n\n"+
		"func open() { read(\"../data/named.bin\") }\n\nfunc TestElse(t *testing.T) { read(\"../else/named.bin\") }\n")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "two")
	const unknown = "without symbols, the first one "
	for _, c := range []struct {
		what    string
		edit    func()
		options []string // of git diff
		want    string
		says    string
	}{
		{"binary", func() { put(t, root, "data/in.bin", "a\x00c") }, nil, "", "1 file " + unknown + "data/in.bin"},
		{
			"a manifest", func() { put(t, root, "go.mod", "module example.com/n\n") }, nil, "",
			"go.mod says what the code is built of, which any test may depend on",
		},
		{"a comment", func() {
			put(t, root, "lib/lib.go", strings.Replace(lib, "func Old() int { return 1 }",
				"// Old is.\n\n// It is.\nfunc Old() int { return 1 }", 1))
		}, nil, "", "changes in 1 file, and in no symbol"},
		{"a rename, and an edit", func() {
			git(t, root, "mv", "lib/lib.go", "lib/kern.go")
			put(t, root, "lib/kern.go", strings.Replace(lib, "return 1", "return 2", 1))
		}, nil, `removed Old lib/lib.go:7:
added Old lib/kern.go:7:
lib/lib_test.go TestGone
lib/lib_test.go TestParse
go test ./lib -run '^(TestGone|TestParse)$'`, "3 symbols moved unchanged, the first one Parse"},
		{"without prefixes", func() {
			put(t, root, "lib/lib.go", strings.Replace(lib, "return 1", "return 2", 1))
		}, []string{"--no-prefix"}, `
body Old lib/lib.go:7: keeps 1 calls test, Stays 1 calls, Adapts 1 calls, TestGone 2 calls test
lib/lib_test.go TestGone
go test ./lib -run '^(TestGone)$'`, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			c.edit()
			git(t, root, "add", ".")
			diff := git(t, root, append([]string{"diff", "HEAD"}, c.options...)...)
			for _, req := range []nav.ImpactRequest{{RepoID: "o/a"}, {RepoID: "o/a", Diff: diff}} {
				r, err := svc.Impact(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.TrimSpace(c.want), told(r)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if !strings.Contains(*r.Meta.Message, c.says) {
					t.Errorf("message %q, want %q", *r.Meta.Message, c.says)
				}
			}
			git(t, root, "reset", "-q", "--hard")
		})
	}
	head := strings.TrimSpace(git(t, root, "rev-parse", "HEAD"))
	git(t, root, "update-index", "--add", "--cacheinfo", "160000,"+head+",sub")
	git(t, root, "commit", "-qm", "three")
	r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Range: "HEAD~1..HEAD"})
	if err != nil || !strings.Contains(*r.Meta.Message, unknown+"sub") {
		t.Errorf("of a submodule between commits: %+v, %v", r, err)
	}
	const miscounted = "--- a/lib/lib.go\n+++ b/lib/lib.go\n@@ -1,3 +1,3 @@\n foo\n-bar\n+baz\n"
	const bumped = "diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n" +
		"-Subproject commit 1111111111111111111111111111111111111111\n" +
		"+Subproject commit 2222222222222222222222222222222222222222\n"
	r, err = svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Diff: bumped})
	if err != nil || !strings.Contains(*r.Meta.Message, unknown+"sub") {
		t.Errorf("of a submodule: %+v, %v", r, err)
	}
	_, err = svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Diff: miscounted})
	if err == nil || strings.Contains(err.Error(), "gitdiff") || !strings.Contains(err.Error(), "as git diff writes it") {
		t.Errorf("of a header that is wrong: %v", err)
	}
	const merged = "diff --cc a.go\nindex 1,2..3\n--- a/a.go\n+++ b/a.go\n@@@ -1,1 -1,1 +1,2 @@@\n++a\n"
	_, err = svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Diff: merged})
	if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(err.Error(), "MERGE^ MERGE") {
		t.Errorf("of a combined diff: %v", err)
	}
}

// Of files that were renamed all of some are compared where there are too many for all.
func TestImpactOfManyMoves(t *testing.T) {
	root, svc := editedRepository(t)
	for _, name := range []string{"b1", "b2"} {
		var text strings.Builder
		for n := range 400 {
			fmt.Fprintf(&text, "func %s%d() {}\n", name, n)
		}
		put(t, root, name+".go", "package m\n\n"+text.String())
	}
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "two")
	git(t, root, "mv", "b1.go", "c1.go")
	git(t, root, "mv", "b2.go", "c2.go")
	r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Limit: new(1000)})
	if err != nil {
		t.Fatal(err)
	}
	if said := *r.Meta.Message; len(r.Items) != 200 || !strings.Contains(said, "400 symbols moved unchanged") {
		t.Errorf("%d items, %s", len(r.Items), said)
	}
}

// Whatever a diff says, it is answered or refused, and nothing outside is read.
func TestImpactHostileDiffs(t *testing.T) {
	root, svc := editedRepository(t)
	editRepository(t, root)
	git(t, root, "add", ".")
	diff := git(t, root, "diff", "HEAD")
	lines := strings.SplitAfter(diff, "\n")
	draw := rand.New(rand.NewPCG(1, 2))
	evil := []string{
		"../", "/etc/passwd", "\x00", ".git/config", "a/", "\"", "\r\n", strings.Repeat("x", 5000), "lib", ".",
		"-1,99999999999", "@@ -0,0 +0,0 @@\n", "rename from a\nrename to ../b\n", "GIT binary patch\nliteral 9\n",
		"\xff\xfe", "diff --git a/a b/b\n",
	}
	answered := 0
	for range 400 {
		hostile := slices.Clone(lines)
		for range 1 + draw.IntN(3) {
			n := draw.IntN(len(hostile))
			at := draw.IntN(len(hostile[n]) + 1)
			switch word := evil[draw.IntN(len(evil))]; draw.IntN(4) {
			case 0:
				hostile[n] = hostile[n][:at] + word + hostile[n][at:]
			case 1:
				hostile[n] = word
			case 2:
				hostile = slices.Delete(hostile, n, n+1)
			case 3:
				hostile = slices.Insert(hostile, n, hostile[draw.IntN(len(hostile))])
			}
		}
		text := strings.Join(hostile, "")
		_, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Diff: text})
		switch code := fault.CodeOf(err); {
		case err == nil:
			answered++
		case code != fault.InvalidRequest && code != fault.InvalidPath:
			t.Fatalf("%s: %v\n%q", code, err, text)
		}
	}
	if answered == 0 {
		t.Error("none was answered")
	}
}

// counted counts how often facts are read.
type counted struct {
	goOnly

	read *atomic.Int32
}

func (c counted) Facts(ctx context.Context, path, language, text string) (*facts.File, error) {
	c.read.Add(1)
	return c.goOnly.Facts(ctx, path, language, text)
}

// What a graph has of a file is not read again, with a mark of the order of bytes before its text
// or without; and what is as it is there is no edit of it, whose uses are looked for anew.
func TestImpactTakesOneSideFromTheGraph(t *testing.T) {
	for name, mark := range map[string]string{"as it is": "", "with a mark": "\xef\xbb\xbf"} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			put(t, root, "go.mod", "module example.com/m\n")
			put(t, root, "a.go", mark+"package m\n\nfunc F() int { return 1 }\n")
			var read atomic.Int32
			svc := nav.New(gateway.Config{Repos: folder(root), Extract: counted{read: &read}})
			if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
				t.Fatal(err)
			}
			read.Store(0)
			r, err := svc.Impact(t.Context(), nav.ImpactRequest{
				RepoID: "o/a",
				Diff:   "--- a/a.go\n+++ b/a.go\n@@ -3 +3 @@\n-func F() int { return 1 }\n+func F() int { return 2 }\n",
			})
			if err != nil || len(r.Items) != 1 {
				t.Fatalf("%+v, %v", r.Items, err)
			}
			if n := read.Load(); n != 1 {
				t.Errorf("facts were read %d times, want once", n)
			}
		})
	}
}
