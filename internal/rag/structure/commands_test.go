package structure_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// A file that is not listed, such as a makefile that was configured, gives no command.
func TestCommandsOfListedFiles(t *testing.T) {
	f := setUp(t)
	repotest.Write(t, f.root, map[string]string{
		"Makefile": "test:\n\tgo test\n", "package.json": "{\n  \"scripts\": {\"test\": \"jest\"}\n}\n", "src/All.slnx": "x",
	})
	for _, name := range []string{"package.json", "go.mod", "src/All.slnx"} {
		f.records[name] = models.FileRecord{Path: name}
	}
	got, err := structure.New(f, f).Commands(t.Context(), repoID)
	if err != nil {
		t.Fatal(err)
	}
	want := []depend.Command{
		{Text: "npm install", Path: "package.json", Start: 1, End: 1},
		{Text: "npm run test", Path: "package.json", Start: 2, End: 2},
		{Text: "go build ./...", Path: "go.mod", Start: 1, End: 1},
		{Text: "go test ./...", Path: "go.mod", Start: 1, End: 1},
		{Text: "dotnet build src/All.slnx", Path: "src/All.slnx", Start: 1, End: 1},
		{Text: "dotnet test src/All.slnx", Path: "src/All.slnx", Start: 1, End: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
