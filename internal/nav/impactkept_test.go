//go:build cgo

package nav_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
)

// Which functions of a file are tests is remembered, of the file as it was when that was asked.
func TestTestsOfFilesThatChange(t *testing.T) {
	const test = "package p;\npublic class UseTest {\n    @Test\n    public void uses() { new Use().use(); }\n" +
		"    public void helps() { new Use().use(); }\n}\n"
	root, svc := repositoryOf(t, "-- src/main/java/p/Use.java --\npackage p;\npublic class Use {\n"+
		"    public int use() { return 1; }\n}\n-- src/test/java/p/UseTest.java --\n"+test)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	const use = "--- a/src/main/java/p/Use.java\n+++ b/src/main/java/p/Use.java\n@@ -3 +3 @@\n" +
		"-    public int use() { return 1; }\n+    public int use() { return 2; }\n"
	wants := func(when, diff string, want ...string) {
		t.Helper()
		r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/a", Diff: diff})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range r.Tests {
			got = append(got, x.Symbol)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	wants("at first", use, "UseTest.uses")
	wants("asked again", use, "UseTest.uses")
	const file = "--- a/src/test/java/p/UseTest.java\n+++ b/src/test/java/p/UseTest.java\n"
	wants("the edit makes a test", use+file+
		"@@ -5 +5 @@\n-    public void helps() { new Use().use(); }\n+    @Test public void helps() { new Use().use(); }\n",
		"UseTest.helps", "UseTest.uses")
	wants("without that edit", use, "UseTest.uses")
	put(t, root, "src/test/java/p/UseTest.java", strings.Replace(test, "void helps", "void testHelp", 1))
	wants("another file is there", use, "UseTest.testHelp", "UseTest.uses")
}
