package web

import (
	"cmp"
	"net/http"
	"path"
	"strings"

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
	Document  Document
	Text      string // in place of Document
	More      bool   // it is not all
}

// folderPages are those of folders and repositories.
type folderPages struct{ ops op.Backend }

func (s folderPages) folder(r *http.Request, repo models.RepoID, dir string) (view, error) {
	if dir == "" && r.URL.Query().Get("coverage") != "" {
		return s.coverage(r, repo)
	}
	resp, err := do(r.Context(), s.ops, op.Structure, structure.Request{
		RepoID: repo, Path: dir, IncludeSummaries: true, Limit: new(entriesOnPage), Cursor: r.URL.Query().Get("cursor"),
	})
	if err != nil {
		return view{}, err
	}
	f := Folder{StructureInfo: resp.Items[0], Meta: resp.Meta, Crumbs: crumbs(repo, dir)}
	f.History = historyURL(repo)
	f.Summary = beginning(purposeOf(deref(f.StructureInfo.Summary)))
	if resp.Meta.NextCursor != "" {
		f.Next = fileURL(repo, dir+"/") + "?cursor=" + resp.Meta.NextCursor
	}
	if readme := f.KeyFiles["readme"]; readme != "" {
		f.Readme = s.readme(r, repo, readme)
	}
	if dir == "" && f.Next == "" && r.URL.Query().Get("cursor") == "" {
		f.About = s.about(r.Context(), repo, r.URL.Query().Get("map") != "")
	}
	purposes := f.About.purposes()
	for _, d := range f.Directories {
		f.Folders = append(f.Folders,
			SubFolder{Link{path.Base(d) + "/", fileURL(repo, d)}, firstRunes(purposes[strings.TrimSuffix(d, "/")], 120)})
	}
	v := view{Template: "folder", Title: cmp.Or(dir, string(repo)), Data: f}
	v.Query.Repo = string(repo)
	return v, nil
}

// readme is the beginning of a document; one that can't be read is not shown.
func (s folderPages) readme(r *http.Request, repo models.RepoID, file string) *Readme {
	resp, err := do(r.Context(), s.ops, op.File,
		filefetch.Request{RepoID: repo, FilePath: file, EndLine: new(4 * pageLines)})
	if err != nil || len(resp.Items) != 1 {
		return nil
	}
	item := resp.Items[0]
	readme := &Readme{Path: file, URL: fileURL(repo, file), More: item.EndLine < item.TotalLines}
	if len(item.Code) > readmeBytes {
		item.Code, readme.More = item.Code[:strings.LastIndexByte(item.Code[:readmeBytes], '\n')+1], true
	}
	if readme.Text = item.Code; isMarkdown(file) {
		if doc, err := render(repo, file, item.Code, ""); err == nil {
			readme.Document, readme.Text = doc, ""
		}
	}
	return readme
}
