package nav

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A page is the part of a list that is asked for.
type page struct {
	offset, limit int
	list          string // what identifies the list
}

// newPage is the page at a cursor. list is the request without its cursor and
// limit.
func newPage(cursor string, limit *int, usual int, list any) (page, error) {
	id, err := json.Marshal(list)
	if err != nil {
		return page{}, err
	}
	p := page{limit: usual, list: string(id)}
	if limit != nil {
		p.limit = *limit
	}
	if p.offset, err = models.CursorOffset(cursor, p.list); err != nil {
		return page{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	return p, nil
}

// end is how many items of the list are needed.
func (p page) end() int { return p.offset + p.limit }

// cut keeps the items of the page, of the first of a list of total. A list is never
// nil: that would be null on the wire.
func cut[T any](p page, items []T, total int, atLeast bool, meta *models.Meta) []T {
	p.say(len(items), total, atLeast, meta)
	if items == nil {
		return []T{}
	}
	return items[min(p.offset, len(items)):min(p.end(), len(items))]
}

// say says in the head of the reply what is left out of a list of which some items,
// the first ones, are known. Of some lists total is the least that there are.
func (p page) say(known, total int, atLeast bool, meta *models.Meta) {
	meta.Total, meta.TotalAtLeast = &total, atLeast
	if p.end() < total || atLeast && p.end() <= known {
		meta.Truncated, meta.NextCursor = true, models.Cursor(p.end(), p.list)
	}
	meta.Truncated = meta.Truncated || atLeast
}

// maxDefinitions is how many definitions a reply lists, unless more have items on its page.
const maxDefinitions = 100

// listed are the definitions that a reply lists: those that its items are of, and the first
// of the others.
func listed(all []models.Definition, items []models.NavItem, meta *models.Meta) []models.Definition {
	if len(all) <= maxDefinitions {
		return all
	}
	named := map[string]bool{}
	for _, item := range items {
		named[item.Definition] = true
	}
	others := maxDefinitions - len(named)
	var out []models.Definition
	for _, d := range all {
		if !named[d.ID] {
			if others <= 0 {
				continue
			}
			others--
		}
		out = append(out, d)
	}
	gateway.AddMessage(meta,
		fmt.Sprintf("%d of %d definitions are listed, those of the items among them", len(out), len(all)))
	return out
}

// Pages remembers how many lines of files were counted for pages of searches, while
// the files are the same.
type pages struct {
	mu   sync.Mutex
	all  []*given // the last one was asked for last
	size int
}

// A given page is of a list of lines.
type given struct {
	list   string
	states []gateway.State
	known  scan.Known
	size   int
}

// maxGiven is how many counts are remembered: some 50 MB.
const maxGiven = 1 << 20

// recall is what is known of a list in repositories of these states.
func (p *pages) recall(list string, states []gateway.State) (known scan.Known) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.find(list); i >= 0 && slices.Equal(p.all[i].states, states) {
		known = p.all[i].known
	}
	return known
}

func (p *pages) find(list string) int {
	return slices.IndexFunc(p.all, func(g *given) bool { return g.list == list })
}

// remember takes note of a list. What was asked for the longest ago makes room.
func (p *pages) remember(list string, states []gateway.State, known scan.Known) {
	g := &given{list, states, known, known.Size() + len(states)}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.find(list); i >= 0 {
		p.drop(i)
	}
	p.all, p.size = append(p.all, g), p.size+g.size
	for p.size > maxGiven {
		p.drop(0)
	}
}

func (p *pages) drop(i int) {
	p.size -= p.all[i].size
	p.all = slices.Delete(p.all, i, i+1)
}

// A mapMemory remembers what was drawn of repositories, while their files are the same. The zero value is empty.
type mapMemory struct {
	mu  sync.Mutex
	all map[mapKey]drawn
}

// A mapKey is what a map is drawn of, and of how many tokens.
type mapKey struct {
	id     models.RepoID
	state  gateway.State
	below  string
	tokens int
}

// A drawn map.
type drawn struct {
	item  models.RepoMap
	cut   string
	empty bool // there are no files
	notes []string
}

// maxMaps is how many maps are remembered: those of 20,000 tokens take 6 MB.
const maxMaps = 64

// drawn is a map, drawn now or when the files were the same. What is of files that changed
// meanwhile is not remembered.
func (a *mapMemory) drawn(ctx context.Context, g *gateway.Gateway, k mapKey) (drawn, error) {
	state, stated := gateway.StateOf(g)
	k.state = state
	a.mu.Lock()
	d, known := a.all[k]
	a.mu.Unlock()
	if known && stated {
		return d, nil
	}
	d, lasts, err := drawMap(ctx, g, k)
	if err != nil || !stated || !lasts {
		return d, err
	}
	after, err := g.Opener.Open(ctx, g.ID)
	if err != nil {
		return d, err
	}
	defer after.Close()
	if same, known := gateway.StateOf(after); !known || same != state {
		return d, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil || len(a.all) >= maxMaps {
		a.all = map[mapKey]drawn{}
	}
	a.all[k] = d
	return d, nil
}
