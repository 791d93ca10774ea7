package artifact

import (
	"context"
	"errors"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A Route is the decision of spec 002: whether the graph is known to be fresh.
// It goes by the commit alone; what differs from the commit is for
// Manifest.Check to say.
type Route struct {
	UseRAG    bool
	Freshness models.Freshness
	Status    *IndexStatus // nil when there is none that can be used
	Reason    string       // for people, one line
}

// Facts are what a route is decided by.
type Facts struct {
	Status  *IndexStatus // nil: no status file
	Problem error        // of a status file that can't be used
	Head    string       // "": no commit, or not known
	HeadErr error        // why it is not known
}

// ComputeRoute looks at a tree and decides. Nothing that it finds is an error:
// what can't be known is UNKNOWN.
//
// HEAD is that of the work tree that the tree is or is in. Where the tree's
// files are not that repository's, in a bare one and in a folder that it
// ignores, HEAD tells nothing of them, and the answer is UNKNOWN.
func ComputeRoute(ctx context.Context, tree *disk.Folder) Route {
	var f Facts
	f.Status, f.Problem = loadStatus(tree)
	if f.Status != nil && f.Status.IndexState == models.StateFresh {
		f.Head, f.HeadErr = tree.Head(ctx)
	}
	return decide(f)
}

// RouteAt is ComputeRoute where a check has just told HEAD.
func RouteAt(tree *disk.Folder, head string) Route {
	f := Facts{Head: head}
	f.Status, f.Problem = loadStatus(tree)
	return decide(f)
}

// decide is spec 002 §4, row by row.
func decide(f Facts) Route {
	switch s := f.Status; {
	case f.Problem != nil:
		return Route{Freshness: models.Unknown, Reason: words(f.Problem)}
	case s == nil:
		return Route{Freshness: models.Unknown, Reason: "there is no graph"}
	case s.IndexState != models.StateFresh:
		return Route{Freshness: models.Stale, Status: s, Reason: "the state of the graph is \"" + string(s.IndexState) + "\""}
	case f.HeadErr != nil:
		return Route{Freshness: models.Unknown, Status: s, Reason: "git does not tell which commit is checked out"}
	case f.Head == "":
		return Route{Freshness: models.Unknown, Status: s, Reason: "no commit is checked out"}
	case s.LastIndexedCommit == nil || *s.LastIndexedCommit == "":
		return Route{Freshness: models.Unknown, Status: s, Reason: "the graph does not say of which commit it is"}
	case *s.LastIndexedCommit != f.Head:
		return Route{
			Freshness: models.Stale, Status: s,
			Reason: "the graph is of commit " + short(*s.LastIndexedCommit) + ", checked out is " + short(f.Head),
		}
	}
	return Route{
		UseRAG: true, Freshness: models.Fresh, Status: f.Status,
		Reason: "the graph is of the commit that is checked out",
	}
}

// words is what people may see of an error.
func words(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message
	}
	return "the status file can't be read"
}

func short(commit string) string { return commit[:min(12, len(commit))] }
