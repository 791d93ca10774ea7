// Package ruby finds what names of Ruby stand for: constants, mixins, what is reopened.
package ruby

import (
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/byname"
)

// Language is that of Ruby.
var Language = rubyLanguage{byname.Of("Ruby")}

// rubyLanguage finds names of Ruby. A class or module may be opened in many
// places: its qualified name tells which are one.
type rubyLanguage struct{ byname.Language }

// Bare implements Language: constants by the modules around, what the innermost
// inherits, the top; methods of self, then those of the top.
func (l rubyLanguage) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(first) {
		return l.constant(q, f, in, name)
	}
	return l.called(q, f, in, name)
}

// rubyKernel are methods of Kernel and Module which hardly anything else is called like that is called
// without a receiver.
var rubyKernel = resolve.Set(`
require require_relative autoload load raise fail loop lambda proc puts print p pp putc sprintf format printf
block_given? binding catch throw at_exit caller caller_locations exit exit! abort sleep warn rand srand gets readline
readlines open select system exec spawn fork trap eval test syscall Array Integer Float String Hash Rational Complex URI
Pathname BigDecimal
instance_variable_get instance_variable_set instance_variable_defined? define_method define_singleton_method
singleton_class method instance_method private protected public module_function private_constant
private_class_method public_class_method remove_method undef_method const_get const_set const_missing attr attr_accessor
attr_reader attr_writer alias_method include extend prepend using refine included extended inherited prepended
method_added respond_to_missing? initialize_copy method_missing`)

// rubyModule are methods that all classes and modules have of Ruby itself.
var rubyModule = resolve.Set(`
name to_s inspect hash class method methods instance_method instance_methods public_instance_method public_send send
__send__ freeze frozen? dup clone tap then itself ancestors superclass allocate const_get const_set const_defined?
constants include? included_modules instance_of? is_a? kind_of? respond_to? module_eval class_eval class_exec
instance_eval instance_exec instance_variable_get instance_variable_set define_method method_defined? object_id nil?`)

func isRubyType(s *facts.Symbol) bool { return s.Kind == "class" || s.Kind == "module" }

func (l rubyLanguage) constant(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	index, symbols := l.index(q), q.File(f).Symbols
	inner := -1
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if !isRubyType(&symbols[i]) {
			continue
		}
		if inner < 0 {
			inner = i
		}
		if list := index[symbols[i].Qualified+"."+name]; list != nil {
			return resolve.Found{Symbols: list, Tier: resolve.TierA}
		}
	}
	// What a class includes is looked up around it: looking in all of that for each
	// of them costs their factorial.
	if inner >= 0 && !q.SeeksBase(resolve.SymbolID{File: f, Index: int32(inner)}) && //nolint:gosec // an index
		q.Enter(resolve.SymbolID{File: f, Index: int32(inner)}, name) { //nolint:gosec // an index
		found := l.inheritedConstant(q, resolve.SymbolID{File: f, Index: int32(inner)}, name) //nolint:gosec // an index
		q.Leave(resolve.SymbolID{File: f, Index: int32(inner)}, name)                         //nolint:gosec // an index
		if len(found.Symbols) > 0 {
			return found
		}
	}
	if list := index[name]; list != nil {
		return resolve.Found{Symbols: list, Tier: resolve.TierB}
	}
	return outside(name)
}

// outside is a constant that the repository does not declare: what it declares in that is found by the path of both.
func outside(path string) resolve.Found {
	return resolve.Found{External: true, Entity: &resolve.Entity{Kind: resolve.External, Foreign: path}}
}

type rubyIndexKey struct{}

// index has all constants by their qualified names.
func (l rubyLanguage) index(q *resolve.Query) map[string][]resolve.SymbolID {
	return resolve.Once(q, rubyIndexKey{}, func() map[string][]resolve.SymbolID {
		out := map[string][]resolve.SymbolID{}
		for _, f := range q.World().Language(l.Name) {
			symbols := q.File(f).Symbols
			for i := range symbols {
				if s := &symbols[i]; isRubyType(s) || s.Kind == "const" {
					out[s.Qualified] = append(out[s.Qualified], resolve.SymbolID{File: f, Index: int32(i)}) //nolint:gosec // an index
				}
			}
		}
		return out
	})
}

// A base is what a part of a class or module is made from. While one is found out, no other of all parts is: each might
// ask for what it inherits, which costs their factorial.
type base struct {
	resolve.Inside

	kind facts.Kind
}

type rubyBasedKey struct{}

// based are those of each class and module, by its qualified name: of hundreds of parts that open a module few do.
func (l rubyLanguage) based(q *resolve.Query) map[string][]*base {
	return resolve.Once(q, rubyBasedKey{}, func() map[string][]*base {
		out := map[string][]*base{}
		for name, parts := range l.index(q) {
			var whole resolve.Activity
			for _, id := range parts {
				for _, b := range q.Symbol(id).Bases {
					if out[name] == nil {
						whole = resolve.Activity{Symbol: id, Name: "bases"}
					}
					part := resolve.Activity{Symbol: id, Name: "base " + b.Of.String()}
					out[name] = append(out[name], &base{resolve.Inside{One: whole, Two: part, Expr: b.Of}, b.Kind})
				}
			}
		}
		return out
	})
}

// Own implements Language: what any part of a class or module declares. Making a
// value calls initialize.
func (l rubyLanguage) Own(q *resolve.Query, typ resolve.SymbolID, name string) []resolve.SymbolID {
	out := slices.Clone(l.within(q, name)[q.Symbol(typ).Qualified])
	if out == nil && name == "new" {
		return l.Own(q, typ, "initialize")
	}
	if out != nil {
		return out
	}
	if plain, is := otherName(name); is != nil {
		for _, id := range l.Own(q, typ, plain) {
			if is(q.Symbol(id)) {
				out = append(out, id)
			}
		}
	}
	return out
}

type rubyWithinKey string

// within are the symbols of a name, by the qualified name of what they are in: it is asked of all that a class is made
// from.
func (l rubyLanguage) within(q *resolve.Query, name string) map[string][]resolve.SymbolID {
	all := q.World().Defs(name)
	if len(all) == 0 {
		return nil
	}
	return resolve.Once(q, rubyWithinKey(name), func() map[string][]resolve.SymbolID {
		out := map[string][]resolve.SymbolID{}
		for _, id := range all {
			around, ok := strings.CutSuffix(q.Symbol(id).Qualified, "."+name)
			if ok && q.File(id.File).Language == l.Name {
				out[around] = append(out[around], id)
			}
		}
		return out
	})
}

// Line implements Language: all parts have bases. Most modules that extend
// something hold it themselves, so bases are found out when they are reached.
func (l rubyLanguage) Line(q *resolve.Query, e resolve.Entity) iter.Seq[resolve.Entity] {
	return func(yield func(resolve.Entity) bool) {
		if !yield(e) {
			return
		}
		line, based := []resolve.Entity{e}, l.based(q)
		var seen []string
		for i := 0; i < len(line); i++ {
			if i > 0 && !yield(line[i]) {
				return
			}
			var mixed, above []resolve.Entity
			for _, id := range line[i].Symbols {
				name := q.Symbol(id).Qualified
				if len(line) >= resolve.MaxTypes || slices.Contains(seen, name) {
					continue
				}
				seen = append(seen, name)
				m, a := l.madeFrom(q, line[i], based[name])
				mixed, above = append(mixed, m...), append(above, a...)
			}
			if len(mixed) == 0 && len(above) == 0 {
				continue
			}
			slices.Reverse(mixed) // what was included last comes first
			line = slices.Insert(line, i+1, append(mixed, above...)...)
		}
	}
}

type rubyPartKey string

// Narrow implements Language: of the parts of a class or module the one in the
// file that is called like it, else the one that declares most.
func (l rubyLanguage) Narrow(q *resolve.Query, _ resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if len(list) < 2 {
		return list
	}
	if name := q.Symbol(list[0]).Qualified; slices.Equal(list, l.index(q)[name]) { // of hundreds, again and again
		return resolve.Once(q, rubyPartKey(name), func() []resolve.SymbolID { return mainPart(q, list) })
	}
	return mainPart(q, list)
}

func mainPart(q *resolve.Query, list []resolve.SymbolID) []resolve.SymbolID {
	best, most := -1, -1
	for i, id := range list {
		s := q.Symbol(id)
		if !isRubyType(s) || s.Qualified != q.Symbol(list[0]).Qualified {
			return list
		}
		n := declared(q.File(id.File).Symbols, int(id.Index))
		if isNamedLike(strings.TrimSuffix(path.Base(q.File(id.File).Path), ".rb"), s.Name) {
			n += 1 << 20
		}
		if n > most {
			best, most = i, n
		}
	}
	return list[best : best+1]
}

// declared is how many symbols are in another one. How many lines that has is no matter
// for what others see of a file.
func declared(symbols []facts.Symbol, i int) int {
	end := i + 1
	for end < len(symbols) && symbols[end].Parent >= i {
		end++
	}
	return end - i - 1
}

// isNamedLike reports whether a file is called like a class: "message_bus" and
// "MessageBus".
func isNamedLike(base, class string) bool {
	return len(base)-strings.Count(base, "_") == len(class) && strings.EqualFold(strings.ReplaceAll(base, "_", ""), class)
}

// Confidence implements Language (bench/RESULTS.md, Graph): of traced calls of six projects, A was right in .98 of
// 1,450, what is found by types and what is the only one of its name in .97.
func (rubyLanguage) Confidence(t resolve.Tier) float32 {
	return map[resolve.Tier]float32{
		resolve.TierA: 0.98, resolve.TierB: 1, resolve.TierC: 0.97, resolve.TierD: 0.97,
		resolve.TierF: 0.35,
	}[t]
}

var rubyCommon = resolve.Set(`
include? fetch split join unshift shift push pop append prepend first last take drop each each_with_index
each_with_object each_pair each_key each_value each_slice each_cons each_char each_line map flat_map collect
select filter reject find detect find_all partition group_by inject reduce sum min max min_by max_by sort
sort_by sort! sort_by! uniq uniq! compact compact! flatten flatten! reverse reverse! rotate zip cycle any? all?
none? one? empty? nil? is_a? kind_of? instance_of? respond_to? key? has_key? value? member? keys values key
value values_at dig merge merge! update replace clear delete delete_at delete_if keep_if store length size count
index rindex slice slice! insert concat + - * / [] []= << == === =~ <=> ! != < > <= >= to_s to_str to_i to_f
to_a to_ary to_h to_hash to_sym to_proc to_r to_c to_json to_path inspect hash eql? equal? dup clone freeze
frozen? tap then itself send public_send __send__ method methods instance_variable_get instance_variable_set
instance_eval instance_exec class_eval module_eval class_exec define_method extend include prepend new allocate
superclass ancestors name class object_id call curry arity parameters upcase downcase capitalize swapcase strip
lstrip rstrip chomp chop chars bytes lines gsub gsub! sub sub! tr tr! squeeze match match? scan start_with?
end_with? ljust rjust center encode encoding force_encoding valid_encoding? unpack unpack1 pack bytesize
byteslice ord chr hex oct succ next prev upto downto times step abs round floor ceil divmod zero? positive?
negative? even? odd? read write puts print printf open close closed? each_byte getc gets readline readlines
rewind seek pos eof? flush sync binmode path exist? file? directory? basename dirname extname expand_path mtime
date time year month day hour min sec wday yday strftime utc iso8601 message backtrace full_message cause raise
lock unlock synchronize try_lock wait signal broadcast join alive? kill status body headers title description
content type id url host port text format options params config data default default= add set get run start stop
create build find all where exec execute process visit accept parse render
ascii_only? between? bsearch_index capitalize! casecmp? chomp! chop! chunk_while collect! collect_concat
compare_by_identity compare_by_identity? deconstruct_keys default_proc default_proc= delete! delete_prefix
delete_prefix! delete_suffix delete_suffix! downcase! drop_while each_codepoint each_entry each_grapheme_cluster
each_index encode! fetch_values filter! filter_map find_index grapheme_clusters grep_v has_value? intersect? lstrip!
map! minmax_by next! reject! repeated_combination repeated_permutation reverse_each rotate! rstrip! scrub! select!
shuffle! slice_after slice_before slice_when squeeze! strip! succ! swapcase! take_while tr_s tr_s! transform_keys
transform_keys! transform_values transform_values! unicode_normalize unicode_normalize! unicode_normalized? upcase!`)

// Common implements Language.
func (rubyLanguage) Common(name string) bool { return rubyCommon[name] }

// Import implements Language: the file beside, or below a folder of libraries.
func (l rubyLanguage) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	name := strings.TrimSuffix(q.File(f).Imports[i].Path, ".rb") + ".rb"
	for dir := resolve.FolderOf(q.File(f).Path); ; dir = resolve.FolderOf(dir) {
		for _, below := range []string{dir, path.Join(dir, "lib")} {
			if id, ok := q.World().ByPath(resolve.CleanDir(path.Join(below, name))); ok {
				return []resolve.FileID{id}
			}
		}
		if dir == "" {
			return nil
		}
	}
}

// Usual implements Language.
func (l rubyLanguage) Usual(q *resolve.Query, from resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	return l.Narrow(q, from, list)
}

// Module implements Language: what is imported.
func (l rubyLanguage) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	return resolve.ModuleOf(l.Import(q, f, i))
}
