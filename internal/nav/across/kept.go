package across

import (
	"maps"
	"slices"
	"sync"
	"weak"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

// kept is what was made of several repositories, for further questions.
type kept struct {
	join joiner

	mu      sync.Mutex
	joints  map[jointKey]*jointed
	tags    map[string]*tagged // by root
	headers map[viewPair][]string
	wirings []*wiring // the last ones, the last one last
}

func newKept() *kept {
	return &kept{
		join: joint.Join, joints: map[jointKey]*jointed{}, tags: map[string]*tagged{}, headers: map[viewPair][]string{},
	}
}

// maxJoints is how many joints are kept.
const maxJoints = 128

// forget lets go of the joints of a repository, or with "" of all.
func (c *kept) forget(root string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.joints, func(k jointKey, _ *jointed) bool { return root == "" || k.root == root })
}

// joint makes the joint of a scope, or takes the one from last time if nothing
// changed since. Others who want anything of it don't wait for that, unless they want
// the same joint.
func (c *kept) joint(s *Scope) *joint.Joint {
	m := s.of
	views := []*overlay.View{m.Answer.View}
	for _, other := range s.Uses {
		views = append(views, other.Answer.View)
	}
	if !m.Verdict.Graph || slices.ContainsFunc(s.Uses, func(o *Member) bool { return !o.Verdict.Graph }) {
		return c.join(views[0], views[1:], gateway.Resolver) // what is made anew each time is not remembered
	}
	return c.jointOf(jointKey{m.Tree.Root(), s.key}, views).joint()
}

// jointOf is that of views, which may still have to be made.
func (c *kept) jointOf(key jointKey, views []*overlay.View) *jointed {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.joints[key]
	if last == nil || !slices.Equal(last.views, views) {
		if len(c.joints) >= maxJoints {
			clear(c.joints)
		}
		last = &jointed{views, sync.OnceValue(func() *joint.Joint { return c.join(views[0], views[1:], gateway.Resolver) })}
		c.joints[key] = last
	}
	return last
}

// includedFrom are the paths that files of a view include and that are headers of
// another one.
func (c *kept) includedFrom(v, other *overlay.View) (all []string) {
	pair := viewPair{weak.Make(v), weak.Make(other)}
	c.mu.Lock()
	all, known := c.headers[pair]
	c.mu.Unlock()
	if known {
		return all
	}
	for _, p := range v.Headers().Missing() {
		if other.Headers().Has(p) {
			all = append(all, p)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.headers) >= maxPairs {
		clear(c.headers)
	}
	c.headers[pair] = all
	return all
}
