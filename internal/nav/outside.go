package nav

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// outside finds the uses of a name that is declared in modules which are not
// indexed, by module. Without any the error is err, that the name has no
// definition.
func outside(
	ctx context.Context, u *across.Union, req WhereUsedRequest, want wantedUses, err error,
) (acrossUses, error) {
	a := newAcrossUses(u, req, want)
	if fault.CodeOf(err) != fault.SymbolNotFound || req.Symbol == "" || req.File != "" {
		return a, err
	}
	byModule := map[string][]part{}
	for _, m := range u.Members {
		found, wrong := outsideOf(ctx, m, req, want.files)
		if wrong != nil {
			return a, wrong
		}
		for module, items := range found {
			byModule[module] = append(byModule[module], part{runOf(items), m.ID})
		}
	}
	if len(byModule) == 0 {
		return a, err
	}
	for _, module := range slices.Sorted(maps.Keys(byModule)) {
		a.add(models.Definition{
			ID: module + ":" + gateway.Last(req.Symbol), Name: gateway.Last(req.Symbol), Qualified: req.Symbol,
			Kind: "external", External: module,
		}, byModule[module])
	}
	return a, nil
}

// usedOutside are the uses in one repository, whose answer is there, of what it
// does not declare. Without any the error is missing.
func usedOutside(
	ctx context.Context, g *gateway.Gateway, req WhereUsedRequest, of wantedUses, missing error,
) (WhereUsedResponse, error) {
	if g.Answer.View == nil {
		return WhereUsedResponse{}, g.Excuse(ctx, missing)
	}
	called := g.Answer.Called(req.Symbol)
	req.Symbol, req.File = named(*g.Answer, of.symbol)
	a, err := outside(ctx, &across.Union{Members: []*across.Member{{Gateway: g}}}, req, of, missing)
	if err != nil {
		return WhereUsedResponse{}, g.Excuse(ctx, err)
	}
	res := WhereUsedResponse{Symbol: called, Definitions: a.definitions}
	g.Head(&res.Meta)
	items := cut(of.page, a.items, a.total, g.Answer.Partial, &res.Meta)
	if res.Items, err = gateway.Finish(ctx, g, items, &res.Meta); err != nil {
		return WhereUsedResponse{}, err
	}
	externals(res.Definitions, &res.Meta)
	return res, nil
}

// named is the name that is asked about and the file that is to declare it: of a place
// what stands there, if it is of another module, behind that.
func named(sym gateway.Symbols, a gateway.Asked) (symbol, file string) {
	if a.Name == "" && sym.Place != nil {
		return sym.Place.Outside(), ""
	}
	return a.Name, a.File
}

// ofOutside is the error of a question that what a module declares can't answer as that
// is not indexed: it names the module. Of other names it is missing.
func ofOutside(ctx context.Context, g *gateway.Gateway, sym gateway.Symbols, a gateway.Asked, missing error) error {
	if sym.View == nil {
		return g.Excuse(ctx, missing)
	}
	g.Answer = &sym
	var req WhereUsedRequest
	req.Symbol, req.File = named(sym, a)
	of, err := outside(ctx, &across.Union{Members: []*across.Member{{Gateway: g}}}, req, wantedUses{}, missing)
	if err != nil {
		return g.Excuse(ctx, err)
	}
	return fault.New(fault.SymbolNotFound, "%s is declared in %s, %s; where-used tells what uses it",
		sym.Called(a.Name), strings.Join(externalNames(of.definitions), ", "), lack(externalNames(of.definitions)))
}

// outsideOf are the uses in one repository, by module.
func outsideOf(
	ctx context.Context, m *across.Member, req WhereUsedRequest, f gateway.FileFilter,
) (map[string][]models.NavItem, error) {
	byModule := map[string][]models.NavItem{}
	name := gateway.Last(req.Symbol)
	before := strings.TrimRight(strings.TrimSuffix(req.Symbol, name), ".:#/")
	type origin struct{ dir, language, path string } // of imports
	named := map[origin]string{}                     // modules
	for _, use := range usage.OutsideUses(ctx, m.Answer.View, name) {
		if !isOf(use, before) || !f.Match(use.File) || len(req.Edges) > 0 && !slices.Contains(req.Edges, use.Edge) {
			continue
		}
		key := origin{path.Dir(use.File), gateway.FactLanguage(use.File), use.Import}
		if named[key] == "" {
			module, err := gateway.ModuleOf(ctx, m.Gateway, use.File, use.Import)
			if err != nil {
				return nil, err
			}
			named[key] = cmp.Or(module, use.Import)
		}
		byModule[named[key]] = append(byModule[named[key]], models.NavItem{
			FilePath: use.File, Line: use.Line, Column: use.Column, Symbol: use.In.Qualified, Kind: use.In.Kind,
			Edge: use.Edge, Tier: use.Tier, Confidence: gateway.Share(use.Confidence), Test: filekind.IsTest(use.File),
		})
	}
	return byModule, nil
}

// isOf reports whether a use is of the module that was named before the name, if one was.
func isOf(use usage.Outside, before string) bool {
	return before == "" || use.Module == before || gateway.Last(use.Import) == before || use.Import == before
}

// externals says of what is not indexed that it is not.
func externals(definitions []models.Definition, meta *models.Meta) {
	if names := externalNames(definitions); len(names) > 0 {
		gateway.AddMessage(meta, fmt.Sprintf("it is declared in %s, %s", strings.Join(names, ", "), lack(names)))
	}
}

// lack says why what some modules declare is not known.
func lack(names []string) string {
	if slices.ContainsFunc(names, func(name string) bool { return !gateway.IsOwn(name) }) {
		return "which is not indexed"
	}
	return gateway.NoSuchFile
}

// externalNames are the first of the modules that are not indexed.
func externalNames(definitions []models.Definition) (names []string) {
	for _, d := range definitions {
		if d.External != "" && len(names) < gateway.NamedPlaces {
			names = append(names, d.External)
		}
	}
	return names
}
