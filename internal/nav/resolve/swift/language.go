// Package swift finds what names stand for in Swift: members of types and of their
// extensions anywhere, of protocols, and what a module declares.
package swift

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language is Swift.
type Language struct{ resolve.Default }

const languageName = "Swift"

// Bare implements Language: members of the types around, then what modules declare.
func (Language) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	return find(q, f, in, name, false)
}

// Type implements Language.
func (Language) Type(q *resolve.Query, f resolve.FileID, in int, name string) (resolve.Found, bool) {
	return find(q, f, in, name, true), true
}

// NamesForeign implements Language.
func (Language) NamesForeign() bool { return true }

// Sees implements Language: what is private is of its file.
func (Language) Sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	return from == id.File || s.Exported || s.Name[0] == '_'
}

// Member implements Language: what a module declares.
func (Language) Member(q *resolve.Query, _ resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	if len(files) == 0 {
		return resolve.Found{External: true}
	}
	plain, _, _ := facts.Labels(name)
	var list []resolve.SymbolID
	for _, id := range q.World().Defs(plain) {
		s := q.Symbol(id)
		if isTop(s) && q.File(id.File).Language == languageName &&
			moduleOf(q, id.File) == moduleOf(q, files[0]) {
			list = append(list, id)
		}
	}
	return resolve.Found{Symbols: fitting(q, list, name, false), Tier: resolve.TierB}
}

// Import implements Language: the files of a module.
func (Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	x := &q.File(f).Imports[i]
	if x.Local != "" {
		return nil
	}
	return modulesOf(q).files[firstName(x.Path)]
}

// Module implements Language.
func (Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	return resolve.ModuleOf(Language{}.Import(q, f, i))
}

// confidence is the share of each tier that the compiler says too, in three repositories
// (bench/RESULTS.md, Graph). Of E there were six, all right, too few to state that; F is what other languages have.
var confidence = map[resolve.Tier]float32{
	resolve.TierA: .998, resolve.TierB: .999, resolve.TierC: .993, resolve.TierD: .95, resolve.TierE: .6,
	resolve.TierF: .35,
}

// Confidence implements Language by what was measured for Swift.
func (Language) Confidence(t resolve.Tier) float32 { return confidence[t] }

// Common implements Language: names of the standard library.
func (Language) Common(name string) bool { return common[name] }

var common = resolve.Set(`
append append remove removeAll insert count first last isEmpty map filter forEach reduce sorted contains description
init name value key id rawValue hash encode decode index start end data error result next run print write read close
open get set add update cancel resume suspend wait signal async sync lock unlock wrappedValue projectedValue
allSatisfy compactMap flatMap joined split prefix suffix dropFirst dropLast min max enumerated reversed zip keys values
hasPrefix hasSuffix uppercased lowercased components replacingOccurrences trimmingCharacters bytes self size url path
string type code message request response headers body status some none success failure`)

// Accepts implements Labeller.
func (Language) Accepts(s *facts.Symbol, ref *facts.Ref) bool {
	labels, _ := called(ref)
	return accepts(s, labels)
}

// Places implements Labeller.
func (Language) Places(s *facts.Symbol, name string) []int {
	_, labels, _ := facts.Labels(name)
	list, known := parameters(s)
	if !known {
		return nil
	}
	to, _ := assigned(list, labels)
	return to
}

// Called implements Labeller.
func (Language) Called(s *facts.Symbol) string {
	if !resolve.IsFunction(s) {
		return s.Name
	}
	list, known := parameters(s)
	if !known {
		return anyCall(s.Name)
	}
	labels := make([]string, len(list))
	for i, p := range list {
		labels[i] = p.label
	}
	return facts.Labelled(s.Name, labels)
}

// Reference implements Language.
func (Language) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	return reference(q, f, ref)
}

// Overrides implements Labeller.
func (Language) Overrides(q *resolve.Query, id resolve.SymbolID) []resolve.SymbolID {
	return overridden(q, id)
}
