package navigation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/valid"
)

// navFlags are what all nav commands have.
type navFlags struct{ repo *string }

func (n *navFlags) add(cmd *cobra.Command, s *cli.Session) {
	n.repo = cmd.Flags().StringP("repo", "r", ".", "the repository: its repo_id, or the path of any folder")
	cli.CompleteRepos(cmd, s, "repo")
}

// isFolder reports whether --repo is a path. A repo_id that is also the name
// of a folder here is the folder; "./" and "/" are always paths.
func isFolder(arg string) bool {
	if arg == "." || arg == ".." || filepath.IsAbs(arg) || strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") ||
		strings.HasPrefix(arg, `.\`) {
		return true
	}
	info, err := os.Stat(arg)
	return err == nil && info.IsDir()
}

// A navCall is one nav operation. Of the request id is the field that names the
// repository, and paths are those with paths of its files.
type navCall[Req, Resp any] struct {
	flags navFlags
	op    op.Op[Req, Resp]
	req   *Req
	id    *models.RepoID
	paths []*string
	view  func(*term.Screen, Resp)

	readable bool // also where it is piped
}

// navigate does one nav operation and prints its reply.
func navigate[Req, Resp any](cmd *cobra.Command, s *cli.Session, c navCall[Req, Resp]) error {
	s.JSON = s.JSON || !s.Text && !c.readable && !s.Screen.Terminal
	if !isFolder(*c.flags.repo) {
		*c.id = models.RepoID(*c.flags.repo)
		return cli.Show(cmd, s, c.op, *c.req, c.view)
	}
	*c.id = folderID
	if err := valid.Check(c.req); err != nil {
		return err
	}
	folder, err := app.OpenFolder(cmd.Context(), s.Config, *c.flags.repo)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	*c.id = folder.RepoID()
	for _, p := range c.paths {
		*p = folder.Path(*p)
	}
	if s.Text {
		return s.Paged(func() error { return s.ShowText(cmd.Context(), folder, telling{c.op, folder}, c.req) })
	}
	resp, err := cli.Do(cmd.Context(), s, folder, c.op, *c.req)
	if err != nil {
		return inRepository(folder, err)
	}
	tellRepository(folder, c.op.Envelope(&resp).Head())
	return s.Paged(func() error { return cli.Present(s, c.op, resp, c.view) })
}

// telling is an operation on a folder whose replies tell of which repository they are.
type telling struct {
	op.Row

	folder *app.Folder
}

// Do implements op.Row.
func (t telling) Do(ctx context.Context, c op.Caller, req any) (models.Envelope, error) {
	env, err := t.Row.Do(ctx, c, req)
	if err != nil {
		return nil, inRepository(t.folder, err)
	}
	tellRepository(t.folder, env.Head())
	return env, nil
}

// tellRepository says in which repository a folder is, when it is not its root.
func tellRepository(f *app.Folder, head *models.Meta) {
	root, below := f.Where()
	if below == "" {
		return
	}
	message := fmt.Sprintf("%s is in repository %s (%s): paths are from there", below, f.RepoID(), root)
	if head.Message != nil {
		message += "; " + *head.Message
	}
	head.Message = &message
}

// inRepository is an error with the repository that was looked into.
func inRepository(f *app.Folder, err error) error {
	known, ok := errors.AsType[*fault.Error](err)
	root, below := f.Where()
	if !ok || below == "" {
		return err
	}
	told := *known
	told.Message = fmt.Sprintf("%s (in repository %s, %s, which %s is in)", known.Message, f.RepoID(), root, below)
	return &told
}

// folderID stands for the id of a folder until that is known.
const folderID = "folder"
