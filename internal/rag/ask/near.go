package ask

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Graph knows what stands next to a symbol, up to a limit each way. It answers
// at once or, with ok false, not at all.
type Graph interface {
	Near(ctx context.Context, symbol models.Header, limit int) (n Near, ok bool, err error)
}

// Near are the neighbours of a symbol.
type Near struct {
	Users []models.Definition // what uses it, tests last
	Total int                 // of them
	Used  []models.Definition // what it uses
	Below []models.Definition // what implements or overrides it
}

// Follow has answers say who uses what was found, and cite neighbours.
func (s *Service) Follow(g Graph) { s.graph = g }

const (
	followed  = 2                      // of the first places, whose neighbours are looked at
	nearLimit = 8                      // neighbours each way
	nearTime  = 300 * time.Millisecond // for all of it
	maxNear   = 2                      // neighbours that are cited
	nearShare = 0.25                   // of what the question says, which they have at least
)

// neighbours are looked at to say more of what was found.
type neighbours struct {
	graph Graph // may be nil
	read  reader
	notes *notes
}

// near looks at what stands next to the best symbols. It says who uses the first
// one, and adds to the places neighbours in files that are not among the first anyway.
func (n neighbours) near(ctx context.Context, all []place, docs map[models.DocumentID]models.Document) (
	places []place, uses string, err error,
) {
	if n.graph == nil || len(all) == 0 {
		return all, "", nil
	}
	limited, cancel := context.WithTimeout(ctx, nearTime)
	defer cancel()
	var added []place
	for i, p := range all[:min(followed, len(all))] {
		parts := parts(p, docs)
		if len(parts) == 0 || parts[0].Type != models.TypeSymbol || parts[0].SymbolName == "" ||
			parts[0].Kind == models.KindChunk {
			continue
		}
		d := parts[0]
		found, ok, err := n.graph.Near(limited, d.Header, nearLimit)
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if err != nil || !ok {
			continue // an answer without it is whole
		}
		n.notes.Did("where_used", fmt.Sprintf("%s %s", d.RepoID, d.QualifiedName), found.Total)
		if i == 0 {
			uses = found.without(d.QualifiedName).sentence()
		}
		for _, def := range slices.Concat(found.Used, found.Users) {
			added = append(added,
				place{
					repo: d.RepoID, path: def.FilePath,
					parts: []models.DocumentID{models.SymbolID(d.RepoID, def.FilePath, def.Qualified, 1)},
				})
		}
	}
	places, err = n.insert(ctx, all, added, docs)
	return places, uses, err
}

// insert puts up to maxNear neighbours at the end of the places that will be
// cited: files that would not be otherwise, by their own place or by the neighbour.
func (n neighbours) insert(ctx context.Context, all, added []place,
	docs map[models.DocumentID]models.Document,
) ([]place, error) {
	most := min(maxNear, n.notes.citations/4)
	at := min(n.notes.citations-most, len(all))
	if most == 0 || len(added) == 0 {
		return all, nil
	}
	found, err := n.read.documents(ctx, added)
	if err != nil {
		return nil, err
	}
	maps.Copy(docs, found)
	cited := map[string]bool{}
	for _, p := range all[:min(n.notes.citations, len(all))] {
		cited[p.file()] = true
	}
	var near []place
	for _, p := range added {
		if cited[p.file()] || len(near) == most {
			continue
		}
		cited[p.file()] = true
		if i := slices.IndexFunc(all, func(other place) bool { return other.file() == p.file() }); i >= 0 {
			p = all[i]
			all = slices.Delete(slices.Clone(all), i, i+1)
		}
		if all := parts(p, docs); len(all) > 0 && n.notes.share(all[0].Content) >= nearShare {
			near = append(near, p)
		}
	}
	return slices.Concat(all[:at], near, all[at:]), nil
}

// without are neighbours but what holds a symbol: that a method uses its class says nothing.
func (n Near) without(holds string) Near {
	n.Used = slices.DeleteFunc(slices.Clone(n.Used), func(d models.Definition) bool {
		rest, within := strings.CutPrefix(holds, d.Qualified)
		return within && rest != "" && strings.ContainsAny(rest[:1], ".:#")
	})
	return n
}

// sentence says who uses a symbol, and what it uses.
func (n Near) sentence() string {
	said := ""
	if len(n.Users) > 0 {
		said = " It is used by " + names(n.Users, n.Total)
	}
	if len(n.Used) > 0 {
		if said == "" {
			said = " It"
		} else {
			said += "; it"
		}
		said += " uses " + names(n.Used, len(n.Used))
	}
	if said == "" {
		return ""
	}
	return said + "."
}

// namedNear is how many neighbours are named.
const namedNear = 3

func names(defs []models.Definition, total int) string {
	named := make([]string, 0, namedNear)
	for _, d := range defs {
		if name := inert.Code(extract.Cut(d.Qualified, 60)); len(named) < namedNear && !slices.Contains(named, name) {
			named = append(named, name)
		}
	}
	text := strings.Join(named, ", ")
	if more := total - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
