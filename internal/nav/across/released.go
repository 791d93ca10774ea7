package across

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/depend"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/history"
)

// A released is what is known of the version of a checked out module.
type released struct {
	versions []string // that it is; of several tags there may be some
	behind   bool     // it is not that version but what came next
	commit   string
	tags     []string // of the commit
}

// String is a version in words.
func (r released) String() string {
	switch {
	case len(r.versions) > 0 && r.behind:
		return "behind " + strings.TrimSuffix(r.versions[0], "+")
	case len(r.versions) > 0:
		return r.versions[0]
	case len(r.commit) > 12:
		return "at " + r.commit[:12]
	}
	return ""
}

// released tells the version of a module: as its manifest says, or the folder that it
// was unpacked to, or tags of git, as those of Go are.
func (c *kept) released(ctx context.Context, m *Member, x depend.Module) (r released, err error) {
	tagged, err := c.tagged(ctx, m)
	if err != nil {
		return r, err
	}
	r = released{commit: tagged.commit, tags: tagged.tags}
	_, unpacked, _ := strings.Cut(filepath.Base(m.Tree.Root()), "@")
	if version := cmp.Or(x.Version, unpacked); version != "" || tagged.commit == "" {
		if version != "" {
			r.versions = []string{version}
		}
		return r, nil
	}
	glob, is := tagsOf(x)
	for _, t := range tagged.tags {
		if v := is(t); v != "" {
			r.versions = append(r.versions, v)
		}
	}
	if len(r.versions) == 0 {
		before, err := tagged.before(ctx, m.Tree, glob)
		if err != nil {
			return r, err
		}
		if v := is(before); v != "" {
			r.versions, r.behind = []string{v + "+"}, true
		}
	}
	return r, nil
}

var taggedVersion = regexp.MustCompile(`(?:^|[-_/@v])(\d+(?:[._]\d+)+[\w.+-]*)$`)

// tagsOf are the tags of a module: a glob for those of Go, whose modules below the root
// have their folders before the version, and any with a version of others.
func tagsOf(x depend.Module) (glob string, version func(tag string) string) {
	if x.Ecosystem != depend.Go {
		return "*[0-9].[0-9]*", func(tag string) string {
			if m := taggedVersion.FindStringSubmatch(tag); m != nil {
				return m[1]
			}
			return ""
		}
	}
	before := x.Dir
	if major := path.Base(x.Name.Name); path.Base(before) == major && majorForm.MatchString(major) {
		before = path.Dir(before)
	}
	if before = strings.TrimPrefix(before+"/", "./"); before == "/" {
		before = ""
	}
	return before + "v[0-9]*", func(tag string) string {
		if rest, ok := strings.CutPrefix(tag, before); ok && strings.HasPrefix(rest, "v") && !strings.Contains(rest, "/") {
			return rest
		}
		return ""
	}
}

var majorForm = regexp.MustCompile(`^v\d+$`)

// A tagged is the tags of a commit that is checked out.
type tagged struct {
	tagState

	tags []string

	mu      sync.Mutex
	nearest map[string]string // of commits that it comes from, by glob
}

// A tagState stands for the tags of a commit.
type tagState struct{ commit, state string }

// tagged are the tags of a repository as they are when they are first asked for.
func (c *kept) tagged(ctx context.Context, m *Member) (*tagged, error) {
	var err error
	if m.tagged == nil {
		m.tagged, err = c.tagsOf(ctx, m.Gateway)
	}
	return m.tagged, err
}

func (c *kept) tagsOf(ctx context.Context, g *gateway.Gateway) (*tagged, error) {
	now := tagged{nearest: map[string]string{}}
	if now.state = history.TagState(g.Tree); now.state == "" {
		return &now, nil
	}
	var err error
	if g.Delta != nil {
		now.commit = g.Delta.Head
	} else if now.commit, err = g.Tree.Head(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	last := c.tags[g.Tree.Root()]
	c.mu.Unlock()
	if now.commit == "" || last != nil && last.commit == now.commit && last.state == now.state {
		return cmp.Or(last, &now), nil
	}
	if now.tags, err = history.Tags(ctx, g.Tree, history.Revision(now.commit)); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tags[g.Tree.Root()] = &now
	return &now, nil
}

// before is the nearest tag of a commit that this one comes from.
func (t *tagged) before(ctx context.Context, tree *disk.Folder, glob string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tag, known := t.nearest[glob]
	if known {
		return tag, nil
	}
	tag, err := history.TagBefore(ctx, tree, history.Revision(t.commit), glob)
	if err == nil {
		t.nearest[glob] = tag
	}
	return tag, err
}
