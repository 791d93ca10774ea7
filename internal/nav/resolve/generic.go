package resolve

// genericLanguage compares names, for languages of which no more is known than
// declarations and where names are used.
type genericLanguage struct{ name string }

// Bare implements Language: members of the types around, the file, its folder
// and package, then all files of the language.
func (l genericLanguage) Bare(q *Query, f FileID, in int, name string) Found {
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if !isType(&symbols[i]) {
			continue
		}
		id := SymbolID{f, int32(i)} //nolint:gosec // an index
		if found := q.inherited(Entity{Kind: TypeName, Symbols: []SymbolID{id}}, name); len(found.Symbols) > 0 {
			return found
		}
	}
	var own, near, far []SymbolID
	for _, id := range q.World().Defs(name) {
		file := q.File(id.File)
		s := q.Symbol(id)
		switch {
		case file.Language != l.name || s.Parent >= 0 && !isType(s):
		case id.File == f:
			own = append(own, id)
		case file.Package != "" && file.Package == q.File(f).Package || folderOf(file.Path) == folderOf(q.File(f).Path):
			near = append(near, id)
		default:
			far = append(far, id)
		}
	}
	switch {
	case len(own) > 0:
		return Found{Symbols: own, Tier: TierA}
	case len(near) == 1 && len(far) == 0 || len(near) == 0 && len(far) == 1:
		return Found{Symbols: append(near, far...), Tier: TierD}
	case len(near) == 1:
		return Found{Symbols: near, Tier: TierE}
	case len(near)+len(far) <= maxTargets:
		return Found{Symbols: append(near, far...), Tier: TierF}
	}
	return Found{}
}

// Member implements Language. There are no modules.
func (genericLanguage) Member(*Query, FileID, []FileID, string) Found { return Found{} }

// Import implements Language. What an import means is not known.
func (genericLanguage) Import(*Query, FileID, int) []FileID { return nil }

var genericCommon = set(`new get set add put remove size length count each map select filter push pop first last to_s to_i inspect print puts println format
toString equals hashCode contains isEmpty name value key id call run close open read write start stop init initialize ToString Equals GetHashCode Add Remove
Count Select Where ToList append insert delete find index keys values update create save build require include log info error debug warn`)

// Common implements Guessing.
func (genericLanguage) Common(name string) bool { return genericCommon[name] }
