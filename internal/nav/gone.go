package nav

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/change"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

// followGone is a lineage of what is gone from files as they are: who used it is found by
// what it was, and who uses those by what is there now.
func (i *impact) followGone(ctx context.Context, c changed, o lineage.Options) (lineage.Result, error) {
	near := o
	near.Depth = 1
	all, err := lineage.Follow(ctx, i.before, c.old, lineage.Upstream, near)
	if err != nil {
		return all, err
	}
	var users []overlay.Def
	o.Away = 1
	adapted := i.adapted(c, all.Items)
	for _, r := range all.Items {
		if d, ok := i.stays(r.Def); ok && !adapted[r.Path[1].ID+r.Path[1].File] {
			users = append(users, d)
			o.Also = append(o.Also, d.Symbol)
		}
	}
	if len(users) == 0 {
		return all, nil
	}
	more, err := lineage.Follow(ctx, i.now, users[0], lineage.Upstream, o)
	for _, r := range more.Items {
		r.Path = append([]overlay.Def{c.old}, r.Path...)
		all.Items = append(all.Items, r)
	}
	all.Total, all.Hubs, all.Cut = all.Total+more.Total, append(all.Hubs, more.Hubs...), all.Cut || more.Cut
	return all, err
}

// gone reports whether a symbol of the view before is not in the one behind the edit.
func (i *impact) gone(d overlay.Def) bool {
	_, stays := i.stays(d)
	return d.ID != "" && !stays
}

// stays is a symbol of the view before in the one behind the edit.
func (i *impact) stays(d overlay.Def) (overlay.Def, bool) {
	index := int(d.Symbol.Index)
	if f, edited := i.after[d.File]; edited && f != nil {
		index = slices.IndexFunc(f.Symbols, func(s facts.Symbol) bool { return s.Qualified == d.Qualified })
	}
	if d.ID == "" || index < 0 {
		return overlay.Def{}, false
	}
	return i.now.World().DefAt(d.File, index)
}

// use notes what used something that is gone.
func (i *impact) use(d overlay.Def) {
	if i.before == i.all.Now {
		i.users = append(i.users, d)
	} else if now, ok := i.stays(d); ok {
		i.left = append(i.left, now)
	}
}

// adapted are those that used a symbol before the edit, which makes them do without.
func (i *impact) adapted(c changed, reached []lineage.Reached) map[string]bool {
	all := map[string]bool{}
	view, _ := i.start(&c)
	for _, r := range reached {
		linked := r.Edge == "implements" || r.Edge == "extends" // which need not be said where it is
		if view == i.before && r.Depth == 1 && (c.Kind == change.Removed || !linked) && !i.stillUses(r, c.old) {
			all[r.Path[1].ID+r.Path[1].File] = true
		}
	}
	return all
}

// stillUses reports whether what used a symbol has a name like it
// still: in a file that the edit leaves alone it does.
func (i *impact) stillUses(r lineage.Reached, gone overlay.Def) bool {
	f, edited := i.after[r.File]
	if !edited {
		return true
	}
	if f == nil {
		return false
	}
	for n := range f.Refs {
		ref := &f.Refs[n]
		if ref.Name == gone.Name &&
			(ref.In < 0 && r.Def.ID == "" || ref.In >= 0 && f.Symbols[ref.In].Qualified == r.Def.Qualified) {
			return true
		}
	}
	return false
}
