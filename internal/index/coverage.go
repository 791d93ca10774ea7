package index

import (
	"context"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// The values of CoverageRequest.Only.
const (
	onlyIndexed = "indexed"
	onlySkipped = "skipped"
)

// A coverage knows what the last runs saw.
type coverage struct {
	store  records.Reader
	limits listing.Limits
}

// cover tells which files are indexed and why others are not: all that the
// last run saw, page by page, or those of one folder, or one file by its path.
// Of a file it also tells what has become of it since.
func (c coverage) cover(ctx context.Context, req CoverageRequest) (CoverageResponse, error) {
	known, err := records.Named(ctx, c.store, req.RepoID)
	if err != nil {
		return CoverageResponse{}, err
	}
	req.RepoID = known.RepoID
	switch known.State {
	case models.StateNever:
		return CoverageResponse{},
			fault.New(fault.IndexNotReady, "%s was never indexed; run `ragnav index %s`", known.RepoID, known.Root)
	case models.StateError:
		return CoverageResponse{}, fault.New(fault.IndexNotReady, "%s has no usable index: %s", known.RepoID, known.LastError)
	case models.StateFresh, models.StateIndexing:
	}
	file, err := relpath.Clean(req.Path)
	if err != nil {
		return CoverageResponse{}, err
	}
	var res CoverageResponse
	if file != "" {
		res, err = c.coverPath(ctx, known, file, req)
	} else {
		if res, err = c.coverAll(ctx, req, ""); err == nil {
			sayPending(&res, known)
		}
	}
	res.Meta.IndexStatus = known.Status()
	return res, err
}

// coverAll lists the files below a folder, "" for the root, that the last run saw.
func (c coverage) coverAll(ctx context.Context, req CoverageRequest, folder string) (CoverageResponse, error) {
	fingerprint := fmt.Sprintf("coverage:%s:%s:%s", req.RepoID, req.Only, folder)
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return CoverageResponse{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	res := CoverageResponse{Skipped: map[models.SkipReason]int{}}
	var items []CoverageItem
	err = records.Files(ctx, c.store, req.RepoID, func(_ string, rec models.FileRecord) {
		if folder != "" && !strings.HasPrefix(rec.Path, folder+"/") {
			return
		}
		res.Count(rec)
		res.Pending += rec.Pending
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
	page, next := models.Page(items, offset, models.Or(req.Limit, defaultLimit), fingerprint)
	res.Result = models.OKResult(page)
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(items)), next, next != ""
	if len(items) == 0 {
		res.Meta.Message = new(emptyCoverage(req.Only))
	}
	return res, nil
}

// coverPath asks the records for a file or folder, and the disk for what the
// last run did not see.
func (c coverage) coverPath(ctx context.Context, known models.Repository, file string,
	req CoverageRequest,
) (CoverageResponse, error) {
	var rec models.FileRecord
	ok, err := c.store.Record(ctx, models.FilesCollection(known.RepoID), file, &rec)
	if err != nil {
		return CoverageResponse{}, fmt.Errorf("read the record of %s: %w", file, err)
	}
	if ok {
		return coverOne(rec, true, c.since(ctx, known, rec)), nil
	}
	res, err := c.coverAll(ctx, req, file)
	if err != nil || res.Indexed+len(res.Skipped) > 0 {
		return res, err
	}
	return c.unseen(ctx, known, file)
}

// since tells what has become of a file since the last run, for people; "" when
// it is as it was, or this machine can't tell.
func (c coverage) since(ctx context.Context, known models.Repository, rec models.FileRecord) string {
	tree, err := disk.OpenRegistered(ctx, known.Root)
	if err != nil {
		return ""
	}
	defer func() { _ = tree.Close() }()
	reason, detail, err := listing.WhyIgnored(ctx, tree, rec.Path, c.limits)
	switch {
	case ctx.Err() != nil, rec.Skipped == models.SkipUnreadable, records.IsIntent(rec):
		return ""
	case fault.CodeOf(err) == fault.PathNotFound:
		return "deleted since the index of " + indexedAt(known) + "; " + records.IndexAgain(known)
	case err != nil:
		return ""
	case reason == models.SkipIgnored:
		return "left out from the next run on: " + detail
	}
	if stat, err := tree.Stat(ctx, rec.Path); err == nil && (stat.Size != rec.Size || stat.ModTime != rec.ModTime) &&
		rec.Skipped != models.SkipSymlink {
		return "changed since the index of " + indexedAt(known) + "; " + records.IndexAgain(known)
	}
	return ""
}

// unseen says why the last run has no record of a file, or of anything in a folder.
func (c coverage) unseen(ctx context.Context, known models.Repository, file string) (CoverageResponse, error) {
	tree, err := disk.OpenRegistered(ctx, known.Root)
	if err != nil {
		return CoverageResponse{}, err
	}
	defer func() { _ = tree.Close() }()
	reason, detail, err := listing.WhyIgnored(ctx, tree, file, c.limits)
	if err != nil {
		return CoverageResponse{}, err
	}
	rec := models.FileRecord{Path: file, Skipped: reason, Detail: detail}
	if reason != "" {
		return coverOne(rec, false, ""), nil
	}
	if _, err := tree.ReadDir(ctx, file); err == nil {
		res := CoverageResponse{Result: models.OKResult([]CoverageItem{}), Skipped: map[models.SkipReason]int{}}
		res.Meta.Message = new("the last run saw no files in this folder that are not ignored; if there are some now, " +
			records.IndexAgain(known))
		return res, nil
	}
	stat, err := tree.Stat(ctx, file)
	if err != nil {
		return CoverageResponse{}, err
	}
	rec.Size = stat.Size
	if known.LastError != "" {
		rec.Detail = "the last run did not come to it"
		return coverOne(rec, false, known.LastError), nil
	}
	rec.Detail = "newer than the index"
	return coverOne(rec, false, "the file is newer than the index; "+records.IndexAgain(known)), nil
}

// sayPending tells of vectors that are missing in a repository.
func sayPending(res *CoverageResponse, known models.Repository) {
	if res.Pending = max(res.Pending, known.Pending); res.Pending > 0 {
		res.Meta.Warnings = append(res.Meta.Warnings,
			models.Warning{Code: models.VectorsMissing, Message: known.SayPending()})
	}
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

func indexedAt(known models.Repository) string {
	return known.LastIndexedAt.UTC().Format("2006-01-02 15:04:05 UTC")
}

// coverOne is the reply about one file; seen tells that the last run saw it.
func coverOne(rec models.FileRecord, seen bool, message string) CoverageResponse {
	item := coverageItem(rec)
	item.Indexed = item.Indexed && seen
	res := CoverageResponse{Result: models.OKResult([]CoverageItem{item}), Skipped: map[models.SkipReason]int{}}
	res.Meta.Message = models.Opt(message)
	if item.Reason != "" {
		res.Skipped[item.Reason] = 1
	}
	res.Indexed = compose.Count(item.Indexed)
	res.Pending = rec.Pending
	res.Count(rec)
	return res
}

func coverageItem(rec models.FileRecord) CoverageItem {
	item := CoverageItem{
		FilePath: rec.Path, Indexed: rec.Skipped == "", Reason: rec.Skipped, Detail: rec.Detail,
		Language: rec.Language, Method: rec.Method, Size: rec.Size, Documents: len(rec.Documents), Masked: rec.Masked,
		Pending: rec.Pending,
	}
	notes := []string{rec.Detail}
	for _, note := range []struct {
		of   bool
		text string
	}{
		{rec.Generated, "generated code, which searches rank behind what people wrote unless they ask for it"},
		{rec.Vendored, "code of others, which searches rank behind the repository's own unless they ask for it"},
		{rec.Test, "test code, which searches rank behind other code unless they ask for it"},
		{rec.Masked > 0, credentials(rec.Masked) + " masked"},
		{rec.Pending > 0, fmt.Sprintf("%d without a vector yet", rec.Pending)},
	} {
		if note.of {
			notes = append(notes, note.text)
		}
	}
	item.Detail = strings.TrimPrefix(strings.Join(notes, "; "), "; ")
	return item
}

func credentials(n int) string {
	if n == 1 {
		return "1 credential"
	}
	return fmt.Sprintf("%d credentials", n)
}
