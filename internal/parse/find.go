package parse

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Place is where something with a name is, in lines.
type Place struct {
	Name      string // qualified; a heading
	StartLine int
	EndLine   int // of a section: of the last section below it
}

// Find finds symbols by their qualified name, the last parts of it or their
// name with its package before it, and sections by slug or heading. The first
// of these that finds anything counts; where none does, the same regardless of
// case. "Name#2" is the second of what Name finds.
func (o Outline) Find(name string) []Place {
	if found := o.find(name); found != nil {
		return found
	}
	before, n, ok := cutLast(name, "#")
	nth, err := strconv.Atoi(n)
	if found := o.find(before); ok && err == nil && nth >= 1 && nth <= len(found) {
		return found[nth-1 : nth]
	}
	return nil
}

// FindAs finds like Find; where that finds nothing, what is called so in the notation of
// its language, A::B#c or A\B::c, in its package or by where the file is.
func (o Outline) FindAs(file, name string) []Place {
	if found := o.Find(name); found != nil {
		return found
	}
	around := []string{o.Package, path.Dir(file), strings.TrimSuffix(file, path.Ext(file))}
	var found []Place
	for _, s := range o.nameables() {
		if models.NameMeans(name, s.full, around...) {
			found = append(found, s.Place)
		}
	}
	return found
}

func (o Outline) find(name string) []Place {
	if name == "" {
		return nil
	}
	name = strings.TrimPrefix(name, o.Package+".")
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, matches := range []func(s nameable) bool{
			func(s nameable) bool { return same(s.full, name) },
			func(s nameable) bool { return same(s.short, name) },
			func(s nameable) bool { return endsIn(s.full, name, same) },
		} {
			var found []Place
			for _, s := range o.nameables() {
				if matches(s) {
					found = append(found, s.Place)
				}
			}
			if found != nil {
				return found
			}
		}
	}
	return nil
}

// A nameable is a symbol with its qualified name and its name, or a section
// with its slug and its heading.
type nameable struct {
	Place

	full, short string
}

func (o Outline) nameables() []nameable {
	var list []nameable
	for _, s := range o.Symbols {
		if s.Kind != models.KindChunk {
			list = append(list, nameable{Place{s.Qualified, s.StartLine, s.EndLine}, s.Qualified, s.Name})
		}
	}
	for i, s := range o.Sections {
		list = append(list, nameable{Place{s.Heading, s.StartLine, o.endOf(i)}, s.Slug, s.Heading})
	}
	return list
}

// endOf is the last line of a section and those below it.
func (o Outline) endOf(section int) int {
	end := o.Sections[section].EndLine
	for i := section + 1; i < len(o.Sections) && o.within(i, section); i++ {
		end = o.Sections[i].EndLine
	}
	return end
}

func (o Outline) within(section, above int) bool {
	for p := o.Sections[section].Parent; p >= 0; p = o.Sections[p].Parent {
		if p == above {
			return true
		}
	}
	return false
}

// endsIn reports whether name is the last parts of a qualified name.
func endsIn(qualified, name string, same func(a, b string) bool) bool {
	at := len(qualified) - len(name)
	return at > 0 && same(qualified[at:], name) && strings.ContainsRune(".:#/\\", rune(qualified[at-1]))
}

// Nearest lists at most n names of what is in the file that are like name: with it
// in them, or with most letters in common, where members of what is before a dot in
// name have half of them.
func (o Outline) Nearest(name string, n int) []string {
	at := strings.LastIndexAny(name, ".:#") + 1
	of, last := strings.ToLower(name[:at]), strings.ToLower(name[at:])
	distance := func(name string) float64 {
		if of != "" && strings.HasPrefix(strings.ToLower(name), of) {
			return unlike(name, last) - .5
		}
		return unlike(name, last)
	}
	var names []string
	for _, s := range o.nameables() {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	return names[:min(n, len(names))]
}

// unlike is how far the last part of a qualified name is from a name in lower
// case: the share of pairs of letters that only one of them has.
func unlike(qualified, name string) float64 {
	short := strings.ToLower(qualified[strings.LastIndexAny(qualified, ".:#")+1:])
	if name != "" && strings.Contains(short, name) {
		return 0
	}
	common := 0
	for i := range len(short) - 1 {
		if strings.Contains(name, short[i:i+2]) {
			common++
		}
	}
	return 1 - 2*float64(common)/float64(max(1, len(short)+len(name)-2))
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
