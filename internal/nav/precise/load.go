// Package precise resolves Go by its type checker, for who asks for it: it needs
// the go command and the modules on disk, and knows one build configuration.
// What it does not know stays with the resolver of facts.
package precise

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ragnav/ragnav/internal/fault"
)

const without = "build without precise to resolve Go by its text alone, which needs none of this"

// Load type-checks the packages of all modules in root, an absolute path, with
// their tests. It writes nothing there, downloads nothing, and runs nothing of
// what is there. Of packages with errors it takes what the checker made out all
// the same. Without the go command, without a module, or when no module can be
// loaded, the error is fault.InvalidRequest.
func Load(ctx context.Context, root string) (*Uses, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "a precise graph needs the go command, which is not here; %s",
			without)
	}
	modules, err := modulesIn(ctx, root)
	if err != nil {
		return nil, fmt.Errorf("look for Go modules in %s: %w", root, err)
	}
	if len(modules) == 0 {
		return nil, fault.New(fault.InvalidRequest, "a precise graph needs a go.mod, and there is none in %s; %s", root,
			without)
	}
	c := newCollector(root)
	var failed error
	for _, dir := range modules {
		err := c.load(ctx, dir)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("type-check %s: %w", dir, ctx.Err())
		}
		if err != nil {
			c.uses.notLoaded = append(c.uses.notLoaded, c.inside(filepath.Join(dir, modFile)))
			failed = errors.Join(failed, err)
		}
	}
	if len(c.uses.files) == 0 {
		return nil, fault.Wrap(fault.InvalidRequest, failed, "no Go module of %s can be loaded: %s; %s", root, reason(failed),
			without)
	}
	return c.finish(), nil
}

// reason is the first line of an error.
func reason(err error) string {
	if err == nil {
		return "they have no Go files for this system"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return line
}

const modFile = "go.mod"

// modulesIn finds the folders of modules, but for those that the go command
// takes for no part of a module.
func modulesIn(ctx context.Context, root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == root:
			return err
		case err != nil: // a folder that may not be read has no module for us
			return filepath.SkipDir
		case d.IsDir() && name != root && skipped(d.Name()):
			return filepath.SkipDir
		case d.Name() == modFile && d.Type().IsRegular():
			dirs = append(dirs, filepath.Dir(name))
		}
		return nil
	})
	return dirs, err
}

func skipped(folder string) bool {
	return folder == "vendor" || folder == "testdata" || folder == "node_modules" || strings.HasPrefix(folder, ".") ||
		strings.HasPrefix(folder, "_")
}

const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
	packages.NeedModule |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps

// load type-checks one module and keeps its uses.
func (c *collector) load(ctx context.Context, dir string) error {
	list, err := packages.Load(&packages.Config{
		Mode: mode, Context: ctx, Dir: dir, Tests: true, Env: environment(), ParseFile: c.parse,
	}, "./...")
	if err != nil {
		return err
	}
	c.add(list)
	return nil
}

// parse parses a file. Of files from elsewhere only declarations matter.
func (c *collector) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	f, err := parser.ParseFile(fset, name, src, parser.AllErrors|parser.SkipObjectResolution)
	if f != nil && c.inside(name) == "" {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				fn.Body = nil
			}
		}
	}
	return f, err
}

// environment is that of this process, without what would make the go command
// build for another system, write go.mod, download, or run other programs: git,
// a C compiler, another toolchain, a driver. Every module is read by itself, for
// in a workspace the go command may write go.work.sum.
func environment() []string {
	dropped := []string{
		"GOFLAGS", "GOOS", "GOARCH", "GOEXPERIMENT", "GO111MODULE", "GOWORK", "GOPROXY", "GOTOOLCHAIN",
		"GOPACKAGESDRIVER", "CGO_ENABLED", "GOVCS",
	}
	var env []string
	for _, kv := range exec.Command("go").Environ() { //nolint:noctx // never run: the environment that go gets
		name, _, _ := strings.Cut(kv, "=")
		keep := true
		for _, d := range dropped {
			keep = keep && !strings.EqualFold(d, name)
		}
		if keep {
			env = append(env, kv)
		}
	}
	// GOFLAGS is not empty, or the go command would take it from its own settings.
	// By default it reads modules from vendor where that is, and never writes.
	return append(env, "GOFLAGS=-buildvcs=false", "GO111MODULE=on", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local",
		"GOPACKAGESDRIVER=off", "CGO_ENABLED=0", "GOVCS=*:off")
}
