// Package structure explores the folders of a registered repository as they
// are on disk, with what the index knows of them beside. On a machine without
// the repository's folder they are as the index run found them, where it was
// told to store content: without ignored files. Of a commit it is what git has.
package structure

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

const defaultLimit = 1000

// Repositories finds a registered repository; an unknown id is a
// fault.RepoNotFound.
type Repositories interface {
	Repository(ctx context.Context, id models.RepoID) (models.Repository, error)
	// Open opens the files of a repository; without any it is a fault.PathNotFound.
	Open(ctx context.Context, known models.Repository) (repo.Files, error)
	// Freshness is how what was indexed of a repository stands to its folder.
	Freshness(ctx context.Context, known models.Repository) (models.Freshness, error)
}

// An Index tells what is known of files and folders.
type Index interface {
	// Record decodes the value under key into v and reports whether there is one. A
	// json.RawMessage is the value as it is.
	Record(ctx context.Context, collection, key string, v any) (bool, error)
	// Documents returns the documents of those ids; ids that don't exist are left out.
	Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error)
}

// A Service explores registered repositories.
type Service struct {
	repos Repositories
	index Index
}

// New returns a Service.
func New(repos Repositories, index Index) *Service { return &Service{repos: repos, index: index} }

// Explore lists one folder: what is in it, or with a pattern what below it
// matches, indexed or not. Folders come before files, each in path order; a
// page counts both. Key files are those of the folder itself, whatever the
// pattern.
func (s *Service) Explore(ctx context.Context, req Request) (Response, error) {
	known, err := s.repos.Repository(ctx, req.RepoID)
	if err != nil {
		return Response{}, err
	}
	dir, err := relpath.Clean(req.Path)
	if err != nil {
		return Response{}, err
	}
	fingerprint := fmt.Sprintf("structure:%s:%s:%s", known.RepoID, dir, req.Pattern)
	if req.Commit != "" {
		fingerprint += ":" + req.Commit
	}
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return Response{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	x, err := s.open(ctx, known, dir, req.Commit)
	if err != nil {
		return Response{}, err
	}
	defer func() { _ = x.files.Close() }()
	found, err := x.find(ctx, req.Pattern)
	if err != nil {
		return Response{}, err
	}
	page, next := models.Page(found, offset, models.Or(req.Limit, defaultLimit), fingerprint)
	info, err := x.describe(ctx, page, req)
	if err != nil {
		return Response{}, err
	}
	res := Response{models.OKResult([]models.StructureInfo{info})}
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(found)), next, next != ""
	left, err := x.leftOut(ctx, info.Files)
	if err != nil {
		return Response{}, err
	}
	res.Meta.IndexStatus, res.Meta.Message = known.Status(), models.Opt(x.message(len(found), req.Pattern, left))
	if then, ok := x.files.(repo.Past); ok {
		return res, asThen{x, then, req}.compare(ctx, &res.Meta)
	}
	if res.Meta.Warnings = x.files.Caveats(0); len(res.Meta.Warnings) == 0 {
		res.Meta.FreshnessState = models.Fresh // listed from the folder just now
		if req.IncludeSummaries {              // which are as old as the index
			if res.Meta.FreshnessState, err = s.repos.Freshness(ctx, known); err != nil {
				return Response{}, err
			}
		}
	}
	res.Meta.Warnings = append(res.Meta.Warnings, x.unlisted(isDeep(req.Pattern))...)
	res.Meta.Warnings = append(res.Meta.Warnings, x.unindexed(left)...)
	if n := len(x.stale); n > 0 {
		res.Meta.FreshnessState = models.Stale
		res.Meta.StaleFiles, res.Meta.StaleFileCount = x.stale[:min(n, maxStaleFiles)], n
		res.Meta.Warnings = append(res.Meta.Warnings,
			models.Warning{
				Code:    "STALE_SUMMARY",
				Message: "the summary is of the last index run; what it says of the stale files may not hold",
			})
	}
	return res, nil
}

// An explorer explores one folder.
type explorer struct {
	index   Index
	known   models.Repository
	files   repo.Files
	dir     string          // "" is the root
	entries []disk.DirEntry // of dir
	beside  listing.Unseen  // what was found below dir and is not listed
	stale   []string        // paths directly in dir that are not as the summary knows them, in order
}

// maxStaleFiles is how many of them a reply names.
const maxStaleFiles = 5

func (s *Service) open(ctx context.Context, known models.Repository, dir, commit string) (*explorer, error) {
	files, err := s.repos.Open(ctx, known)
	if err != nil {
		return nil, err
	}
	x := &explorer{index: s.index, known: known, files: files, dir: dir}
	if commit != "" {
		then, err := repo.At(ctx, files, known.RepoID, commit)
		if err != nil {
			_ = files.Close()
			return nil, err
		}
		x.files = then
	}
	if err = x.read(ctx); err == nil {
		return x, nil
	}
	if _, notFile := x.files.Stat(ctx, dir); notFile == nil {
		err = fault.New(fault.InvalidRequest, "%q is a file; read it with get_file, or explore the folder it is in", dir)
	}
	err = offer(ctx, x.files, x.dir, err)
	_ = x.files.Close()
	return nil, err
}

// read reads the folder, whose name may be written in another form there: "é" as one
// character, or as two.
func (x *explorer) read(ctx context.Context) (err error) {
	given := x.dir
	x.entries, err = x.files.ReadDir(ctx, given)
	for _, form := range filter.PathForms(given) {
		if err == nil || form == given || fault.CodeOf(err) != fault.PathNotFound {
			continue
		}
		if entries, otherErr := x.files.ReadDir(ctx, form); otherErr == nil {
			x.dir, x.entries, err = form, entries, nil
		}
	}
	return err
}

// unlisted warns of what is in the folder, or also below it, and can't be listed.
func (x *explorer) unlisted(deep bool) (warnings []models.Warning) {
	tree, ok := x.files.(repo.Tree)
	if !ok {
		return nil
	}
	n, where := x.beside.Odd, "in and below"
	if !deep {
		n, where = tree.Odd(x.dir), "in"
	}
	if n > 0 {
		warnings = append(warnings, models.Warning{Code: "NAMES_NOT_LISTED", Message: fmt.Sprintf(
			"not listed, as their names are not UTF-8 or have control characters: %d %s this folder; `ragnav coverage` tells "+
				"which files", n, where)})
	}
	if n := x.beside.Nested; n > 0 {
		warnings = append(warnings, models.Warning{Code: "SUBMODULES_NOT_LISTED", Message: fmt.Sprintf(
			"not listed: what is in %s, to be indexed on its own", models.Counted(n, "submodule"))})
	}
	if n := x.beside.Closed; n > 0 {
		warnings = append(warnings, models.Warning{Code: "FOLDERS_NOT_READ", Message: fmt.Sprintf(
			"not listed: what is in %s that can't be read; check the permissions", models.Counted(n, "folder"))})
	}
	return warnings
}

// unindexed warns that no file of the folder is indexed, and says why.
func (x *explorer) unindexed(why string) []models.Warning {
	if why == "" || len(x.entries) == 0 {
		return nil
	}
	return []models.Warning{{Code: "NOT_INDEXED", Message: "the files here are not indexed: " + why}}
}

// leftOut says why a folder has no indexed file, if that is a rule, or that it is of
// another repository.
func (x *explorer) leftOut(ctx context.Context, files []models.FileInfo) (string, error) {
	tree, ok := x.files.(repo.Tree)
	indexed := slices.ContainsFunc(files, func(f models.FileInfo) bool { return f.HasSummary })
	if !ok || x.dir == "" || indexed || len(files) == 0 && len(x.entries) > 0 {
		return "", nil
	}
	_, why, err := listing.WhyIgnored(ctx, tree.Folder, x.dir, listing.Limits{})
	return why, err
}

// message says why a listing is empty.
func (x *explorer) message(found int, pattern, left string) string {
	switch {
	case found > 0:
		return ""
	case pattern == "" && left != "":
		return "the folder is empty: " + left
	case pattern == "":
		return "the folder is empty"
	case !isDeep(pattern):
		return fmt.Sprintf("nothing directly in this folder matches %q; \"**/%s\" looks into the folders below", pattern,
			strings.TrimPrefix(pattern, "./"))
	case x.dir == "":
		return fmt.Sprintf("nothing in the repository matches %q", pattern)
	}
	return fmt.Sprintf("nothing below %q matches %q; the pattern is relative to that folder", x.dir, pattern)
}

// describe makes the item of a reply from one page of what was found.
func (x *explorer) describe(ctx context.Context, page []place, req Request) (models.StructureInfo, error) {
	info := models.StructureInfo{
		RepoID: x.known.RepoID, Path: x.dir, Directories: []string{}, Files: []models.FileInfo{},
	}
	var files []disk.Entry
	for _, p := range page {
		if p.isDir {
			info.Directories = append(info.Directories, p.Path+"/")
			continue
		}
		files = append(files, p.Entry)
	}
	summaries := req.IncludeSummaries
	var err error
	if info.Files, err = x.describeFiles(ctx, files); err != nil {
		return info, err
	}
	if then, ok := x.files.(repo.Past); ok {
		info.Commit, summaries = string(then.Commit), false
	}
	info.KeyFiles = map[string]string{}
	if req.Pattern == "" { // else what was asked for is what matches
		if info.KeyFiles, err = x.keyFiles(ctx); err != nil {
			return info, err
		}
	}
	if summaries {
		info.Summary, err = x.summary(ctx)
	}
	return info, err
}

// summary is the folder's module_summary. The root has the repo_summary, which
// says more, and its module_summary only where that is missing. It is nil for
// a folder without indexed files.
func (x *explorer) summary(ctx context.Context) (*string, error) {
	id, dir := x.known.RepoID, x.dir
	if dir == "" {
		dir = "."
	}
	ids := []models.DocumentID{models.ModuleID(id, dir)}
	if x.dir == "" {
		ids = append(ids, models.RepoDocID(id))
	}
	docs, err := x.index.Documents(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the summary of %q: %w", x.dir, err)
	}
	var summary *string
	for _, d := range docs {
		if d.ID == models.ModuleID(id, dir) {
			if err := x.compare(ctx, d.ChildrenIDs); err != nil {
				return nil, err
			}
		}
		if summary == nil || d.ID == models.RepoDocID(id) {
			summary = &d.Content
		}
	}
	return summary, nil
}

// compare finds which files and folders that a summary was made of are gone, or
// files that are not as they were.
func (x *explorer) compare(ctx context.Context, children []models.DocumentID) error {
	there := map[string]bool{}
	for _, e := range x.entries {
		there[e.Path] = true
		if e.IsDir {
			continue
		}
		rec, err := recordOf(ctx, x, e.Path)
		if err != nil {
			return fmt.Errorf("read what is known of %s: %w", e.Path, err)
		}
		if rec.indexed && (rec.Size != e.Size || rec.ModTime != e.ModTime) {
			x.stale = append(x.stale, e.Path)
		}
	}
	for _, id := range children {
		if p := x.pathOf(id, there); p != "" && !there[p] {
			x.stale = append(x.stale, p)
		}
	}
	slices.Sort(x.stale)
	x.stale = slices.Compact(x.stale)
	return nil
}

// numbered is the number behind a section whose heading stands in the document
// more than once.
var numbered = regexp.MustCompile(`#\d+$`)

// pathOf is the file or folder that a child of a module_summary is of.
func (x *explorer) pathOf(id models.DocumentID, there map[string]bool) string {
	kind, rest, _ := strings.Cut(string(id), ":")
	p, ours := strings.CutPrefix(rest, string(x.known.RepoID)+":")
	if !ours {
		return ""
	}
	if kind != "doc" {
		return p
	}
	of := func(section string) string { return section[:max(strings.LastIndexByte(section, '#'), 0)] }
	if first := numbered.ReplaceAllString(p, ""); first != p && there[of(first)] {
		return of(first)
	}
	return of(p)
}
