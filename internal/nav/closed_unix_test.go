//go:build unix

package nav_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// A folder that may not be read is told of: uses and definitions may be in it.
func TestClosedFolder(t *testing.T) {
	if repotest.AsNobody(t) {
		return
	}
	for name, build := range map[string]func(t *testing.T, svc *nav.Service, shut func()){
		"live":         func(_ *testing.T, _ *nav.Service, shut func()) { shut() },
		"before build": func(t *testing.T, svc *nav.Service, shut func()) { shut(); built(t, svc, 1) },
		"after build":  func(t *testing.T, svc *nav.Service, shut func()) { built(t, svc, 0); shut() },
	} {
		t.Run(name, func(t *testing.T) {
			root, _ := many(t, 3)
			put(t, root, "shut/deep/deep.go", "package deep\n\nfunc Deep() {}\n")
			put(t, root, "shut/more/more.go", "package more\n")
			svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
			build(t, svc, func() {
				if err := os.Chmod(filepath.Join(root, "shut"), 0); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					_ = os.Chmod(filepath.Join(root, "shut"), 0o700) //nolint:gosec // to be removed
				})
			})
			r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "shared.Shared"})
			if err != nil || len(r.Items) == 0 || !tellsOfClosed(r.Meta.Warnings) {
				t.Errorf("%d uses, warnings %v, %v", len(r.Items), r.Meta.Warnings, err)
			}
			_, err = svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Deep"})
			want := "it may be in 1 folder that can't be read, the first one shut"
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("of a name that is in the folder: %v", err)
			}
		})
	}
}

func built(t *testing.T, svc *nav.Service, closed int) {
	t.Helper()
	r, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"})
	if err != nil || tellsOfClosed(r.Meta.Warnings) != (closed > 0) {
		t.Errorf("warnings of the build: %v, %v", r.Meta.Warnings, err)
	}
}

func tellsOfClosed(all []models.Warning) bool {
	const told = "1 folder can't be read by this program, the first one shut:"
	return slices.ContainsFunc(all, func(w models.Warning) bool {
		return gateway.IsClosedFolders(w) && strings.Contains(w.Message, told)
	})
}
