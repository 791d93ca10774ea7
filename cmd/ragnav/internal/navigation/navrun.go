package navigation

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/valid"
)

// addRepo adds the flag that names the repository of a nav command.
func addRepo(cmd *cobra.Command, s *cli.Session) {
	cmd.Flags().StringVarP(&s.Repo, "repo", "r", ".", "the repository: its repo_id, or the path of any folder")
	cli.CompleteRepos(cmd, s, "repo")
}

// navigate does one nav operation and prints its reply, as JSON where it is piped.
func navigate[Req, Resp any](cmd *cobra.Command, s *cli.Session, o op.Op[Req, Resp], req *Req,
	view func(*term.Screen, Resp),
) error {
	s.JSON = s.JSON || !s.Text && !s.Screen.Terminal
	return answer(cmd, s, o, req, view)
}

// answer does one nav operation and prints its reply, readable also where it is piped.
func answer[Req, Resp any](cmd *cobra.Command, s *cli.Session, o op.Op[Req, Resp], req *Req,
	view func(*term.Screen, Resp),
) error {
	id := op.Field(req, "repo_id")
	if !cli.IsPath(cmd.Context(), s) {
		id.SetString(s.Repo)
		return cli.Show(cmd, s, o, *req, view)
	}
	id.SetString(folderID)
	if err := valid.Check(req); err != nil {
		return err
	}
	folder, err := app.OpenFolder(cmd.Context(), s.Config, s.Repo)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	id.SetString(string(folder.RepoID()))
	for _, name := range []string{"path", "file", "file_path", "path_filter"} {
		if p := op.Field(req, name); p.IsValid() {
			p.SetString(folder.Path(p.String()))
		}
	}
	if s.Text {
		return s.Paged(func() error { return s.ShowText(cmd.Context(), folder, telling{o, folder}, req) })
	}
	resp, err := cli.Do(cmd.Context(), s, folder, o, *req)
	if err != nil {
		return inRepository(folder, err)
	}
	tellRepository(folder, o.Envelope(&resp).Head())
	return s.Paged(func() error { return cli.Present(s, o, resp, view) })
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
