package index

import (
	"context"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// hold puts a new job on the board and takes its repository's lease. When
// another job has the repository that is a Conflict, which says whose it is.
// End with finish, handOver or forfeit.
func (b *board) hold(ctx context.Context, j *job) error {
	j.update(func(v *Job) { v.Server = b.server })
	rec := b.record(j)
	// Should this process end before it has the lease, nobody would look at the
	// record again: it goes by itself.
	version, err := b.store.Swap(ctx, jobsCollection, j.id, 0, rec, max(time.Minute, 6*b.ttl))
	if err != nil {
		b.discard(ctx, j)
		return fmt.Errorf("write job %s: %w", j.id, err)
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
func (b *board) discard(ctx context.Context, j *job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.ttl)
	defer cancel()
	_ = b.release(ctx, j.spec.id, j.id)
	if _, version, err := b.read(ctx, j.id); err == nil && version != 0 {
		_, _ = b.store.Swap(ctx, jobsCollection, j.id, version, nil, 0)
	}
}

// lease takes the lease of a job's repository. From begun on others may watch
// the job's heartbeat.
func (b *board) lease(ctx context.Context, j *job) (begun time.Time, err error) {
	id, want := j.spec.id, leaseRecord{JobID: j.id}
	for {
		var there leaseRecord
		version, err := b.store.Versioned(ctx, leasesCollection, string(id), &there)
		switch {
		case err != nil:
			return begun, fmt.Errorf("read the lease of %s: %w", id, err)
		case there.JobID == j.id:
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
		_, err = b.store.Swap(ctx, leasesCollection, string(id), version, want, 0)
		if err == nil {
			return begun, nil
		}
		if !isConflict(err) {
			return begun, fmt.Errorf("take the lease of %s: %w", id, err)
		}
	}
}

// contest finds out whether the job that has a repository is still alive, which
// is a Conflict. When its holder is gone it ends the job in favour of j. The
// lease of a job that has ended is stale; when it is not, look again.
func (b *board) contest(ctx context.Context, id string, j *job) (stale bool, err error) {
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
		if pause(ctx, b.heartbeat); givenUp(ctx) {
			return false, taken(rec)
		}
		return false, nil
	}
	message := fmt.Sprintf("its server %s stopped; job %s indexes the repository instead", rec.Server, j.id)
	if j.removal {
		message = fmt.Sprintf("its server %s stopped, and the repository is being removed", rec.Server)
	}
	if _, err := b.write(ctx, rec.ended(JobFailed, message, b.now()), version); !isConflict(err) {
		return err == nil, err
	}
	return false, nil
}

// taken is the Conflict of a repository that a job has.
func taken(rec jobRecord) error {
	id := rec.Spec.RepoID
	if rec.Removal {
		return fault.New(fault.Conflict, "%s is being removed by %s; try again when that has ended", id, rec.Server)
	}
	return fault.New(fault.Conflict,
		"%s is being indexed by job %s on %s; wait for it or cancel it (DELETE /api/index/jobs/%s)", id, rec.Job.ID,
		rec.Server, rec.Job.ID)
}

// release removes the lease of a repository, as long as it is that job's. When
// that fails the lease is stale, which does no harm.
func (b *board) release(ctx context.Context, id models.RepoID, job string) error {
	var there leaseRecord
	version, err := b.store.Versioned(ctx, leasesCollection, string(id), &there)
	if err != nil || version == 0 || there.JobID != job {
		return err
	}
	_, err = b.store.Swap(ctx, leasesCollection, string(id), version, nil, 0)
	if isConflict(err) {
		return nil
	}
	return err
}

// finish ends a job on the board. When that fails the job is no longer this
// process's, whatever came of it here.
func (k *renewer) finish(ctx context.Context, outcome Job) error {
	err := k.last(ctx, func(rec jobRecord) jobRecord {
		rec.Job = outcome
		return rec
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.board.ttl)
	defer cancel()
	_ = k.board.release(ctx, k.job.spec.id, k.job.id)
	return nil
}

// handOver leaves a job to the other servers.
func (k *renewer) handOver(ctx context.Context) error { return k.last(ctx, jobRecord.waiting) }

// forfeit takes a job that was not begun, or a removal, off the board.
func (k *renewer) forfeit(ctx context.Context) {
	// Its end comes first: a job that has not ended is never without a lease.
	if k.finish(ctx, k.job.outcome(errCancelled)) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.board.ttl)
	defer cancel()
	_, _ = k.board.store.Swap(ctx, jobsCollection, k.job.id, k.version, nil, 0)
}
