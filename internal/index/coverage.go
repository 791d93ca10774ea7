package index

import (
	"context"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// The values of CoverageRequest.Only.
const (
	onlyIndexed = "indexed"
	onlySkipped = "skipped"
)

// Coverage tells which files are indexed and why others are not: all that the
// last run saw, page by page, or one file by its path.
func (s *Service) Coverage(ctx context.Context, req CoverageRequest) (CoverageResponse, error) {
	known, err := s.repository(ctx, req.RepoID)
	if err != nil {
		return CoverageResponse{}, err
	}
	switch known.State {
	case models.StateNever:
		return CoverageResponse{}, fault.New(fault.IndexNotReady, "%s was never indexed; run `ragnav index %s`", known.RepoID, known.Root)
	case models.StateError:
		return CoverageResponse{}, fault.New(fault.IndexNotReady, "%s has no usable index: %s", known.RepoID, known.LastError)
	case models.StateFresh, models.StateIndexing:
	}
	var res CoverageResponse
	if req.Path != "" {
		res, err = s.coverFile(ctx, known, req.Path)
	} else {
		res, err = s.coverAll(ctx, req)
	}
	res.Meta.IndexStatus = known.Status()
	return res, err
}

func (s *Service) coverAll(ctx context.Context, req CoverageRequest) (CoverageResponse, error) {
	fingerprint := fmt.Sprintf("coverage:%s:%s", req.RepoID, req.Only)
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return CoverageResponse{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	res := CoverageResponse{Skipped: map[models.SkipReason]int{}}
	var items []CoverageItem
	err = records(ctx, s.store, models.FilesCollection(req.RepoID), func(_ string, rec models.FileRecord) {
		if rec.Skipped == "" {
			res.Indexed++
		} else {
			res.Skipped[rec.Skipped]++
		}
		if req.Only == "" || (req.Only == onlySkipped) == (rec.Skipped != "") {
			items = append(items, coverageItem(rec))
		}
	})
	if err != nil {
		return CoverageResponse{}, fmt.Errorf("read the file records of %s: %w", req.RepoID, err)
	}
	page, next := models.Page(items, offset, limitOf(req.Limit), fingerprint)
	res.Result = models.OKResult(page)
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(items)), next, next != ""
	if len(items) == 0 {
		res.Meta.Message = new(emptyCoverage(req.Only))
	}
	return res, nil
}

func emptyCoverage(only string) string {
	switch only {
	case onlyIndexed:
		return "no file of this repository is indexed; ask for skipped ones to see why"
	case onlySkipped:
		return "no file of this repository was skipped; ignored files are not listed, ask for one by its path"
	}
	return "the last run found no files in this repository"
}

// coverFile asks the records for one file, and the folder for a file that the
// last run did not see.
func (s *Service) coverFile(ctx context.Context, known models.Repository, name string) (CoverageResponse, error) {
	file, err := repo.CleanPath(name)
	if err != nil {
		return CoverageResponse{}, err
	}
	var rec models.FileRecord
	ok, err := s.store.Record(ctx, models.FilesCollection(known.RepoID), file, &rec)
	if err != nil {
		return CoverageResponse{}, fmt.Errorf("read the record of %s: %w", file, err)
	}
	message := ""
	if !ok {
		if rec, message, err = s.unseen(ctx, known, file); err != nil {
			return CoverageResponse{}, err
		}
	}
	item := coverageItem(rec)
	item.Indexed = item.Indexed && ok
	res := CoverageResponse{Result: models.OKResult([]CoverageItem{item}), Skipped: map[models.SkipReason]int{}}
	res.Meta.Message = models.Opt(message)
	if item.Reason != "" {
		res.Skipped[item.Reason] = 1
	}
	res.Indexed = count(item.Indexed)
	return res, nil
}

// unseen says why the last run has no record of a file.
func (s *Service) unseen(ctx context.Context, known models.Repository, file string) (models.FileRecord, string, error) {
	tree, err := repo.Open(ctx, known.Root)
	if err != nil {
		return models.FileRecord{}, "", err
	}
	defer func() { _ = tree.Close() }()
	if _, err := tree.ReadDir(ctx, file); err == nil {
		return models.FileRecord{}, "", fault.New(fault.InvalidPath, "%q is a folder; ask for a file in it, or leave the path out to list all files", file)
	}
	reason, detail, err := tree.WhyIgnored(ctx, file)
	if err != nil {
		return models.FileRecord{}, "", err
	}
	rec := models.FileRecord{Path: file, Skipped: reason, Detail: detail}
	if reason != "" {
		return rec, "", nil
	}
	_, stat, err := tree.Read(ctx, file, 0)
	if err != nil {
		return rec, "", err
	}
	rec.Size = stat.Size
	if known.LastError != "" {
		rec.Detail = "the last run did not come to it"
		return rec, known.LastError, nil
	}
	rec.Detail = "newer than the index"
	return rec, "the file is newer than the index; run `ragnav index " + known.Root + "`", nil
}

func coverageItem(rec models.FileRecord) CoverageItem {
	item := CoverageItem{
		FilePath: rec.Path, Indexed: rec.Skipped == "", Reason: rec.Skipped, Detail: rec.Detail,
		Language: rec.Language, Method: rec.Method, Size: rec.Size, Documents: len(rec.Documents),
	}
	if rec.Masked > 0 {
		item.Detail = strings.TrimPrefix(fmt.Sprintf("%s; %d credentials masked", rec.Detail, rec.Masked), "; ")
	}
	return item
}
