package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/index/tell"
	"github.com/ragnav/ragnav/internal/index/vectors"
	"github.com/ragnav/ragnav/internal/parallel"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// racyWindow is how old a file must be when it is read for its time to tell
// it from a later version: file systems and clocks are that coarse.
const racyWindow = 2 * time.Second

// A looker looks into files and says what changes against their records. Its
// methods may be called concurrently: they read what they share with the rest of
// the run and change nothing of it.
type looker struct {
	*Site
	*state

	vectors *vectors.Vectors
	teller  *tell.Teller
	anyway  bool // files are composed again although no vector of theirs is missing
}

// look reads a file and says what changes against its old record, which is nil
// for a new file. It may be called concurrently, and may go on after the run has
// ended: see parallel.Promptly.
func (l *looker) look(ctx context.Context, e disk.Entry, old *models.FileRecord) (change, error) {
	rec := models.FileRecord{Path: e.Path, Size: e.Size, ModTime: e.ModTime, Changed: e.Changed}
	readAt := l.Config.Now()
	data, stat, err := l.tree.Read(ctx, e.Path, l.Config.MaxFileSize)
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
	if int64(len(data)) > l.Config.MaxFileSize {
		rec.Skipped, rec.Detail = models.SkipTooLarge, fmt.Sprintf(
			"more than %d bytes (RAGNAV_MAX_FILE_SIZE)", l.Config.MaxFileSize)
		return skip(rec, old), nil
	}
	sum := sha256.Sum256(data)
	rec.Hash, rec.Revision = hex.EncodeToString(sum[:]), l.Config.Revision()
	if !l.anew(e.Path) && old != nil && old.Hash == rec.Hash && !unread(*old) && !l.dated(*old) {
		return l.settle(refresh(rec, *old), *old, data), nil
	}
	text, ok := parse.Decode(data)
	rec.Skipped, rec.Detail = judge(data, text, ok)
	rec.Stored = l.stores(rec)
	if rec.Skipped != "" {
		return skip(rec, old).withContent(rec, data), nil
	}
	return l.compose(ctx, rec, old, data, text)
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

// compose makes the documents of a file and their vectors.
func (l *looker) compose(ctx context.Context, rec models.FileRecord, old *models.FileRecord, data []byte,
	text string,
) (change, error) {
	marks := filekind.Of(rec.Path, data)
	rec.Language, rec.Test, rec.Generated, rec.Vendored = marks.Language, marks.Test, marks.Generated, marks.Vendored
	raw := text
	text, rec.Masked = redact.Text(text)
	rec.Lines = parse.Lines(text)
	want := parse.WantSymbols
	if l.Job.Spec.Graph && text == raw { // of which facts are read
		want = parse.WantFacts
	}
	outline := l.Config.parser().Parse(ctx, parse.File{Path: rec.Path, Language: rec.Language, Text: text}, want)
	if ctx.Err() != nil { // it may be why there is no better outline
		return change{}, ctx.Err()
	}
	rec.Detail = outline.Detail
	if !outline.Away { // else the next run looks again
		rec.Grammar = l.Config.parser().Revision(rec.Path, rec.Language)
	}
	made := compose.File(compose.Source{
		Repo: l.origin.Repo, Commit: l.origin.Commit, Now: l.origin.Now, Record: rec,
		Document: len(outline.Sections) > 0, Text: text, Raw: raw, Outline: outline,
	})
	if err := l.teller.Retell(ctx, &made); err != nil {
		return change{}, fmt.Errorf("read the summary of %s: %w", rec.Path, err)
	}
	pending, err := l.vectors.Embed(ctx, made.Documents, made.Inputs, l.vectors.Near(rec, old))
	if err != nil {
		return change{}, fmt.Errorf("embed %s: %w", rec.Path, err)
	}
	rec = made.Record // a copy: a pointer into made would keep all of it
	rec.Pending = pending
	c := change{path: rec.Path, record: &rec, put: made.Documents}.withText(rec, raw, text)
	if outline.Away {
		c.away = outline.Detail
	}
	for _, d := range c.put {
		c.bytes += len(d.Text) + len(d.Content)
	}
	if old == nil {
		return c, nil
	}
	c.drop = missing(old.Documents, rec.Documents)
	return c, keepCreated(ctx, l.Store, c.put, old.Documents)
}

// keepCreated gives documents that exist already their time of creation.
func keepCreated(ctx context.Context, st records.Reader, docs []models.Document, old []models.DocumentID) error {
	known, err := st.Documents(ctx, old)
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

// anew reports whether a file is indexed again although it may be as it was.
func (l *looker) anew(file string) bool {
	return l.full && (l.draft == nil || !l.draft.made[file])
}

// lookAgain is look for a file whose vectors are missing. Of one that is not as
// it was indexed nothing changes; the next run reads it.
func (l *looker) lookAgain(ctx context.Context, e disk.Entry, old *models.FileRecord) (change, error) {
	same := change{path: e.Path}
	if l.vectors.Later() && !l.anyway {
		return same, nil
	}
	data, ok, err := l.asIndexed(ctx, *old)
	if err != nil || !ok {
		return same, err // the next run finds out
	}
	text, _ := parse.Decode(data)
	rec := models.FileRecord{
		Path: old.Path, Size: old.Size, ModTime: old.ModTime, Changed: old.Changed, Hash: old.Hash, Racy: old.Racy,
		Stored: old.Stored, Revision: old.Revision,
	}
	c, err := l.compose(ctx, rec, old, data, text)
	if err != nil || c.record.Pending == old.Pending && !l.anyway {
		return same, err
	}
	return c, nil
}

// stores reports whether the content of a file is to be kept: that of what is
// indexed, and of files without text, so that all text is served.
func (l *looker) stores(rec models.FileRecord) bool {
	return l.Config.StoreContent && rec.Size <= models.MaxContent && (rec.Skipped == "" || rec.Skipped == models.SkipEmpty)
}

// settled reports that the content of a file is kept, or not, as it is to be.
func (l *looker) settled(rec models.FileRecord) bool { return rec.Stored == l.stores(rec) }

// settle adds to the change of a file that is as it was what its content needs
// since storing was switched on or off.
func (l *looker) settle(c change, old models.FileRecord, data []byte) change {
	if l.settled(old) {
		return c
	}
	if c.record == nil {
		c.record = &old
	}
	c.record.Stored = l.stores(old)
	return c.withContent(*c.record, data)
}

// lookInto has workers look into files, and add take what they found, one after
// another in any order.
func (l *looker) lookInto(ctx context.Context, tasks []task, add func(change) error) error {
	g, gctx := parallel.NewGroup(ctx)
	changes := make(chan change, l.Config.Workers)
	g.Go(func() error { return l.lookAll(gctx, tasks, changes) })
	g.Go(func() error {
		for ch := range changes {
			if err := add(ch); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}

// lookAll has the workers look into files. It closes changes when all of them
// have ended.
func (l *looker) lookAll(ctx context.Context, tasks []task, changes chan<- change) error {
	defer close(changes)
	g, ctx := parallel.NewGroup(ctx)
	next := make(chan task)
	g.Go(func() error {
		defer close(next)
		for _, t := range tasks {
			select {
			case next <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	look, workers := l.look, l.Config.Workers
	if l.following {
		look, workers = l.lookAgain, max(workers, followers)
	}
	for range workers {
		g.Go(func() error {
			for t := range next {
				ch, err := parallel.Promptly(ctx, func() (change, error) { return look(ctx, t.entry, t.old) })
				if err != nil {
					return err
				}
				select {
				case changes <- ch:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	return g.Wait()
}
