package watch

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// source opens the folder and a source for it: notifications, or polls where
// they don't do. It says so once.
func (f *follower) source(ctx context.Context) (source, error) {
	tree, err := disk.OpenRegistered(ctx, f.repo.Root)
	if err != nil {
		return nil, err
	}
	if kind := inotify.Remote(f.repo.Root); kind != "" {
		f.fallBack("the file system (" + kind + ") does not tell of changes made elsewhere")
	}
	if f.poll {
		return newPolled(ctx, tree, f.Limits, f.Poll), nil
	}
	n, err := f.open()
	if err == nil {
		var src *notified
		if src, err = newNotified(ctx, tree, n, f.Limits); err == nil {
			return src, nil
		}
		if !exhausted(err) {
			return nil, err
		}
		if tree, err = disk.OpenRegistered(ctx, f.repo.Root); err != nil {
			return nil, err
		}
		f.fallBack("the system has no more file watches; raise its limit (Linux: sysctl fs.inotify.max_user_watches) and " +
			"start again")
	} else {
		f.fallBack(fmt.Sprintf("the system gives no notifications (%v)", err))
	}
	return newPolled(ctx, tree, f.Limits, f.Poll), nil
}

// fallBack has the folder polled from here on, and says why.
func (f *follower) fallBack(why string) {
	if !f.poll {
		f.poll = true
		f.Say(f.repo, fmt.Sprintf("listed every %v instead of watched: %s", f.Poll, why))
	}
}
