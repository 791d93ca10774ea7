// Package repos lists the registered repositories, finds the ones that a request
// means, and opens their files.
package repos

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// Records reads the records of repositories.
type Records interface {
	// Record decodes the value under key into v and reports whether there is one.
	Record(ctx context.Context, collection, key string, v any) (bool, error)
	// Records calls yield for each record of a collection in key order.
	Records(ctx context.Context, collection string, yield func(key string, value json.RawMessage) error) error
}

// A Progress tells how far the running index job of a repository is.
type Progress func(id models.RepoID) (done, total int, running bool)

// A Service answers from the records that index runs leave.
type Service struct {
	records  Records
	reposDir string
	progress Progress
	memory   memory
	decoded  atomic.Pointer[decoded] // of the last list
	look     Look                    // nil: how fresh repositories are is not told
}

// Look tells how the index of repositories stands to their folders.
type Look func(ctx context.Context, repos []models.Repository) (current.Standings, error)

// Compare makes List say how fresh repositories are.
func (s *Service) Compare(look Look) { s.look = look }

// New returns a Service over the records of a store. The folder reposDir is
// where this machine has clones; "" means nowhere. The progress of jobs goes
// into the messages about repositories that are not ready; nil means there are
// no jobs in this process.
func New(records Records, reposDir string, progress Progress) *Service {
	if progress == nil {
		progress = func(models.RepoID) (int, int, bool) { return 0, 0, false }
	}
	return &Service{records: records, reposDir: reposDir, progress: progress}
}

const (
	defaultLimit = 100
	fingerprint  = "repos"

	// howToStart ends every message about something that is not indexed.
	howToStart = "index a folder or a git URL with `ragnav index PATH`"
)

// List returns one page of the repositories in order of their ids, those
// without a finished index included.
func (s *Service) List(ctx context.Context, req Request) (Response, error) {
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return Response{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	all, err := s.all(ctx)
	if err != nil {
		return Response{}, err
	}
	page, next := models.Page(all, offset, models.Or(req.Limit, defaultLimit), fingerprint)
	items := make([]models.RepoInfo, len(page))
	for i, r := range page {
		items[i] = info(r)
	}
	res := Response{models.OKResult(items)}
	if err := s.compare(ctx, page, &res); err != nil {
		return Response{}, err
	}
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(all)), next, next != ""
	res.Meta.Warnings = slices.Concat(res.Meta.Warnings, incomplete(page), beyond(page))
	if len(all) == 0 {
		res.Meta.Message = new("no repository is registered yet; " + howToStart)
	}
	return res, nil
}

// incomplete tells why indexes are not what a whole run would make.
func incomplete(page []models.Repository) []models.Warning {
	var warnings []models.Warning
	for _, r := range page {
		if r.State == models.StateFresh && r.LastError != "" {
			warnings = append(warnings, models.Warning{
				Code: "INDEX_INCOMPLETE", Message: fmt.Sprintf("%s: %s", r.RepoID, r.LastError),
			})
		}
	}
	if more := len(warnings) - namedIncomplete; more > 0 {
		warnings = append(warnings[:namedIncomplete], models.Warning{
			Code: "INDEX_INCOMPLETE", Message: fmt.Sprintf("and %d more; `ragnav doctor` lists them", more),
		})
	}
	return warnings
}

// How many repositories warnings name.
const (
	namedIncomplete = 5
	namedBeyond     = 3
	namedGone       = 5
)

// beyond tells of symbols and sections that have no document, since their files have
// more of them than a file may have documents.
func beyond(page []models.Repository) []models.Warning {
	var who []string
	for _, r := range page {
		if r.State == models.StateFresh && r.Beyond > 0 {
			who = append(who, fmt.Sprintf("%s (%d, of very long files: %d)", r.RepoID, r.Beyond, r.BeyondFiles))
		}
	}
	if len(who) == 0 {
		return nil
	}
	named := strings.Join(who[:min(len(who), namedBeyond)], ", ")
	if more := len(who) - namedBeyond; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return []models.Warning{{
		Code: "SYMBOLS_NOT_SEARCHED",
		Message: "symbols or sections that searches do not find one by one: " + named +
			"; level file, `ragnav outline` and `ragnav nav search` read whole files",
	}}
}

// readAll reads every repository's record, in order of the ids.
func (s *Service) readAll(ctx context.Context) ([]models.Repository, error) {
	var all []models.Repository
	last, read := s.decoded.Load(), decoded{}
	err := s.records.Records(ctx, models.CollectionRepos, func(key string, value json.RawMessage) error {
		r, err := last.record(len(all), value)
		if err != nil {
			return fmt.Errorf("decode the record of %s: %w", key, err)
		}
		all, read = append(all, r.repository), append(read, r)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read repositories: %w", err)
	}
	s.decoded.Store(&read)
	return all, nil
}

// compare says how fresh the repositories of a page are: STALE where files differ
// from what was indexed, though searches see few of them as they are. The head
// has the least of it.
func (s *Service) compare(ctx context.Context, page []models.Repository, res *Response) error {
	if s.look == nil || len(page) == 0 {
		return nil
	}
	all, err := s.look(ctx, page)
	if err != nil {
		return err
	}
	res.Meta.FreshnessState, res.Meta.Warnings = models.Fresh, gone(all)
	for i := range all {
		state := all[i].Index()
		res.Items[i].FreshnessState = state
		res.Meta.FreshnessState = models.LeastFresh(res.Meta.FreshnessState, state)
	}
	return nil
}

// gone tells which repositories have no folder any more, nor anything in its place.
func gone(all current.Standings) []models.Warning {
	var ids []string
	for i := range all {
		if all[i].Gone {
			ids = append(ids, string(all[i].Repo.RepoID))
		}
	}
	of, id := "the folder of %s is gone", "ID"
	switch {
	case len(ids) == 0:
		return nil
	case len(ids) == 1:
		id = ids[0]
	default:
		of = "the folders of %s are gone"
	}
	named := strings.Join(ids[:min(len(ids), namedGone)], ", ")
	if more := len(ids) - namedGone; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return []models.Warning{{Code: "FOLDER_GONE", Message: fmt.Sprintf(
		of+"; `ragnav index --repo-id %s PATH` where it is now, or `ragnav remove %[2]s`", named, id)}}
}

// Freshness is how what was indexed of a repository stands to its folder: UNKNOWN where
// nobody compares them.
func (s *Service) Freshness(ctx context.Context, known models.Repository) (models.Freshness, error) {
	if s.look == nil {
		return models.Unknown, nil
	}
	all, err := s.look(ctx, []models.Repository{known})
	if err != nil {
		return models.Unknown, err
	}
	return all[0].Index(), nil
}

// info is a record as list_repos shows it, without a look at the folder.
func info(r models.Repository) models.RepoInfo {
	status := r.Status()
	languages := r.Languages
	if languages == nil {
		languages = []string{}
	}
	return models.RepoInfo{
		RepoID: r.RepoID, DocCount: r.DocCount, FileCount: r.FileCount, Languages: languages,
		FreshnessState: models.Unknown,
		LastIndexedAt:  status.LastIndexedAt, LastIndexedCommit: status.LastIndexedCommit,
	}
}

// Open opens the files of a registered repository. They are read from its
// folder. Where that is not on this machine, they are read from the clone of
// its URL in the folder of clones, which servers may share and have in
// different places, else from what the index run stored. Without any of these
// it is a fault.PathNotFound.
//
// A file that is missing in a folder that is there is gone: stored content does
// not bring it back.
func (s *Service) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	list, _ := ctx.Value(togetherKey{s}).(*shared)
	if list == nil {
		return s.open(ctx, known)
	}
	if tree, ok := list.folder(known.RepoID); ok {
		return repo.Tree{Folder: tree}, nil
	}
	files, err := s.open(ctx, known)
	if tree, ok := files.(repo.Tree); ok {
		s.Share(ctx, known.RepoID, tree.Folder)
	}
	return files, err
}

func (s *Service) open(ctx context.Context, known models.Repository) (repo.Files, error) {
	tree, err := disk.OpenRegistered(ctx, known.Root)
	if fault.CodeOf(err) == fault.PathNotFound && known.URL != "" && s.reposDir != "" {
		tree, err = remote.OpenClone(ctx, known.URL, s.reposDir)
	}
	switch {
	case err == nil:
		return repo.Tree{Folder: tree}, nil
	case fault.CodeOf(err) != fault.PathNotFound:
		return nil, err
	case known.Stored:
		return repo.OpenStored(s.records, known), nil
	}
	return nil, fault.Wrap(fault.PathNotFound, err,
		"the folder of repository %s is gone: %s; put it back, index it where it is now with `ragnav index --repo-id %[1]s "+
			"PATH`, or forget it with `ragnav remove %[1]s`. To serve it without the folder, share --repos-dir or index with "+
			"--content stored",
		known.RepoID, fault.MessageOf(err))
}
