package structure

import (
	"context"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// keyPatterns are the names of key files by role, best first, in lower case and
// relative to the folder.
var keyPatterns = []struct {
	role     string
	patterns []string
}{
	{"readme", []string{"readme.md", "readme", "readme.*"}},
	{"config", []string{
		"go.mod", "package.json", "pyproject.toml", "cargo.toml", "pom.xml", "build.gradle.kts", "build.gradle",
		"composer.json",
		"gemfile", "mix.exs", "setup.py", "setup.cfg", "requirements.txt", "*.csproj", "*.sln", "deno.json", "cmakelists.txt",
	}},
	{"entry_point", []string{
		"main.{go,py,ts,js,rs,c,cc,cpp,java,kt,rb,swift}", "__main__.py", "cmd/*/main.go", "cmd/main.go",
		"src/main.{rs,ts,tsx,js,py,c,cc,cpp}", "index.{ts,tsx,js,mjs}", "src/index.{ts,tsx,js,jsx,mjs}", "app.{py,ts,js,rb}",
		"manage.py",
		"lib.rs", "src/lib.rs", "server.{ts,js,go,py}",
	}},
	{"license", []string{"license", "license.*", "licence", "licence.*", "license-*", "copying", "copying.*"}},
	{"build", []string{
		"makefile", "gnumakefile", "justfile", "taskfile.{yml,yaml}", "cmakelists.txt", "build.gradle.kts", "build.gradle",
		"pom.xml",
		"meson.build", "build.bazel", "build", "rakefile", "gulpfile.*", "webpack.config.*", "vite.config.*",
		"build.{sh,zig}", "magefile.go",
	}},
	{"ci", []string{
		".github/workflows/{ci,test,tests,build,main}.{yml,yaml}", ".github/workflows/*.{yml,yaml}", ".gitlab-ci.yml",
		".circleci/config.yml",
		"jenkinsfile", "azure-pipelines.yml", ".travis.yml", "appveyor.yml", ".drone.yml", ".woodpecker.yml", ".ci/*",
	}},
	{"container", []string{
		"dockerfile", "containerfile", "compose.{yml,yaml}", "docker-compose.{yml,yaml}", "dockerfile.*", "*.dockerfile",
		"deploy/{dockerfile,compose.yaml,docker-compose.yml}", "docker/dockerfile",
	}},
}

// keyFolders are the folders, in the order to look, in which patterns find
// something; "cmd/*" stands for each folder in cmd.
var keyFolders = []string{"src", "cmd", "cmd/*", ".github/workflows", ".circleci", ".ci", "deploy", "docker"}

// keyFiles finds the files by which people know a folder.
func (x *explorer) keyFiles(ctx context.Context) (map[string]string, error) {
	names, err := x.candidates(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, k := range keyPatterns {
		if name := firstMatch(k.patterns, names); name != "" {
			found[k.role] = path.Join(x.dir, name)
		}
	}
	return found, nil
}

func firstMatch(patterns, names []string) string {
	for _, pattern := range patterns {
		for _, name := range names {
			if doublestar.MatchUnvalidated(pattern, strings.ToLower(name)) {
				return name
			}
		}
	}
	return ""
}

// candidates are the files in the folder and in its key folders, relative to it.
func (x *explorer) candidates(ctx context.Context) ([]string, error) {
	var names []string
	folders := map[string]bool{}
	for _, e := range x.entries {
		folders[e.Name] = e.IsDir
		if !e.IsDir {
			names = append(names, e.Name)
		}
	}
	var inCmd []string
	for _, dir := range keyFolders {
		if first, _, _ := strings.Cut(dir, "/"); !folders[first] {
			continue
		}
		look := []string{dir}
		if dir == "cmd/*" {
			look = inCmd
		}
		for _, dir := range look {
			files, dirs := x.list(ctx, dir)
			names = append(names, files...)
			if dir == "cmd" {
				inCmd = dirs
			}
		}
	}
	return names, ctx.Err()
}

// list names what is in a folder below this one; nothing when it can't be read.
func (x *explorer) list(ctx context.Context, dir string) (files, dirs []string) {
	entries, err := x.files.ReadDir(ctx, path.Join(x.dir, dir))
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		if name := path.Join(dir, e.Name); e.IsDir {
			dirs = append(dirs, name)
		} else {
			files = append(files, name)
		}
	}
	return files, dirs
}
