//go:build cgo

package treesitter

import (
	"strconv"
	"strings"
)

// preferDefinitions drops declarations without body of what the file defines
// too. Of several with one name and number of parameters, they are dropped
// if there are as many definitions.
func (o *outliner) preferDefinitions() {
	defined := make(map[string]int)
	isProto := func(i int) bool { return o.decls[o.at[i]].kind == "proto" }
	for i := range o.symbols {
		if isProto(i) {
			defined[o.overload(i)]--
		}
	}
	if len(defined) == 0 {
		return
	}
	for i := range o.symbols {
		if !isProto(i) && o.decls[o.at[i]].body > 0 {
			if key := o.overload(i); key != "" {
				defined[key]++
			}
		}
	}
	kept := 0
	for i, s := range o.symbols {
		if isProto(i) && defined[o.overload(i)] >= 0 {
			continue
		}
		o.symbols[kept], o.at[kept] = s, o.at[i]
		kept++
	}
	o.symbols, o.at = o.symbols[:kept], o.at[:kept]
}

// overload is a function's name with the number of its parameters, or nothing.
func (o *outliner) overload(i int) string {
	s := o.symbols[i]
	if !isFunc(s.Kind) {
		return ""
	}
	depth, commas, some := 0, 0, 0
	for _, r := range s.Signature[strings.IndexByte(s.Signature, '(')+1:] {
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			commas++
		case r != ' ':
			some = 1
		}
		if depth < 0 {
			break
		}
	}
	return s.Qualified + "/" + strconv.Itoa(commas+some)
}
