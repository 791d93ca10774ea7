package web

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/markup"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

const entriesOnPage = 300

// A Folder is the page of a folder, or of a whole repository.
type Folder struct {
	models.StructureInfo

	Crumbs  []Link
	Meta    models.Meta
	Folders []SubFolder
	Next    string // address of more entries
	Summary string
	Readme  *Readme
	About   *About // of a whole repository
	History string // address of the runs that indexed it
	// Permalink is the address with the commit that is shown, or indexed; "" without one.
	Permalink string
	Now       string // address of the folder as it is
	Problem   string // why this is not the folder of the commit in the address
}

// FileURL is the address of a file in the folder.
func (f Folder) FileURL(file string) string {
	return address.AtCommit(address.File(f.RepoID, file), f.Commit)
}

// purposeOf is what the summary of a folder says that it is for; the list of what
// is in it, which follows, is on the page anyway.
func purposeOf(summary string) string {
	head, _, _ := strings.Cut(summary, "\n\n")
	name, purpose, said := strings.Cut(head, "): ")
	switch {
	case said && strings.HasSuffix(name, "/"):
		return purpose
	case strings.HasSuffix(head, "/)"):
		return ""
	}
	return head
}

// A SubFolder is a folder in a folder.
type SubFolder struct {
	Link

	Purpose string // "" where it is not known
}

// A Readme is a document that is shown with its folder.
type Readme struct {
	Path, URL string
	Document  markup.Document
	Text      string // in place of Document
	More      bool   // it is not all
}

// folderPages are those of folders and repositories.
type folderPages struct{ ops op.Backend }

func (s folderPages) folder(r *http.Request, repo models.RepoID, dir string) (view, error) {
	if dir == "" && r.URL.Query().Get("coverage") != "" {
		return s.coverage(r, repo)
	}
	f, err := s.read(r, repo, dir)
	if err != nil {
		return view{}, err
	}
	if readme := f.KeyFiles["readme"]; readme != "" {
		f.Readme = s.readme(r, repo, readme, f.Commit)
	}
	if dir == "" && f.Commit == "" && f.Next == "" && r.URL.Query().Get("cursor") == "" {
		f.About = s.about(r.Context(), repo, r.URL.Query().Get("map") != "")
	}
	purposes := f.About.purposes()
	for _, d := range f.Directories {
		f.Folders = append(f.Folders,
			SubFolder{Link{path.Base(d) + "/", f.FileURL(d)}, firstRunes(purposes[strings.TrimSuffix(d, "/")], 120)})
	}
	title := cmp.Or(dir, string(repo))
	if f.Commit != "" {
		title += " at " + short(f.Commit)
	}
	v := view{Template: "folder", Title: title, Data: f}
	v.Query.Repo = string(repo)
	return v, nil
}

// read lists a folder for its page. Without the commit that the address names it
// is the folder as it is, and the page says so.
func (s folderPages) read(r *http.Request, repo models.RepoID, dir string) (Folder, error) {
	query := r.URL.Query()
	req := structure.Request{
		RepoID: repo, Path: dir, IncludeSummaries: query.Get("commit") == "", Limit: new(entriesOnPage),
		Cursor: query.Get("cursor"), Commit: query.Get("commit"),
	}
	problem := ""
	resp, err := do(r.Context(), s.ops, op.Structure, req)
	if req.Commit != "" && req.Cursor == "" && fault.CodeOf(err) == fault.InvalidRequest {
		problem, req.Commit, req.IncludeSummaries = fault.MessageOf(err), "", true
		resp, err = do(r.Context(), s.ops, op.Structure, req)
	}
	if err != nil {
		return Folder{}, err
	}
	f := Folder{StructureInfo: resp.Items[0], Meta: resp.Meta, History: address.History(repo), Problem: problem}
	f.Summary = beginning(purposeOf(deref(f.StructureInfo.Summary)))
	if f.Now = address.Repo(repo); dir != "" {
		f.Now = address.File(repo, dir+"/")
	}
	commit := f.Commit
	if commit == "" && f.Meta.IndexStatus != nil {
		commit = deref(f.Meta.IndexStatus.LastIndexedCommit)
	}
	if commit != "" {
		f.Permalink = address.AtCommit(f.Now, commit)
	}
	if f.Commit != "" && len(f.Directories)+len(f.Files) > 0 {
		f.Meta.Message = nil // the page says it with a link
	}
	f.Crumbs = crumbs(repo, dir, f.Commit)
	if next := resp.Meta.NextCursor; next != "" {
		v := url.Values{"cursor": {next}}
		if f.Commit != "" {
			v.Set("commit", f.Commit)
		}
		f.Next = address.File(repo, dir+"/") + "?" + v.Encode()
	}
	return f, nil
}

// readme is the beginning of a document, in a commit if that isn't ""; one that
// can't be read is not shown.
func (s folderPages) readme(r *http.Request, repo models.RepoID, file, commit string) *Readme {
	resp, err := do(r.Context(), s.ops, op.File,
		filefetch.Request{RepoID: repo, FilePath: file, EndLine: new(4 * address.PageLines), Commit: commit})
	if err != nil || len(resp.Items) != 1 {
		return nil
	}
	item := resp.Items[0]
	readme := &Readme{
		Path: file, URL: address.AtCommit(address.File(repo, file), commit), More: item.EndLine < item.TotalLines,
	}
	if len(item.Code) > readmeBytes {
		item.Code, readme.More = item.Code[:strings.LastIndexByte(item.Code[:readmeBytes], '\n')+1], true
	}
	if readme.Text = item.Code; address.IsMarkdown(file) {
		if doc, err := markup.Render(repo, file, item.Code, commit); err == nil {
			readme.Document, readme.Text = doc, ""
		}
	}
	return readme
}
