package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// racyWindow is how old a file must be when it is read for its time to tell
// it from a later version: file systems and clocks are that coarse.
const racyWindow = 2 * time.Second

// A change is what a run does to the store for one file.
type change struct {
	path    string
	gone    bool               // there is no such file any more
	record  *models.FileRecord // nil: stays as it is
	content *models.Content    // nil: stays, or goes when record says so
	put     []models.Document
	drop    []models.DocumentID
	bytes   int // of text
}

// touched reports that documents change, and not at most the record.
func (c change) touched() bool { return len(c.put)+len(c.drop) > 0 }

// look reads a file and says what changes against its old record, which is nil
// for a new file. It may be called concurrently, and may go on after the run has
// ended: see promptly.
func (r *run) look(ctx context.Context, e disk.Entry, old *models.FileRecord) (change, error) {
	rec := models.FileRecord{Path: e.Path, Size: e.Size, ModTime: e.ModTime, Changed: e.Changed}
	readAt := r.config.Now()
	data, stat, err := r.tree.Read(ctx, e.Path, r.config.MaxFileSize)
	switch {
	case ctx.Err() != nil:
		return change{}, ctx.Err()
	case fault.CodeOf(err) == fault.Overloaded: // which says nothing about the file
		return change{}, err
	case err != nil:
		rec.Skipped, rec.Detail = models.SkipUnreadable, fault.MessageOf(err)
		return skip(rec, old), nil
	}
	rec.Size, rec.ModTime, rec.Changed = stat.Size, stat.ModTime, stat.Changed
	rec.Racy = max(stat.ModTime, stat.Changed) > readAt.Add(-racyWindow).UnixNano()
	if int64(len(data)) > r.config.MaxFileSize {
		rec.Skipped, rec.Detail = models.SkipTooLarge, fmt.Sprintf("more than %d bytes", r.config.MaxFileSize)
		return skip(rec, old), nil
	}
	sum := sha256.Sum256(data)
	rec.Hash, rec.Revision = hex.EncodeToString(sum[:]), r.config.revision()
	if !r.anew(e.Path) && old != nil && old.Hash == rec.Hash && !unread(*old) && !r.dated(*old) {
		return r.settle(refresh(rec, *old), *old, data), nil
	}
	text, ok := parse.Decode(data)
	rec.Skipped, rec.Detail = judge(data, text, ok)
	rec.Stored = r.stores(rec)
	if rec.Skipped != "" {
		return skip(rec, old).withContent(rec, data), nil
	}
	return r.compose(ctx, rec, old, data, text)
}

// judge says why content is not indexed, "" when it is. UTF-16, which is full
// of NULs, is judged by what it decodes to.
func judge(data []byte, text string, isText bool) (models.SkipReason, string) {
	if isText && (bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))) {
		data = []byte(text)
	}
	reason, detail := filekind.Examine(data)
	if reason == "" && !isText {
		return models.SkipBinary, "application/octet-stream"
	}
	return reason, detail
}

// skip is the change to a file without documents.
func skip(rec models.FileRecord, old *models.FileRecord) change {
	switch {
	case old == nil:
		return change{path: rec.Path, record: &rec}
	case sameSkip(*old, rec):
		return change{path: rec.Path}
	}
	return change{path: rec.Path, record: &rec, drop: old.Documents}
}

// refresh is the change to a file whose content is as it was.
func refresh(rec, old models.FileRecord) change {
	c := change{path: rec.Path}
	if old.Size != rec.Size || old.ModTime != rec.ModTime || old.Changed != rec.Changed || old.Racy != rec.Racy {
		old.Size, old.ModTime, old.Changed, old.Racy = rec.Size, rec.ModTime, rec.Changed, rec.Racy
		c.record = &old
	}
	return c
}

// compose makes the documents of a file and their vectors.
func (r *run) compose(ctx context.Context, rec models.FileRecord, old *models.FileRecord, data []byte,
	text string,
) (change, error) {
	marks := filekind.Of(rec.Path, data)
	rec.Language, rec.Test, rec.Generated, rec.Vendored = marks.Language, marks.Test, marks.Generated, marks.Vendored
	raw := text
	text, rec.Masked = redact.Text(text)
	rec.Lines = parse.Lines(text)
	outline := r.config.parser().Parse(ctx, parse.File{Path: rec.Path, Language: rec.Language, Text: text},
		parse.WantSymbols)
	if ctx.Err() != nil { // it may be why there is no better outline
		return change{}, ctx.Err()
	}
	rec.Detail = outline.Detail
	if !outline.Away { // else the next run looks again
		rec.Grammar = r.config.parser().Revision(rec.Path, rec.Language)
	}
	made := compose.File(compose.Source{
		Repo: r.origin.Repo, Commit: r.origin.Commit, Now: r.origin.Now, Record: rec,
		Document: len(outline.Sections) > 0, Text: text, Raw: raw, Outline: outline,
	})
	if err := r.retell(ctx, &made); err != nil {
		return change{}, fmt.Errorf("read the summary of %s: %w", rec.Path, err)
	}
	pending, err := r.embedAll(ctx, made.Documents, made.Inputs, r.near(rec, old))
	if err != nil {
		return change{}, fmt.Errorf("embed %s: %w", rec.Path, err)
	}
	rec = made.Record // a copy: a pointer into made would keep all of it
	rec.Pending = pending
	c := change{path: rec.Path, record: &rec, put: made.Documents}.withText(rec, raw, text)
	for _, d := range c.put {
		c.bytes += len(d.Text) + len(d.Content)
	}
	if old == nil {
		return c, nil
	}
	c.drop = missing(old.Documents, rec.Documents)
	return c, r.keepCreated(ctx, c.put, old.Documents)
}

// keepCreated gives documents that exist already their time of creation.
func (r *run) keepCreated(ctx context.Context, docs []models.Document, old []models.DocumentID) error {
	known, err := r.store.Documents(ctx, old)
	if err != nil {
		return fmt.Errorf("read the documents of the last run: %w", err)
	}
	created := make(map[models.DocumentID]time.Time, len(known))
	for _, d := range known {
		created[d.ID] = d.Created
	}
	for i := range docs {
		if t, ok := created[docs[i].ID]; ok {
			docs[i].Created = t
		}
	}
	return nil
}

// missing are the ids in old that are not in now.
func missing(old, now []models.DocumentID) []models.DocumentID {
	keep := make(map[models.DocumentID]bool, len(now))
	for _, id := range now {
		keep[id] = true
	}
	var gone []models.DocumentID
	for _, id := range old {
		if !keep[id] {
			gone = append(gone, id)
		}
	}
	return gone
}
