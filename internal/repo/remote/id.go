package remote

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

const (
	maxIDSegments = 4
	maxSegment    = 48 // so that four segments stay within the limit of an id
)

// InferID proposes an id for a folder: owner and name from the remote "origin"
// when the folder is the top of a git work tree, else the folder's name. A
// folder inside a work tree is not the repository that the remote names, and a
// remote that is a path on this machine names no owner, so they go by their own
// name. The id is always valid; two folders may get the same. A
// git that can't tell is an error: the id has to be the same the next time.
func InferID(ctx context.Context, root string) (models.RepoID, error) {
	resolved, err := disk.Real(root)
	if err != nil {
		return idOf(filepath.Base(root)), nil //nolint:nilerr // it goes by its name
	}
	top, err := git.TopLevel(ctx, resolved)
	if err != nil {
		return "", err
	}
	if top != "" && git.SameFolder(top, resolved) {
		origin, err := originOf(ctx, resolved)
		if err != nil {
			return "", err
		}
		if segs := remoteSegments(origin); len(segs) > 0 && !parseURL(origin).local() {
			return idOf(segs...), nil
		}
	}
	return idOf(filepath.Base(resolved)), nil
}

// originOf is the URL of the remote "origin", "" without one.
func originOf(ctx context.Context, root string) (string, error) {
	out, err := git.Run(ctx, root, "remote", "get-url", "origin")
	if failed, ok := errors.AsType[*git.Error](err); ok &&
		(strings.Contains(failed.Stderr, "No such remote 'origin'") ||
			strings.Contains(failed.Stderr, "no URLs configured for remote 'origin'")) {
		return "", nil
	}
	return strings.TrimSpace(out), git.Fault(err)
}

// BesideID is an id for a folder whose own id another one has: with the folder's
// name behind it, or that of the folder around it.
func BesideID(id models.RepoID, root string) models.RepoID {
	name := cleanSegment(filepath.Base(root))
	if path.Base(string(id)) == name {
		name = cleanSegment(filepath.Base(filepath.Dir(root)))
	}
	return id + "-" + models.RepoID(name)
}

// idOf makes an id of the last segments that fit. It is not empty.
func idOf(segs ...string) models.RepoID {
	segs = segs[max(0, len(segs)-maxIDSegments):]
	clean := make([]string, len(segs))
	for i, seg := range segs {
		clean[i] = cleanSegment(seg)
	}
	return models.RepoID(strings.Join(clean, "/"))
}

// cleanSegment replaces each run of characters that an id can't have by "-", of
// which none is the first: such an id would be an option on the command line. A
// name of nothing else becomes "repo-" and its hash.
func cleanSegment(seg string) string {
	var b strings.Builder
	useful := false
	for _, r := range strings.TrimLeft(seg, "~") {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			useful = true
			b.WriteRune(r)
		case b.Len() > 0 && r == '-', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if !useful {
		h := fnv.New32a()
		_, _ = h.Write([]byte(seg))
		return fmt.Sprintf("repo-%08x", h.Sum32())
	}
	return b.String()[:min(b.Len(), maxSegment)]
}

// remoteSegments are the segments of a git URL's path without ".git"; for a
// path on this machine only the last.
func remoteSegments(url string) []string {
	u := parseURL(url)
	p := u.path
	if relpath.HasDrive(p) {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	p = strings.TrimRight(p, "/")
	p = strings.TrimRight(strings.TrimSuffix(p, ".git"), "/")
	segs := slices.DeleteFunc(strings.Split(p, "/"), func(s string) bool { return s == "" || s == "." || s == ".." })
	if u.local() && len(segs) > 1 {
		segs = segs[len(segs)-1:]
	}
	return segs
}
