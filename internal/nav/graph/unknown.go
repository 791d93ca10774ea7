package graph

import "slices"

// mostTried is how many references of a name Unknown looks at: resolving them
// takes time.
const mostTried = 2000

// Unknown are places that refer by a name to what is not known: neither to a
// symbol of the repository nor to something outside of it. Any of them may be a
// use of what is declared by that name. They are in files whose paths takes
// wants, in order of file and position. all is false when there were too many
// references to look at each.
func (v *View) Unknown(name string, takes func(path string) bool) (places []Place, all bool) {
	r := v.resolver()
	if r == nil {
		return nil, true
	}
	tried := 0
	for _, f := range v.filesWith(name) {
		if !takes(v.w.Path(f)) {
			continue
		}
		refs := v.w.File(f).Refs
		for i := range refs {
			if refs[i].Name != name {
				continue
			}
			if tried++; tried > mostTried {
				slices.SortFunc(places, comparePlaces)
				return places, false
			}
			if res := r.Ref(f, i); len(res.Targets) == 0 && !res.External {
				places = append(places, Place{v.w.Path(f), refs[i].Line, refs[i].Column})
			}
		}
	}
	slices.SortFunc(places, comparePlaces)
	return places, true
}
