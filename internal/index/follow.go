package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// Where a server makes the vectors, which may be slow or away, a run first brings
// the documents into the store as they are, with those vectors that are known, and
// only then has the others made: files whose record says that vectors are pending
// are composed again, if they are as they were. What is made is committed as it
// comes. A server that fails ends that, not the run: the next one goes on.

const (
	// followers look into files at the same time, so that the embedder finds enough
	// texts for its batches.
	followers = 16
	// followAge is how old vectors may get before they are committed: what a run
	// that is killed has made since then is lost.
	followAge = 5 * time.Second
)

// giveUp leaves all vectors that are missing to the next run.
func (r *run) giveUp(why error) {
	r.waiting.CompareAndSwap(nil, new(fault.MessageOf(why)))
	r.later.Store(true)
}

// waits is why vectors are missing at the end of a run, for people.
func (r *run) waits() string {
	why := r.waiting.Load()
	switch {
	case why != nil:
		return *why
	case r.following:
		return "their files changed meanwhile"
	}
	return ""
}

// pending counts the documents whose vectors are missing.
func (r *run) pending() int {
	n := r.folders.Pending
	for _, rec := range r.files {
		n += rec.Pending
	}
	return n
}

// follow has the vectors made that are missing.
func (r *run) follow(ctx context.Context) error {
	if r.pending() == 0 {
		return nil
	}
	r.job.Enter(jobs.Embedding)
	r.following, r.fresh, r.scope, r.touched = true, true, nil, nil
	r.full, r.rebuild, r.draft = false, r.folders.Pending > 0, nil
	r.waiting.Store(nil)
	r.later.Store(false)
	r.job.Follow(r.pending())
	var p plan
	for _, rec := range r.files {
		if rec.Pending > 0 {
			p.read = append(p.read,
				task{disk.Entry{Path: rec.Path, Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed}, rec})
		}
	}
	slices.SortFunc(p.read, func(a, b task) int { return cmp.Compare(a.entry.Path, b.entry.Path) })
	if err := r.carryOut(ctx, p); err != nil {
		return err
	}
	return r.summarise(ctx)
}

// lookAgain is look for a file whose vectors are missing. Of one that is not as
// it was indexed nothing changes; the next run reads it.
func (r *run) lookAgain(ctx context.Context, e disk.Entry, old *models.FileRecord) (change, error) {
	same := change{path: e.Path}
	if r.later.Load() && !r.anyway {
		return same, nil
	}
	data, _, err := r.tree.Read(ctx, e.Path, r.config.MaxFileSize)
	if ctx.Err() != nil {
		return same, ctx.Err()
	}
	if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:]) != old.Hash {
		return same, nil //nolint:nilerr // the next run finds out
	}
	text, _ := parse.Decode(data)
	rec := models.FileRecord{
		Path: old.Path, Size: old.Size, ModTime: old.ModTime, Changed: old.Changed, Hash: old.Hash, Racy: old.Racy,
		Stored: old.Stored, Revision: old.Revision,
	}
	c, err := r.compose(ctx, rec, old, data, text)
	if err != nil || c.record.Pending == old.Pending && !r.anyway {
		return same, err
	}
	return c, nil
}

// An unsettled set has the numbers of inputs that have no vector yet.
type unsettled map[int]bool

// followed is what the embedder makes of inputs, but for those that it can't make
// now: all, once it has failed; or single ones that it refuses.
func (r *run) followed(ctx context.Context, inputs []embed.Input) ([][]float32, unsettled, error) {
	missing := unsettled{}
	if !r.later.Load() {
		vectors, err := r.made(ctx, inputs)
		switch {
		case err == nil:
			return vectors, nil, nil
		case ctx.Err() != nil || fault.CodeOf(err) == fault.Internal:
			return nil, nil, err
		case errors.Is(err, embed.ErrRefused) && len(inputs) > 1:
			return r.oneByOne(ctx, inputs)
		case errors.Is(err, embed.ErrRefused):
			r.waiting.CompareAndSwap(nil, new(fault.MessageOf(err)))
		default:
			r.giveUp(err)
		}
	}
	for i := range inputs {
		missing[i] = true
	}
	return make([][]float32, len(inputs)), missing, nil
}

// oneByOne is followed for inputs of which the embedder refuses some.
func (r *run) oneByOne(ctx context.Context, inputs []embed.Input) ([][]float32, unsettled, error) {
	vectors, missing := make([][]float32, len(inputs)), unsettled{}
	for i := range inputs {
		v, not, err := r.followed(ctx, inputs[i:i+1])
		if err != nil {
			return nil, nil, err
		}
		vectors[i] = v[0]
		if not[0] {
			missing[i] = true
		}
	}
	return vectors, missing, nil
}
