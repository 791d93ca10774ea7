// Package access says who may do what on a server: which level a request has,
// and what that level may ask for. How a request shows its level is decided in
// docs/adr/0020-who-may-do-what.md.
package access

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// A Level is what a request may do. The zero value may read.
type Level int

// The levels, each with the rights of those before it.
const (
	Reader Level = iota // what is indexed
	Remote              // and start, cancel and remove, of what the operator allows
	Owner               // and any folder: the person who runs the server
)

type levelKey struct{}

// With returns a context of a request of that level.
func With(ctx context.Context, l Level) context.Context { return context.WithValue(ctx, levelKey{}, l) }

// Of is the level of a request.
func Of(ctx context.Context) Level {
	l, _ := ctx.Value(levelKey{}).(Level)
	return l
}

// Guarded does those operations by b that the level of their context allows.
// Roots are absolute folders: below them, who is not the owner may index.
func Guarded(b op.Backend, roots []string) op.Backend { return guarded{b, roots} }

type guarded struct {
	op.Backend

	roots []string
}

// Call implements op.Caller.
func (g guarded) Call(ctx context.Context, row op.Row, req any) (any, error) {
	about := row.About()
	writes := about.Class == op.ClassIndex || about.Name == op.CancelJob.Name
	if writes && Of(ctx) < Remote {
		return nil, fault.New(fault.Unauthenticated,
			"to %s takes a token: send \"Authorization: Bearer\" with what stands in the file api-token of the server's data "+
				"directory", about.Name)
	}
	if start, ok := req.(index.StartRequest); ok && Of(ctx) < Owner {
		settled, err := g.settled(start.Targets)
		if err != nil {
			return nil, err
		}
		start.Targets, start.Settled = settled, true
		req = start
	}
	return g.Backend.Call(ctx, row, req)
}

// settled are the targets of who is not the owner: repositories of other machines
// as they are, folders below a root as what symlinks lead to, so that what is
// indexed is what was allowed.
func (g guarded) settled(targets []string) ([]string, error) {
	all := slices.Clone(targets)
	for i, target := range all {
		if elsewhere(target) {
			continue
		}
		real, ok := g.below(target)
		if !ok {
			return nil, fault.New(fault.Forbidden,
				"%.200q may not be indexed from here: give an https or ssh git URL, or a folder below --index-roots of the server",
				target)
		}
		all[i] = real
	}
	return all, nil
}

// elsewhere reports whether a target is a repository of another machine.
func elsewhere(target string) bool {
	if scheme, rest, ok := strings.Cut(target, "://"); ok {
		return slices.Contains([]string{"https", "http", "ssh", "git"}, strings.ToLower(scheme)) && rest != ""
	}
	if filepath.IsAbs(target) {
		return false
	}
	user, _, ok := strings.Cut(target, ":") // of the scp form
	return ok && !strings.ContainsAny(user, `/\`) && len(user) > 1
}

// below is where a folder really is, if that is below a root. Relative folders
// are refused everywhere.
func (g guarded) below(target string) (real string, ok bool) {
	if !filepath.IsAbs(target) {
		return "", false
	}
	real, err := filepath.EvalSymlinks(target)
	if err != nil {
		return "", false // it is not told whether it is there
	}
	for _, root := range g.roots {
		if root, err = filepath.EvalSymlinks(root); err != nil {
			continue
		}
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return real, true
		}
	}
	return "", false
}
