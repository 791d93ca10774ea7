package bound

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// rubyClassName refers to the class that an option names in a string.
func rubyClassName(p *walker, n binder.At, name string) {
	if !isRubyPath(p.TextAt(n)) {
		return
	}
	start, i, of := int(p.Nodes[n].Start), strings.LastIndexByte(name, ':')+1, facts.Nothing
	if i > 2 {
		of = rubyPath(name[:i-2])
	}
	p.RefAtOffset(start+i, name[i:], facts.Type, of, of == facts.Nothing)
}

// rubyRoute refers to the action that a route of Rails leads to, "posts#show": the method of PostsController, in the
// modules of the namespaces around it.
func rubyRoute(p *walker, n binder.At, text string) {
	if !strings.HasSuffix(p.Path, "config/routes.rb") && !strings.Contains(p.Path, "config/routes/") {
		return
	}
	modules, ok := rubyRouteModules(p, n)
	controller, action, _ := strings.Cut(text, "#")
	if !ok {
		return
	}
	for part := range strings.SplitSeq(controller, "/") {
		modules = append(modules, camelized(part))
	}
	if path := strings.Join(modules, "::") + "Controller"; isRubyPath(path) {
		at := int(p.Nodes[n].Start) + len(controller) + 1
		p.RefAtOffset(at, action, facts.Call, binder.ValueOf(rubyPath(path)), false)
		p.Refs[len(p.Refs)-1].Arguments = facts.Route
	}
}

// rubyRouteModules are the modules that controllers around a route are in, from the outermost; ok is false where
// something else than a name says so.
func rubyRouteModules(p *walker, n binder.At) (modules []string, ok bool) {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		if p.Kind(up) != "call" {
			continue
		}
		method := p.TextAt(p.Child(up, "method"))
		if method == "draw" && strings.Contains(p.TextAt(p.Child(up, "receiver")), "Engine") {
			return nil, false // which may isolate a namespace, as another file says
		}
		name := rubyOption(p, up, "module")
		switch {
		case name >= 0:
		case method == "namespace":
			name = p.Nth(p.Child(up, "arguments"), 0)
		default:
			continue
		}
		text := symbolName(p, name)
		if k := p.Kind(name); k != "simple_symbol" && k != "string" {
			return nil, false
		}
		var inner []string
		for part := range strings.SplitSeq(strings.Trim(text, `"'`), "/") {
			inner = append(inner, camelized(part))
		}
		modules = append(inner, modules...)
	}
	return modules, true
}
