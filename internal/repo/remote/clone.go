// Package remote is about repositories that others keep: git URLs, clones of them,
// and the ids that follow from them.
package remote

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// cloneOptions keep what a remote sends from running anything here. A server
// that sends nothing for a minute is given up.
var cloneOptions = []string{
	"--no-pager",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.fsmonitor=false",
	"-c", "core.askPass=true",
	"-c", "protocol.ext.allow=never",
	"-c", "submodule.recurse=false",
	"-c", "advice.detachedHead=false",
	"-c", "http.lowSpeedLimit=1000",
	"-c", "http.lowSpeedTime=60",
	"-c", "safe.directory=*",
}

var cloneEnv = []string{
	"GIT_TERMINAL_PROMPT=0",
	"GIT_ALLOW_PROTOCOL=https:ssh:file",
	"GIT_SSH_COMMAND=ssh -oBatchMode=yes",
	"GIT_LFS_SKIP_SMUDGE=1",
	"LC_ALL=C",
}

// Clone brings the newest commit of a remote's default branch to
// reposDir/owner/name and returns that folder, or another one: that which has the
// clone already, else at if it isn't "", else one beside the clone of another
// remote, see URLIDs. It takes https, ssh, host:path
// and file URLs and paths that end in ".git". Only that one commit is fetched:
// what is searched is the code as it is. A clone that is there already is
// updated, and local changes in it are lost.
//
// The folder appears when it is complete. Credentials in the URL are used, and
// neither stored nor shown. Errors for users are InvalidRequest.
func Clone(ctx context.Context, url, reposDir, at string) (root string, err error) {
	reposDir, err = filepath.Abs(reposDir)
	if err != nil {
		return "", err
	}
	c, err := newCloner(url, reposDir)
	if err != nil {
		return "", err
	}
	if at != "" {
		c.roots = append([]string{at}, c.roots...)
	}
	root, there, err := c.place(ctx)
	if err != nil {
		return "", err
	}
	if err := noCloneAbove(reposDir, root); err != nil {
		return "", err
	}
	if !there {
		return root, c.create(ctx, reposDir, root)
	}
	return root, c.update(ctx, root)
}

// place is the folder that has the clone, else the first of those that it may
// have which is not there.
func (c cloner) place(ctx context.Context) (root string, there bool, err error) {
	for _, dir := range c.roots {
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			root = cmp.Or(root, dir)
			continue
		}
		other := c.sameOrigin(ctx, dir)
		switch {
		case other == nil:
			return dir, true, nil
		case !errors.Is(other, errOtherRemote):
			return "", false, other
		}
		err = cmp.Or(err, other)
	}
	if root != "" {
		return root, false, nil
	}
	return "", false, err
}

func checkURL(url string) error {
	u := parseURL(url)
	shown := RedactURL(url)
	switch {
	case strings.HasPrefix(url, "-"), strings.HasPrefix(u.host, "-"), strings.ContainsFunc(url, isControl):
		return fault.New(fault.InvalidRequest, "%q is not a git URL", shown)
	case !IsURL(url):
		return fault.New(fault.InvalidRequest, "%q is not a git URL; clone from https, ssh, file or a path ending in .git",
			shown)
	case len(remoteSegments(url)) == 0:
		return fault.New(fault.InvalidRequest, "the URL %q does not name a repository", shown)
	}
	switch u.scheme {
	case "https", "ssh", "scp", "file", "":
		return nil
	}
	return fault.New(fault.InvalidRequest, "can't clone %q; use an https, ssh or file URL", shown)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// noCloneAbove refuses a place inside another clone, whose files it would join.
func noCloneAbove(reposDir, root string) error {
	for dir := filepath.Dir(root); len(dir) > len(reposDir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return fault.New(fault.InvalidRequest, "%s is a clone of another repository; use another --repos-dir", dir)
		}
	}
	return nil
}

// A cloner brings one remote here.
type cloner struct {
	url   string   // with credentials
	shown string   // without
	roots []string // the folders that the clone may have, the best first
}

func newCloner(url, reposDir string) (c cloner, err error) {
	ids, err := URLIDs(url)
	if err != nil {
		return cloner{}, err
	}
	c = cloner{url: url, shown: RedactURL(url)}
	if u := parseURL(url); u.scheme == "" {
		// a plain path would be copied with all of its history
		if c.url, err = filepath.Abs(url); err != nil {
			return cloner{}, err
		}
		c.url = "file://" + filepath.ToSlash(c.url)
		c.shown = c.url
	}
	for _, id := range ids {
		c.roots = append(c.roots, filepath.Join(reposDir, filepath.FromSlash(string(id))))
	}
	return c, nil
}

func (c cloner) create(ctx context.Context, reposDir, root string) (err error) {
	if err := os.MkdirAll(filepath.Dir(root), 0o700); err != nil {
		return c.failed(err)
	}
	defer func() {
		if err != nil {
			removeEmpty(filepath.Dir(root), reposDir)
		}
	}()
	temp, err := os.MkdirTemp(reposDir, ".clone-*")
	if err != nil {
		return c.failed(err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	work := filepath.Join(temp, "work")
	if err := c.git(ctx, temp, "clone", "--quiet", "--template=", "--depth=1", "--single-branch", "--no-tags", "--", c.url,
		work); err != nil {
		return err
	}
	if err := c.git(ctx, work, "remote", "set-url", "origin", c.shown); err != nil {
		return err
	}
	err = os.Rename(work, root)
	if _, there := os.Lstat(filepath.Join(root, ".git")); err != nil && there == nil {
		return nil // another process was quicker
	}
	return c.failed(err)
}

// removeEmpty removes a folder and those around it, up to top, as far as there
// is nothing in them.
func removeEmpty(dir, top string) {
	for dir != top && strings.HasPrefix(dir, top) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

// update moves a clone to where the remote's default branch is now.
func (c cloner) update(ctx context.Context, root string) error {
	if err := c.sameOrigin(ctx, root); err != nil {
		return err
	}
	unlock(root)
	err := c.git(ctx, root, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", c.url, "HEAD")
	if err != nil && strings.Contains(err.Error(), "couldn't find remote ref HEAD") {
		return c.withoutHead(ctx, root)
	}
	if err != nil {
		return err
	}
	if err := c.git(ctx, root, "reset", "--quiet", "--hard", "FETCH_HEAD"); err != nil {
		return err
	}
	// What is there beside the commit is no part of it, but for a folder that is never listed.
	return c.git(ctx, root, "clean", "--quiet", "-ffdx", "--exclude=/.llmc")
}

// unlock takes away the locks of a git that was killed here: one job at a time
// has a clone, and with them no other git would change it ever again.
func unlock(root string) {
	for _, name := range []string{"index.lock", "shallow.lock", "HEAD.lock", "config.lock"} {
		_ = os.Remove(filepath.Join(root, ".git", name)) // is not there, mostly
	}
}

// withoutHead is nil when the remote never had a commit. When it has lost its
// default branch, what was fetched before is not what it has.
func (c cloner) withoutHead(ctx context.Context, root string) error {
	if _, err := git.Run(ctx, root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); git.SaidNo(err) {
		return nil
	} else if err != nil {
		return git.Fault(err)
	}
	return fault.New(fault.InvalidRequest, "%s has no default branch any more; set one there, or remove the repository",
		c.shown)
}

var errOtherRemote = errors.New("a clone of another remote")

func (c cloner) sameOrigin(ctx context.Context, root string) error {
	top, err := git.TopLevel(ctx, root)
	if err != nil {
		return err
	}
	if top == "" || !git.SameFolder(top, root) {
		return fault.New(fault.InvalidRequest, "%s is there and not a clone; move it away, or use another --repos-dir", root)
	}
	origin, err := originOf(ctx, root)
	if err != nil {
		return err
	}
	if origin = RedactURL(origin); origin != c.shown {
		return fault.Wrap(fault.InvalidRequest, errOtherRemote, "%s is a clone of %q, not of %q; use another --repos-dir",
			root, origin, c.shown)
	}
	return nil
}

func (c cloner) git(ctx context.Context, dir string, args ...string) error {
	_, err := git.Command{Dir: dir, Env: cloneEnv, Args: slices.Concat(cloneOptions, args)}.Run(ctx)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return c.failed(err)
}

// failed describes an error without the credentials that git may repeat.
func (c cloner) failed(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, git.ErrMissing) {
		return fault.New(fault.InvalidRequest, "cloning needs git; install it, or index a local folder")
	}
	why := strings.ReplaceAll(err.Error(), c.url, c.shown)
	if user := parseURL(c.url).user; strings.Contains(user, ":") {
		_, password, _ := strings.Cut(user, ":")
		why = strings.ReplaceAll(strings.ReplaceAll(why, user, "***"), password, "***")
	}
	return fault.New(fault.InvalidRequest, "can't clone %s: %s", c.shown, why)
}
