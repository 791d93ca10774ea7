package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Hold puts a new job on the board and takes its repository's lease. When
// another job has the repository that is a Conflict, which says whose it is.
// End with finish, handOver or Forfeit.
func (b *Board) Hold(ctx context.Context, j *Handle) error {
	j.Update(func(v *Job) { v.Server = b.server })
	rec := b.record(j)
	// Should this process end before it has the lease, nobody would look at the
	// record again: it goes by itself.
	version, err := b.Store.Swap(ctx, jobsCollection, j.ID, 0, rec, max(time.Minute, 6*b.TTL))
	if err != nil {
		b.discard(ctx, j)
		return fmt.Errorf("write job %s: %w", j.ID, err)
	}
	begun, err := b.lease(ctx, j)
	if err != nil {
		b.discard(ctx, j)
		return err
	}
	k := newRenewer(ctx, b, j, posting{rec, version, begun})
	if err := k.renew(ctx); err != nil { // and now it stays
		k.forfeit(ctx)
		return err
	}
	return nil
}

// discard removes, as far as it is there, what a job without a renewer has on
// the board.
func (b *Board) discard(ctx context.Context, j *Handle) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.TTL)
	defer cancel()
	_ = b.release(ctx, j.Spec.ID, j.ID)
	if _, version, err := b.read(ctx, j.ID); err == nil && version != 0 {
		_, _ = b.Store.Swap(ctx, jobsCollection, j.ID, version, nil, 0)
	}
}

// lease takes the lease of a job's repository. From begun on others may watch
// the job's heartbeat.
func (b *Board) lease(ctx context.Context, j *Handle) (begun time.Time, err error) {
	id, want := j.Spec.ID, leaseRecord{JobID: j.ID}
	for {
		var there leaseRecord
		version, err := b.Store.Versioned(ctx, leasesCollection, string(id), &there)
		switch {
		case err != nil:
			return begun, fmt.Errorf("read the lease of %s: %w", id, err)
		case there.JobID == j.ID:
			return begun, nil // it was taken, and this process told that it was not
		case version != 0:
			stale, err := b.contest(ctx, there.JobID, j)
			if err != nil {
				return begun, err
			}
			if !stale {
				continue
			}
		}
		begun = time.Now()
		_, err = b.Store.Swap(ctx, leasesCollection, string(id), version, want, 0)
		if err == nil {
			return begun, nil
		}
		if !IsConflict(err) {
			return begun, fmt.Errorf("take the lease of %s: %w", id, err)
		}
	}
}

// contest finds out whether the job that has a repository is still alive, which
// is a Conflict. When its holder is gone it ends the job in favour of j. The
// lease of a job that has ended is stale; when it is not, look again.
func (b *Board) contest(ctx context.Context, id string, j *Handle) (stale bool, err error) {
	rec, version, err := b.read(ctx, id)
	if err != nil {
		return false, err
	}
	if version == 0 || rec.Job.State.Final() {
		return true, nil
	}
	switch state, _ := b.observe(rec); {
	case state == alive, b.renewer(id) != nil:
		return false, taken(rec)
	case state == unclear:
		// A holder that lives is seen to within a heartbeat.
		if pause(ctx, b.Heartbeat); GivenUp(ctx) {
			return false, taken(rec)
		}
		return false, nil
	}
	message := fmt.Sprintf("its server %s stopped; job %s indexes the repository instead", rec.Server, j.ID)
	if j.Removal {
		message = fmt.Sprintf("its server %s stopped, and the repository is being removed", rec.Server)
	}
	if _, err := b.write(ctx, rec.ended(Failed, message, b.now()), version); !IsConflict(err) {
		return err == nil, err
	}
	return false, nil
}

// taken is the Conflict of a repository that a job has.
func taken(rec Record) error {
	id := rec.Spec.RepoID
	if rec.Removal {
		return fault.Later("%s is being removed by %s; try again when that has ended", id, rec.Server)
	}
	return fault.Later(
		"%s is being indexed by job %s on %s; wait for it or cancel it (`ragnav jobs cancel %s`)", id, rec.Job.ID,
		rec.Server, rec.Job.ID)
}

// release removes the lease of a repository, as long as it is that job's. When
// that fails the lease is stale, which does no harm.
func (b *Board) release(ctx context.Context, id models.RepoID, job string) error {
	var there leaseRecord
	version, err := b.Store.Versioned(ctx, leasesCollection, string(id), &there)
	if err != nil || version == 0 || there.JobID != job {
		return err
	}
	_, err = b.Store.Swap(ctx, leasesCollection, string(id), version, nil, 0)
	if IsConflict(err) {
		return nil
	}
	return err
}

// finish ends a job on the board. When that fails the job is no longer this
// process's, whatever came of it here.
func (k *renewer) finish(ctx context.Context, outcome Job) error {
	err := k.last(ctx, func(rec Record) Record {
		rec.Job = outcome
		return rec
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.board.TTL)
	defer cancel()
	_ = k.board.release(ctx, k.job.Spec.ID, k.job.ID)
	return nil
}

// handOver leaves a job to the other servers.
func (k *renewer) handOver(ctx context.Context) error { return k.last(ctx, Record.waiting) }

// forfeit takes a job that was not begun, or a removal, off the board.
func (k *renewer) forfeit(ctx context.Context) {
	// Its end comes first: a job that has not ended is never without a lease.
	if k.finish(ctx, k.job.Outcome(ErrCancelled)) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.board.TTL)
	defer cancel()
	_, _ = k.board.Store.Swap(ctx, jobsCollection, k.job.ID, k.version, nil, 0)
}
