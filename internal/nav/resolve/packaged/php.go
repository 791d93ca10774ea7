package packaged

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// phpLanguage is a packagedLanguage whose properties and methods may have the same names.
type phpLanguage struct{ packagedLanguage }

var phpCommon = resolve.Set(`
expects shouldReceive shouldHaveReceived shouldNotReceive with withArgs once twice never times andReturn andReturnUsing
method willReturn willReturnCallback willThrowException willReturnMap willReturnSelf will get set has all add first
last count create make find where toArray save delete update run handle name id key value type data getName setUp
tearDown`)

// phpConfidence is the share of each tier that a language server says too, in three repositories; of D and E, where
// that mostly says nothing, what was read.
var phpConfidence = map[resolve.Tier]float32{
	resolve.TierA: .999, resolve.TierB: .999, resolve.TierC: .999, resolve.TierD: .9, resolve.TierE: .4,
	resolve.TierF: .35,
}

// Confidence implements Language by what was measured for PHP.
func (phpLanguage) Confidence(t resolve.Tier) float32 { return phpConfidence[t] }

// Common implements Language: methods of mocks, and those that every other class has.
func (phpLanguage) Common(name string) bool { return phpCommon[name] }

// Reference implements Language: what is called is a method, what is read no method, and what names an argument is the
// property that the constructor declares.
func (l phpLanguage) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	if ref.Of == facts.Nothing || ref.Kind == facts.Imported {
		return resolve.Found{}, false
	}
	e := q.Eval(f, ref.In, ref.Of)
	found := q.Member(f, e, ref.Name)
	if ref.Arguments == facts.Promoted {
		return promoted(q, found), true
	}
	called := ref.Kind == facts.Call
	fits := func(id resolve.SymbolID) bool {
		return resolve.IsFunction(q.Symbol(id)) == called || resolve.IsType(q.Symbol(id))
	}
	if !called && ref.Kind != facts.Read && ref.Kind != facts.Write || len(found.Symbols) == 0 ||
		slices.ContainsFunc(found.Symbols, fits) {
		return resolve.Found{}, false
	}
	for above := range l.above(q, e) {
		own := slices.DeleteFunc(slices.Clone(q.Own(above, ref.Name)), func(id resolve.SymbolID) bool { return !fits(id) })
		if len(own) > 0 {
			return resolve.Found{Symbols: own, Tier: resolve.TierC}, true
		}
	}
	return resolve.Found{External: true}, true
}

// Member implements Language: what no file declares outside of namespaces is of PHP or another library.
func (l phpLanguage) Member(q *resolve.Query, from resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	found := l.packagedLanguage.Member(q, from, files, name)
	found.External = found.External || found.None() && q.File(files[0]).Package == ""
	return found
}

// Operate implements Language: an element of what says of which it has some, itself or something that it is made from,
// or by the methods that give them.
func (l phpLanguage) Operate(q *resolve.Query, from resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	if op != "[]" {
		return resolve.Entity{}
	}
	for above := range l.above(q, e) {
		if out := q.Element(from, resolve.Instance(above)); out.Kind != resolve.Unknown && out.Kind != resolve.External {
			return out
		}
	}
	for _, name := range []string{"current", "offsetGet", "getIterator"} {
		found := q.Inherited(e, name)
		if len(found.Symbols) == 0 {
			continue
		}
		out := q.Call(from, q.Entity(from, found), 0)
		if name == "getIterator" {
			out = q.Element(from, out)
		}
		if out.Kind != resolve.Unknown && out.Kind != resolve.External {
			return out
		}
	}
	return resolve.Entity{}
}

// promoted leaves of properties those that are parameters of a constructor.
func promoted(q *resolve.Query, found resolve.Found) resolve.Found {
	var out []resolve.SymbolID
	for _, id := range found.Symbols {
		s := q.Symbol(id)
		for _, made := range q.Own(q.OwnerOf(id), "__construct") {
			c := q.Symbol(made)
			if made.File == id.File && !resolve.IsFunction(s) && c.Line <= s.Line && s.Line <= c.EndLine {
				out = append(out, id)
			}
		}
	}
	return resolve.Found{Symbols: out, Tier: found.Tier, External: true}
}

// above calls yield with the types that a value or type is made from, the closest first.
func (phpLanguage) above(q *resolve.Query, e resolve.Entity) func(yield func(resolve.Entity) bool) {
	return func(yield func(resolve.Entity) bool) {
		seen := map[resolve.SymbolID]bool{}
		for next := []resolve.Entity{e}; len(next) > 0 && len(seen) < resolve.MaxTypes; next = next[1:] {
			if next[0].Kind == resolve.Union {
				next = append(next, next[0].Args...)
			}
			for _, id := range next[0].Symbols {
				if seen[id] {
					continue
				}
				seen[id] = true
				bases := q.BasesOf(id, nil)
				for _, b := range bases {
					if b.Kind == resolve.TypeName && !yield(b) {
						return
					}
				}
				next = append(next, bases...)
			}
		}
	}
}
