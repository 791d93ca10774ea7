package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// javaLanguage finds names in packages of Java. A package as a module is the
// list of its files, with the first one twice if there is no other.
type javaLanguage struct{}

type javaPackagesKey struct{}

// javaPackages are the files of each package.
func javaPackages(q *Query) map[string][]FileID {
	return Once(q, javaPackagesKey{}, func() map[string][]FileID {
		out := map[string][]FileID{}
		for _, id := range q.World().Language("Java") {
			p := q.File(id).Package
			out[p] = append(out[p], id)
		}
		return out
	})
}

// Bare implements Language: members of the types around, inherited ones too,
// types of the file, imports, the package, imports of whole packages.
func (l javaLanguage) Bare(q *Query, f FileID, in int, name string) Found {
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		id := SymbolID{f, int32(i)} //nolint:gosec // an index
		if found := l.nameless(q, id, name); len(found.Symbols) > 0 {
			return found
		}
		if !isType(&symbols[i]) {
			continue
		}
		if symbols[i].Name == name {
			return Found{Symbols: []SymbolID{id}, Tier: TierA}
		}
		if found := q.inherited(Entity{Kind: TypeName, Symbols: []SymbolID{id}}, name); len(found.Symbols) > 0 && !q.constructs(found.Symbols[0]) {
			if found.Symbols[0].File == f {
				found.Tier = TierA
			}
			return found
		}
	}
	if found := l.single(q, f, name); !found.None() {
		return found
	}
	if list := l.types(q, q.File(f).Package, name); list != nil {
		return Found{Symbols: list, Tier: TierA}
	}
	if found := l.onDemand(q, f, name); !found.None() {
		return found
	}
	if files := l.files(q, name); files != nil {
		return Found{Files: files, Tier: TierB}
	}
	return Found{External: true}
}

// nameless finds what a class without a name inherits, of which a method is.
func (javaLanguage) nameless(q *Query, method SymbolID, name string) Found {
	if s := q.Symbol(method); isFunction(s) {
		for _, b := range q.basesOf(method, nil) {
			if found := q.inherited(b, name); len(found.Symbols) > 0 && !q.constructs(found.Symbols[0]) {
				return found
			}
		}
	}
	return Found{}
}

// types are the top types of a package by name.
func (javaLanguage) types(q *Query, pkg, name string) []SymbolID {
	var out []SymbolID
	for _, id := range q.World().Defs(name) {
		if s := q.Symbol(id); s.Parent < 0 && isType(s) && q.File(id.File).Language == "Java" && q.File(id.File).Package == pkg {
			out = append(out, id)
		}
	}
	return out
}

// files are those of a package, or of a part of a package's name.
func (javaLanguage) files(q *Query, pkg string) []FileID {
	files := javaPackages(q)[pkg]
	if len(files) == 1 {
		return []FileID{files[0], files[0]}
	}
	return files
}

// owner is the type that a dotted name means, from the whole of it to its
// first part.
func (l javaLanguage) owner(q *Query, dotted string) (Entity, bool) {
	for end := len(dotted); end > 0; end-- {
		if end < len(dotted) && dotted[end] != '.' {
			continue
		}
		pkg, name := cutLast(dotted[:end])
		list := l.types(q, pkg, name)
		if list == nil {
			continue
		}
		e := Entity{Kind: TypeName, Symbols: list}
		for rest := dotted[end:]; rest != ""; {
			var part string
			part, rest = cutFirst(rest[1:])
			found := q.inherited(e, part)
			if len(found.Symbols) == 0 {
				return Entity{}, false
			}
			e = Entity{Kind: TypeName, Symbols: found.Symbols}
		}
		return e, true
	}
	return Entity{}, false
}

func cutLast(s string) (before, last string) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[:i], s[i+1:]
		}
	}
	return "", s
}

// cutFirst is the first part, and the rest with its dot.
func cutFirst(s string) (first, rest string) {
	for i := range len(s) {
		if s[i] == '.' {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// single finds a name among the imports of one name.
func (l javaLanguage) single(q *Query, f FileID, name string) Found {
	imports := q.File(f).Imports
	external := false
	var out Found
	for i := range imports {
		x := &imports[i]
		if x.Name != name {
			continue
		}
		found := l.imported(q, x)
		external = external || found.External
		out.Symbols = append(out.Symbols, found.Symbols...)
	}
	if len(out.Symbols) > 0 {
		out.Tier = TierB
		return out
	}
	return Found{External: external}
}

func (l javaLanguage) imported(q *Query, x *facts.Import) Found {
	if !x.System {
		if list := l.types(q, x.Path, x.Name); list != nil {
			return Found{Symbols: list, Tier: TierB}
		}
	}
	if e, ok := l.owner(q, x.Path); ok {
		found := q.inherited(e, x.Name)
		found.Tier = TierB
		return found
	}
	return Found{External: true}
}

func (l javaLanguage) onDemand(q *Query, f FileID, name string) Found {
	imports := q.File(f).Imports
	for i := range imports {
		x := &imports[i]
		if x.Name != "*" {
			continue
		}
		if list := l.types(q, x.Path, name); list != nil && !x.System {
			return Found{Symbols: list, Tier: TierB}
		}
		if e, ok := l.owner(q, x.Path); ok {
			if found := q.inherited(e, name); len(found.Symbols) > 0 {
				found.Tier = TierB
				return found
			}
		}
	}
	return Found{}
}

// Member implements Language: types of a package.
func (l javaLanguage) Member(q *Query, _ FileID, files []FileID, name string) Found {
	if len(files) == 0 {
		return Found{External: true}
	}
	pkg := q.File(files[0]).Package
	if list := l.types(q, pkg, name); list != nil {
		return Found{Symbols: list, Tier: TierB}
	}
	if sub := l.files(q, pkg+"."+name); sub != nil {
		return Found{Files: sub, Tier: TierB}
	}
	return Found{}
}

// Import implements Language: the files of the type, or of the package.
func (l javaLanguage) Import(q *Query, f FileID, i int) []FileID {
	x := &q.File(f).Imports[i]
	list := l.types(q, x.Path, x.Name)
	if list == nil {
		if e, ok := l.owner(q, x.Path); ok {
			list = e.Symbols
		}
	}
	if list == nil && x.Name == "*" {
		return javaPackages(q)[x.Path]
	}
	var out []FileID
	for _, id := range list {
		out = append(out, id.File)
	}
	return out
}

// Module implements Importing: the package or type that a name is taken from.
func (l javaLanguage) Module(q *Query, f FileID, i int) Found {
	x := &q.File(f).Imports[i]
	if files := l.files(q, x.Path); files != nil && !x.System {
		return Found{Files: files, Tier: TierB}
	}
	if e, ok := l.owner(q, x.Path); ok {
		return Found{Entity: &e, Tier: TierB}
	}
	return Found{External: true}
}

var javaCommon = set(`get set add put remove contains size isEmpty equals hashCode toString compareTo length iterator next hasNext stream of close run
call apply accept test name value values valueOf ordinal getName getClass clone append write read flush key getKey getValue build builder start stop clear
forEach map filter collect join wait notify message getMessage getCause print println format trim split substring indexOf replace`)

// Common implements Guessing.
func (javaLanguage) Common(name string) bool { return javaCommon[name] }

// Operate implements Operating: what is called like a field is the accessor of
// a record.
func (javaLanguage) Operate(_ *Query, _ FileID, e Entity, op string) Entity {
	if op == "()" {
		return e
	}
	return Entity{}
}

// Builtin implements Providing: methods of collections, streams and suppliers.
func (javaLanguage) Builtin(_ *Query, e Entity, name string) Found {
	gives := func(t Entity) Found {
		return Found{Entity: &Entity{Kind: Func, Args: []Entity{t}}, External: true}
	}
	switch e.Kind {
	case List:
		switch name {
		case "get", "next", "remove", "first", "last", "getFirst", "getLast", "orElse", "orElseThrow", "orElseGet", "poll", "peek", "pop", "element", "removeFirst", "removeLast", "previous":
			return gives(e.arg(0))
		case "iterator", "stream", "filter", "sorted", "distinct", "limit", "skip", "findFirst", "findAny", "collect", "toList", "subList", "parallelStream", "listIterator", "descendingIterator":
			return gives(e)
		}
	case Map:
		switch name {
		case "get", "put", "remove", "getOrDefault", "computeIfAbsent", "putIfAbsent", "compute", "merge":
			return gives(e.arg(1))
		case "values":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(1)}})
		case "keySet":
			return gives(Entity{Kind: List, Args: []Entity{e.arg(0)}})
		}
	case Func:
		switch name {
		case "get", "call", "join", "getNow":
			return gives(e.arg(0))
		}
	}
	return Found{}
}
