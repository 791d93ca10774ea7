package navigation

import (
	"context"
	"errors"
	"fmt"
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
	s.Folder = true
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
	of := place{folder, s.Repo}
	if s.Text {
		return s.Paged(func() error { return s.ShowText(cmd.Context(), folder, telling{o, of}, req) })
	}
	resp, err := cli.Do(cmd.Context(), s, folder, o, *req)
	if err != nil {
		return of.err(err)
	}
	of.tell(o.Envelope(&resp).Head())
	return s.Paged(func() error { return cli.Present(s, o, resp, view) })
}

// telling is an operation on a folder whose replies tell of which repository they are.
type telling struct {
	op.Row

	of place
}

// Do implements op.Row.
func (t telling) Do(ctx context.Context, c op.Caller, req any) (models.Envelope, error) {
	env, err := t.Row.Do(ctx, c, req)
	if err != nil {
		return nil, t.of.err(err)
	}
	t.of.tell(env.Head())
	return env, nil
}

// A place is a folder that is asked about, and how it was typed.
type place struct {
	*app.Folder

	typed string
}

// tell says in which repository a folder is, when it is not its root, and names the
// folder in commands: it need not be indexed.
func (f place) tell(head *models.Meta) {
	if head.Message != nil {
		head.Message = models.Opt(f.words(*head.Message))
	}
	for i := range head.Warnings {
		head.Warnings[i].Message = f.words(head.Warnings[i].Message)
	}
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

// words is a text with the folder as it was typed where a command names its repository:
// as a path, so that no other repository is meant by it, nor the folder by a request.
func (f place) words(text string) string {
	of := ""
	switch {
	case f.typed == ".":
	case cli.WrittenAsPath(f.typed):
		of = " -r " + f.typed
	default:
		of = " -r ./" + f.typed
	}
	return strings.ReplaceAll(text, "build-graph -r "+string(f.RepoID()), "build-graph"+of)
}

// err is an error with the repository that was looked into.
func (f place) err(err error) error {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	told := *known
	told.Message = f.words(known.Message)
	if root, below := f.Where(); below != "" {
		told.Message = fmt.Sprintf("%s (in repository %s, %s, which %s is in)", told.Message, f.RepoID(), root, below)
	}
	return &told
}

// folderID stands for the id of a folder until that is known.
const folderID = "folder"
