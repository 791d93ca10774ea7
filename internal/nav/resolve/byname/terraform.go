package byname

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Terraform is HCL, in which the files of a folder are one module: what is in none of its own
// files is in no other but by an output or an argument of a module.
type Terraform struct{ Language }

// TerraformOf is that language.
func TerraformOf() Terraform { return Terraform{Of("HCL")} }

// terraformConfidence is the share of each tier that was right (bench/RESULTS.md, Graph).
var terraformConfidence = map[resolve.Tier]float32{resolve.TierA: 1, resolve.TierB: 1, resolve.TierD: 0.95}

// Confidence implements Language.
func (Terraform) Confidence(t resolve.Tier) float32 { return terraformConfidence[t] }

// Bare implements Language: nothing is said by its name alone.
func (Terraform) Bare(*resolve.Query, resolve.FileID, int, string) resolve.Found {
	return resolve.Found{External: true}
}

// Import implements Language: the files of the folder of a module.
func (l Terraform) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	dir := resolve.CleanDir(path.Join(resolve.FolderOf(q.File(f).Path), q.File(f).Imports[i].Path))
	return slices.DeleteFunc(slices.Clone(q.World().Folder(dir)), func(id resolve.FileID) bool {
		return familyOf(q.File(id)) != terraform || strings.HasSuffix(q.File(id).Path, ".hcl")
	})
}

// Reference implements Language.
func (l Terraform) Reference(q *resolve.Query, f resolve.FileID, ref *facts.Ref) (resolve.Found, bool) {
	root, rest, member := strings.Cut(ref.Of.String(), ".")
	switch {
	case root == "var" && strings.HasSuffix(q.File(f).Path, ".tfvars"):
		return l.given(q, f, ref.Name), true
	case root == "module" && member:
		return l.ofModule(q, f, rest, ref), true
	case root == "provider":
		return l.provider(q, f, ref.Name, rest), true
	}
	return found(l.inModule(q, f, ref.Of.String()+"."+ref.Name, ref.Name), resolve.TierA), true
}

// found are the declarations of one name; there are several where one overrides others.
func found(list []resolve.SymbolID, t resolve.Tier) resolve.Found {
	if len(list) == 0 {
		return resolve.Found{External: true}
	}
	return resolve.Found{Symbols: list, Tier: t}
}

// The families of files that know of each other in a folder.
const (
	alone     = ""
	terraform = "terraform"
	packer    = "packer"
)

func familyOf(f *facts.File) string {
	switch name := path.Base(f.Path); {
	case f.Language != "HCL":
	case strings.HasSuffix(name, ".pkr.hcl"), strings.HasSuffix(name, ".pkrvars.hcl"):
		return packer
	case strings.HasSuffix(name, ".tf"), strings.HasSuffix(name, ".tofu"), strings.HasSuffix(name, ".tfvars"),
		strings.HasSuffix(name, ".tftest.hcl"), strings.HasSuffix(name, ".tofutest.hcl"):
		return terraform
	}
	return alone
}

// inModule are the declarations of an address in the module of a file. A test in "tests" is of the
// module in the folder above.
func (l Terraform) inModule(q *resolve.Query, f resolve.FileID, address, name string) []resolve.SymbolID {
	file := q.File(f)
	dir := resolve.FolderOf(file.Path)
	if strings.HasSuffix(file.Path, "test.hcl") && path.Base(dir) == "tests" {
		if up := inFolder(q, f, resolve.FolderOf(dir), address, name); len(up) > 0 {
			return up
		}
	}
	return inFolder(q, f, dir, address, name)
}

// inFolder are the declarations of an address in a folder, as a file knows it.
func inFolder(q *resolve.Query, f resolve.FileID, dir, address, name string) []resolve.SymbolID {
	family := familyOf(q.File(f))
	var out []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		file := q.File(id.File)
		if id.File != f && (family == alone || resolve.FolderOf(file.Path) != dir || familyOf(file) != family) {
			continue
		}
		if q.Symbol(id).Qualified == address {
			out = append(out, id)
		}
	}
	return out
}

// ofModule is an output of a module, or the variable that an argument of one is.
func (l Terraform) ofModule(q *resolve.Query, f resolve.FileID, module string, ref *facts.Ref) resolve.Found {
	address := "output." + ref.Name
	if ref.Kind == facts.Write {
		address = "var." + ref.Name
	}
	var out []resolve.SymbolID
	for _, m := range l.inModule(q, f, "module."+module, module) {
		for i := range q.File(m.File).Imports {
			if x := &q.File(m.File).Imports[i]; x.In != int(m.Index) {
				continue
			}
			for _, file := range l.Import(q, m.File, i) {
				for _, id := range q.World().Defs(ref.Name) {
					if id.File == file && q.Symbol(id).Qualified == address {
						out = append(out, id)
					}
				}
			}
		}
	}
	slices.SortFunc(out, q.Compare)
	return found(slices.Compact(out), resolve.TierB)
}

// given is the variable that a file gives a value: of the module in its folder, or of the nearest
// above that has one.
func (l Terraform) given(q *resolve.Query, f resolve.FileID, name string) resolve.Found {
	tier := resolve.TierA
	for dir := resolve.FolderOf(q.File(f).Path); ; dir = resolve.FolderOf(dir) {
		if list := inFolder(q, f, dir, "var."+name, name); len(list) > 0 {
			return found(list, tier)
		}
		if tier = resolve.TierD; dir == "" {
			return resolve.Found{External: true}
		}
	}
}

// provider is the configuration of a provider, by its alias if it has one.
func (l Terraform) provider(q *resolve.Query, f resolve.FileID, name, alias string) resolve.Found {
	var out []resolve.SymbolID
	for _, id := range l.inModule(q, f, "provider."+name, name) {
		if text, ok := q.Symbol(id).Type.LiteralText(); text == alias && ok == (alias != "") {
			out = append(out, id)
		}
	}
	return found(out, resolve.TierA)
}
