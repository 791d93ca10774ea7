package depend_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/depend"
)

func told(m depend.Manifest) []string {
	var all []string
	for _, p := range m.Provides {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s:%s %s", p.Ecosystem, p.Name.Name, p.Version)))
	}
	for _, n := range m.Needs {
		text := strings.TrimSpace(fmt.Sprintf("needs %s:%s %s", n.Ecosystem, n.Name.Name, n.Version))
		for _, x := range [][2]string{{" from ", n.From}, {" at ", n.Ref}, {" for ", n.As}, {" near ", n.Near}} {
			if x[1] != "" {
				text += x[0] + x[1]
			}
		}
		all = append(all, text)
	}
	return all
}

func TestManifests(t *testing.T) {
	for _, test := range []struct {
		path, text string
		want       []string
	}{
		{"a/go.mod", "module m.org/a/v2\ngo 1.26\nrequire x.org/x v1.2.3\nrequire (\n\tx.org/y v0.1.0 // indirect\n" +
			"\tx.org/z v0.0.0\n)\nreplace x.org/z => ../z\nreplace x.org/y => f.org/y v0.2.0\n", []string{
			"go:m.org/a/v2", "needs go:x.org/z from ../z", "needs go:f.org/y v0.2.0 for x.org/y", "needs go:x.org/x v1.2.3",
		}},
		{"go.mod", "module m.org/a\nrequire (\n\tx.org/x v1.2.3\n\tx.org/y v1.0.0\n)\n" +
			"replace x.org/x v1.2.0 => ../x\nreplace x.org/y v1.0.0 => x.org/y v1.0.1\n", []string{
			"go:m.org/a", "needs go:x.org/x v1.2.3", "needs go:x.org/y v1.0.1",
		}},
		{"go.work", "go 1.26\nuse (\n\t./a\n\t../near\n)\nreplace x.org/x => ../x\n", []string{"needs go: from ../near"}},
		{"package.json", `{"name":"a","dependencies":{"b":"github:o/b#v1.2.3","c":"git+https://h/o/c.git#semver:^2.0",` +
			`"d":"npm:e@^1"}}`, []string{
			"npm:a", "needs npm:b at v1.2.3", "needs npm:c ^2.0", "needs npm:d npm:e@^1",
		}},
		{"go.mod", "module", nil},
		{"package.json", `{"name":"@a/b","version":"1.0.0","dependencies":{"left-pad":"^1.3.0","near":"file:../near"},` +
			`"devDependencies":{"c":"workspace:*"}}`, []string{
			"npm:@a/b 1.0.0", "needs npm:left-pad ^1.3.0", "needs npm:near from ../near", "needs npm:c *",
		}},
		{"composer.json", `{"name":"O/App","version":"1.0","replace":{"o/part":"self.version","ext-x":"*"},` +
			`"require":{"php":">=8.1","ext-json":"*","Doctrine/lexer":"^2.0 || ^3.0"},"require-dev":{"o/dev":"dev-main#abc",` +
			`"o/b":"1.2.*@beta"}}`, []string{
			"composer:o/app 1.0", "composer:o/part 1.0", "needs composer:doctrine/lexer ^2.0 || ^3.0",
			"needs composer:o/b 1.2.*", "needs composer:o/dev dev-main at abc",
		}},
		{"composer.json", `{"name": 3, "require": []}`, nil},
		{"src/App/App.csproj", `<Project><PropertyGroup><Version>1.0</Version></PropertyGroup><ItemGroup>` +
			`<PackageReference Include="A.B" Version="[1.0,2.0)" /><PackageReference Include="C"><Version>3.0</Version>` +
			`</PackageReference><PackageReference Include="D" Version="$(V)" /></ItemGroup></Project>`, []string{
			"nuget:App 1.0", "needs nuget:A.B [1.0,2.0)", "needs nuget:C 3.0", "needs nuget:D",
		}},
		{"App.fsproj", `<Project><PropertyGroup><PackageId>O.App</PackageId></PropertyGroup></Project>`, []string{"nuget:O.App"}},
		{"App.csproj", `<Project><PropertyGroup><IsPackable>false</IsPackable></PropertyGroup></Project>`, nil},
		{"App.csproj", `<Project`, nil},
		{"dry.gemspec", "Gem::Specification.new do |s|\n  s.name = \"dry-logic\"\n  s.version = Dry::VERSION\n" +
			"  s.add_dependency \"dry-core\", \"~> 1.1\", '< 3'\n  s.add_development_dependency('rspec')\nend\n", []string{
			"gem:dry-logic", "needs gem:dry-core ~> 1.1, < 3", "needs gem:rspec",
		}},
		{"Gemfile", "gemspec\n# gem 'no'\ngem 'rack', '>= 2', require: false\n  gem \"near\", path: \"../near\"\n" +
			"gem 'at', github: 'o/at', tag: 'v1'\n", []string{
			"needs gem:rack >= 2", "needs gem:near from ../near", "needs gem:at at v1",
		}},
		{"gradle.properties", "GROUP=o.p\nPOM_ARTIFACT_ID=a\n", nil},
		{"package.json", `{"name": 3, "dependencies": ["x"]`, nil},
		{"pyproject.toml", "[project]\nname = \"My_Pkg\" # ours\nversion = '2.0'\ndependencies = [\n" +
			"  \"requests[socks]>=2,<3; python_version > '3'\",\n  \"near @ file:../near\",\n]\n" +
			"[project.optional-dependencies]\ntest = [\"pytest\"]\n", []string{
			"pypi:my-pkg 2.0", "needs pypi:requests >=2,<3", "needs pypi:near from ../near", "needs pypi:pytest",
		}},
		{"pyproject.toml", "[tool.poetry]\nname = \"p\"\n[tool.poetry.dependencies]\npython = \"^3.9\"\nx = \"^1.0\"\n" +
			"y = {path = \"../y\", develop = true}\n", []string{
			"pypi:p", "needs pypi:x ^1.0", "needs pypi:y from ../y",
		}},
		{"pyproject.toml", "[project]\nname = \"p\"\ndependencies = [\"a @ git+https://h/o/a.git@v1.2\", \"b\"]\n" +
			"[tool.uv.sources]\nb = { git = \"https://h/o/b\", tag = \"2.0\" }\n", []string{
			"pypi:p", "needs pypi:a at v1.2", "needs pypi:b at 2.0",
		}},
		{"setup.cfg", "[metadata]\nname = p\nversion = attr: p.v\n[options]\ninstall_requires =\n    a>=1\n    b\n" +
			"packages = find:\n", []string{"pypi:p", "needs pypi:a >=1", "needs pypi:b"}},
		{
			"setup.py", "from setuptools import setup\nsetup(name='p', version=\"1\", install_requires=['a==1',\n 'b'])\n",
			[]string{"pypi:p 1", "needs pypi:a ==1", "needs pypi:b"},
		},
		{
			"requirements-dev.txt", "# all\n-r base.txt\na==1.0 # exact\n-e ../b\n-e git+https://h/o/c@abc#egg=c\n",
			[]string{"needs pypi:a ==1.0", "needs pypi: from ../b", "needs pypi:c at abc"},
		},
		{"Cargo.toml", "[package]\nname = \"a-b\"\nversion = \"0.1.0\"\n[dependencies]\n" +
			"serde = { version = \"1\", features = [\"x\"] }\nnear = { path = \"../near\" }\n[dev-dependencies.rand]\n" +
			"version = \"0.8\"\n[dependencies.own]\ngit = \"https://h/o/own\"\nrev = \"abc\"\n", []string{
			"cargo:a-b 0.1.0", "needs cargo:serde 1", "needs cargo:near from ../near", "needs cargo:rand 0.8",
			"needs cargo:own at abc",
		}},
		{"pom.xml", "<project><parent><groupId>g</groupId><version>2</version></parent><artifactId>a</" +
			"artifactId><dependencies><dependency><groupId>${project.groupId}</groupId><artifactId>b</" +
			"artifactId><version>${project.version}</version></dependency></dependencies></project>", []string{
			"maven:g:a 2", "needs maven:g:b 2",
		}},
		{"README.md", "module x", nil},
	} {
		if diff := cmp.Diff(test.want, told(depend.Read(test.path, test.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.path, diff)
		}
	}
}

// What manifests leave to others is found in those above them, and in parents.
func TestCombine(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"Maven", map[string]string{
			"pom.xml": "<project><groupId>g</groupId><artifactId>p</artifactId><version>${revision}</version><properties>" +
				"<revision>2.1</revision><b.version>${revision}-b</b.version></properties><dependencyManagement><dependencies>" +
				"<dependency><groupId>x</groupId><artifactId>c</artifactId><version>9</version></dependency></dependencies>" +
				"</dependencyManagement></project>",
			"a/pom.xml": "<project><parent><groupId>g</groupId><version>${revision}</version></parent>" +
				"<artifactId>a</artifactId>" +
				"<dependencies><dependency><groupId>x</groupId><artifactId>b</artifactId><version>${b.version}</version>" +
				"</dependency><dependency><groupId>x</groupId><artifactId>c</artifactId></dependency><dependency><groupId>x" +
				"</groupId><artifactId>d</artifactId><version>${no.such}</version></dependency></dependencies></project>",
		}, []string{
			"maven:g:a 2.1", "maven:g:p 2.1", "needs maven:x:b 2.1-b", "needs maven:x:c 9", "needs maven:x:d",
		}},
		{"a parent of Maven beside, and a bill of materials", map[string]string{
			"bom/pom.xml": "<project><groupId>g</groupId><artifactId>bom</artifactId><version>1</version><properties><c.v>9" +
				"</c.v></properties><dependencyManagement><dependencies><dependency><groupId>x</groupId><artifactId>c" +
				"</artifactId><version>${c.v}</version></dependency></dependencies></dependencyManagement></project>",
			"parent/pom.xml": "<project><groupId>g</groupId><artifactId>parent</artifactId><version>1</version>" +
				"<dependencyManagement><dependencies><dependency><groupId>g</groupId><artifactId>bom</artifactId><version>1" +
				"</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>" +
				"<properties><b.v>7</b.v></properties></project>",
			"pom.xml": "<project><groupId>g</groupId><artifactId>all</artifactId><version>1</version><properties><b.v>0" +
				"</b.v></properties></project>",
			"a/pom.xml": "<project><parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version>" +
				"<relativePath>../parent</relativePath></parent><artifactId>a</artifactId><dependencies><dependency><groupId>x" +
				"</groupId><artifactId>b</artifactId><version>${b.v}</version></dependency><dependency><groupId>x</groupId>" +
				"<artifactId>c</artifactId></dependency><dependency><groupId>g.sub</groupId><artifactId>d</artifactId>" +
				"</dependency></dependencies></project>",
		}, []string{
			"maven:g:a 1", "maven:g:bom 1", "maven:g:parent 1", "maven:g:all 1", "needs maven:x:b 7", "needs maven:x:c 9",
			"needs maven:g.sub:d near 1",
		}},
		{"a workspace of Go", map[string]string{
			"go.work":  "go 1.26\nuse ./a\nreplace x.org/x => ../x\n",
			"a/go.mod": "module m.org/a\nrequire (\n\tx.org/x v1.0.0\n\tx.org/y v1.0.0\n)\n",
		}, []string{"go:m.org/a", "needs go:x.org/x from ../x", "needs go:x.org/y v1.0.0"}},
		{"a patch of Cargo", map[string]string{
			"Cargo.toml": "[workspace]\n[patch.crates-io]\nnear = { path = \"../near\" }\n[patch.crates-io.own]\n" +
				"git = \"https://h/o/own\"\ntag = \"v1\"\n",
			"a/Cargo.toml": "[package]\nname = \"a\"\nversion = { workspace = true }\n[dependencies]\nnear = \"1\"\n" +
				"own = \"1\"\nother = \"1\"\n",
		}, []string{"cargo:a", "needs cargo:near from ../near", "needs cargo:own at v1", "needs cargo:other 1"}},
		{".NET", map[string]string{
			"Directory.Packages.props": `<Project><ItemGroup><PackageVersion Include="A" Version="1.0" /></ItemGroup></Project>`,
			"src/App/App.csproj": `<Project><ItemGroup><PackageReference Include="A" /><PackageReference Include="B" />` +
				`<PackageReference Include="C" VersionOverride="3" /></ItemGroup></Project>`,
		}, []string{"nuget:App", "needs nuget:A 1.0", "needs nuget:B", "needs nuget:C 3"}},
		{"Gradle, as a plugin for publishing has it", map[string]string{
			"gradle.properties": "GROUP=g\nVERSION_NAME=3\nPOM_ARTIFACT_ID=named\n", "build.gradle": "", "lib/build.gradle": "",
		}, []string{"maven:g:named 3", "maven:g:lib 3"}},
		{"Gradle", map[string]string{
			"settings.gradle.kts": "rootProject.name = \"root\"\nincludeBuild(\"../near\")\n",
			"gradle.properties":   "group=g\nversion=3\nxVersion=1.1\n",
			"build.gradle.kts":    "plugins { java }\n",
			"lib/build.gradle": "dependencies {\n  api \"x:y:$xVersion\"\n" +
				"  api group: 'x', name: 'z', version: '7'\n}\n",
			"kotlin/build.gradle.kts": "val v = \"8\"\ndependencies {\n  api(\"x\", \"k\", v)\n  api(\"x\", \"l\", \"9\")\n}\n",
			"other/build.gradle":      "group = 'o'\nversion '4'\npublishing { artifactId = 'named' }\n",
			"gradle/libs.versions.toml": "[versions]\nq = \"5\"\n" +
				"[libraries]\nq = { group = \"q\", name = \"r\", version.ref = \"q\" }\n",
		}, []string{
			"maven:g:root 3", "maven:g:kotlin 3", "maven:g:lib 3", "maven:o:named 4", "needs maven:q:r 5", "needs maven:x:k 8",
			"needs maven:x:l 9", "needs maven:x:y 1.1",
			"needs maven:x:z 7",
			"needs maven: from ../near",
		}},
		{"Cargo", map[string]string{
			"Cargo.toml": "[workspace.package]\nversion = \"0.4.0\"\n[workspace.dependencies]\nserde = \"1\"\n" +
				"near = { package = \"near-by\", path = \"near\" }\n",
			"a/Cargo.toml": "[package]\nname = \"a\"\nversion.workspace = true\n[dependencies]\nserde.workspace = true\n" +
				"near = { workspace = true }\n[dependencies.rand]\npackage = \"rand_core\"\nversion = \"0.8\"\n",
		}, []string{
			"cargo:a 0.4.0", "needs cargo:serde 1", "needs cargo:near-by from near for near",
			"needs cargo:rand_core 0.8 for rand",
		}},
	} {
		read := map[string]depend.Manifest{}
		for p, text := range test.files {
			read[p] = depend.Read(p, text)
		}
		var all depend.Manifest
		all.Provides, all.Needs = depend.Combine(read)
		if diff := cmp.Diff(test.want, told(all)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		ecosystem      depend.Ecosystem
		asked, version string
		want           int
	}{
		{depend.Go, "v1.2.3", "v1.2.3", 2},
		{depend.Go, "v1.2.3", "v1.3.0", 0},
		{depend.NPM, "^1.2.0", "1.10.0", 1},
		{depend.NPM, "^1.2.0", "2.0.0", 0},
		{depend.NPM, "^0.2.0", "0.3.0", 0},
		{depend.NPM, "~1.2", "1.2.9", 1},
		{depend.NPM, "1.x || >=2.5.0 <3", "2.6.1", 1},
		{depend.NPM, ">= 2.5.0 < 3", "3.0.0", 0},
		{depend.NPM, "*", "7.0.0", 1},
		{depend.NPM, "latest", "7.0.0", 0},
		{depend.PyPI, ">=1.2,<2", "1.10", 1},
		{depend.PyPI, "~=1.4.2", "1.4.9", 1},
		{depend.PyPI, "~=1.4.2", "1.5.0", 0},
		{depend.PyPI, "==1.4.*", "1.4.1", 1},
		{depend.PyPI, ">=1,!=1.5", "1.5", 0},
		{depend.Cargo, "1.2", "1.9.0", 1},
		{depend.Cargo, "0.3", "0.4.0", 0},
		{depend.Cargo, "=1.2.0", "1.2.0", 2},
		{depend.Maven, "[1.0,2.0)", "1.9.1", 1},
		{depend.Maven, "[1.0,2.0)", "2.0", 0},
		{depend.Maven, "(,2.0]", "2.0", 1},
		{depend.Maven, "1.0", "1.1", 0},
		{depend.Maven, "", "1.1", 0},
	} {
		if got := depend.Fits(test.ecosystem, test.asked, test.version); got != test.want {
			t.Errorf("%s %q of %q: %d, want %d", test.ecosystem, test.version, test.asked, got, test.want)
		}
	}
	ordered := []string{"1.0-rc1", "1.0", "1.2", "1.10-SNAPSHOT", "1.10", "2.0.0"}
	for i := range ordered[1:] {
		if depend.Compare(ordered[i], ordered[i+1]) >= 0 || depend.Compare(ordered[i+1], ordered[i]) <= 0 {
			t.Errorf("%s is not before %s", ordered[i], ordered[i+1])
		}
	}
}

func TestNearer(t *testing.T) {
	for _, test := range []struct{ wanted, near, far string }{
		{"v1.0.9", "v1.0.10", "v1.0.5"}, // one that is not older
		{"v1.0.9", "v1.0.10", "v1.2.0"},
		{"v0.31.2", "v0.31.0", "v0.34.0"}, // the same minor version
		{"1.5.0", "1.6.0", "2.0.0"},
		{"1.5.0", "1.4.0", "2.0.0"},
		{"1.5.0", "1.4.0", "1.3.0"},
		{"1.5.0", "1.5.0", "1.5.1"},
	} {
		if depend.Nearer(test.wanted, test.near, test.far) <= 0 || depend.Nearer(test.wanted, test.far, test.near) >= 0 {
			t.Errorf("%s is not nearer to %s than %s", test.near, test.wanted, test.far)
		}
	}
	for version, want := range map[string]string{
		"v0.0.0-20260102030405-0123456789ab": "0123456789ab", "v1.2.4-0.20260102030405-0123456789ab": "0123456789ab",
		"v1.2.3": "", "v1.2.3-rc.1": "",
	} {
		if got := depend.Commit(version); got != want {
			t.Errorf("%s: commit %q, want %q", version, got, want)
		}
	}
}

// A range of any text is answered.
func FuzzFits(f *testing.F) {
	f.Add("npm", "^1.0 || >= 2", "1.2.3")
	f.Add("maven", "[1.0,", "v1")
	f.Add("cargo", "~ ", "")
	f.Fuzz(func(t *testing.T, ecosystem, asked, version string) {
		if got := depend.Fits(depend.Ecosystem(ecosystem), asked, version); got < 0 || got > 2 {
			t.Errorf("%q of %q: %d", version, asked, got)
		}
		if depend.Compare(asked, version) != -depend.Compare(version, asked) {
			t.Errorf("%q and %q are not ordered", asked, version)
		}
	})
}

// What a manifest says is of its folder, whatever is in it.
func FuzzRead(f *testing.F) {
	for _, name := range names {
		f.Add(name, "[project]\nname=\"a\"\ndependencies=[\n'b',\n]\n")
		f.Add(name, `{"name":"a","dependencies":{"b":"1"}}`)
		f.Add(name, "module a\nrequire b v1.0.0\n<project><artifactId>a</artifactId></project>")
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		m := depend.Read("dir/"+name, text)
		depend.Combine(map[string]depend.Manifest{"dir/" + name: m, "dir/sub/" + name: depend.Read("dir/sub/"+name, text)})
		for _, p := range m.Provides {
			if p.Name.Name == "" || p.Dir != "dir" && !strings.Contains(name, "/") {
				t.Errorf("%q provides %+v", text, p)
			}
		}
		for _, n := range m.Needs {
			if n.Name.Name == "" && n.From == "" {
				t.Errorf("%q needs %+v", text, n)
			}
		}
	})
}

var names = []string{
	"go.mod", "go.work", "package.json", "pyproject.toml", "setup.cfg", "setup.py", "requirements.txt",
	"Cargo.toml", "pom.xml", "build.gradle", "settings.gradle.kts", "gradle.properties", "libs.versions.toml",
}

func TestLocked(t *testing.T) {
	for _, test := range []struct {
		path, text string // of the file; behind a colon the folder of the project
		name, want string // of the module; behind @ what is asked for
	}{
		{"package-lock.json", `{"packages":{"node_modules/left-pad":{"version":"1.3.0"},` +
			`"node_modules/x/node_modules/left-pad":{"version":"1.0.0"}}}`, "left-pad", "1.3.0"},
		{"package-lock.json", `{"dependencies":{"left-pad":{"version":"1.2.0"}}}`, "left-pad", "1.2.0"},
		{"package-lock.json", `{"packages":{`, "left-pad", ""},
		{
			"yarn.lock", "\"@a/b@^1.0.0\":\n  version \"1.1.0\"\n\nleft-pad@^1.3.0, left-pad@~1.3.0:\n  version \"1.3.0\"\n",
			"left-pad", "1.3.0",
		},
		{"yarn.lock", "\"left-pad@npm:^1.3.0\":\n  version: 1.3.1\n", "left-pad", "1.3.1"},
		{"pnpm-lock.yaml", "packages:\n\n  left-pad@1.3.0:\n    resolution: {}\n", "left-pad", "1.3.0"},
		{"uv.lock", "[[package]]\nname = \"other\"\nversion = \"9\"\n\n[[package]]\nname = \"Left_Pad\"\n" +
			"version = \"1.3.0\"\n", "left-pad", "1.3.0"},
		{"Cargo.lock", "[[package]]\nname = \"serde\"\nversion = \"1.0.1\"\n", "serde", "1.0.1"},
		{"composer.lock", `{"packages":[{"name":"o/b","version":"v1.2.0","source":{"reference":"abc"}}],"packages-dev":` +
			`[{"name":"O/Dev","version":"dev-main","source":{"reference":"0123abc"}}]}`, "o/b", "1.2.0"},
		{
			"composer.lock", `{"packages-dev":[{"name":"O/Dev","version":"dev-main","source":{"reference":"0123abc"}}]}`, "o/dev",
			" at 0123abc",
		},
		{
			"packages.lock.json", `{"version":1,"dependencies":{"net8.0":{"A.B":{"type":"Direct","resolved":"1.2.3"}}}}`, "A.B",
			"1.2.3",
		},
		{"Gemfile.lock", "GEM\n  specs:\n    rack-test (2.1.0)\n      rack (>= 1.3)\n    rack (3.0.1)\n", "rack", "3.0.1"},
		{"Gemfile.lock", "GEM\n  specs:\n    rack-test (2.1.0)\n      rack (>= 1.3)\n", "rack", ""},
		{"requirements.txt", "other==2\nleft.pad[x]==1.3.0  # why\n", "left-pad", "1.3.0"},
		{"requirements.txt", "left-pad>=1\n", "left-pad", ""},
		{"package-lock.json:p/a", `{"packages":{"node_modules/x":{"version":"1.0.0"},` +
			`"p/a/node_modules/x":{"version":"2.0.0"}}}`, "x", "2.0.0"},
		{"package-lock.json:p/b", `{"packages":{"node_modules/x":{"version":"1.0.0"},` +
			`"p/a/node_modules/x":{"version":"2.0.0"}}}`, "x", "1.0.0"},
		{
			"yarn.lock", "x@^1.0.0:\n  version \"1.4.0\"\n\ny@1, x@^2.0.0, x@^2.1.0:\n  version \"2.1.0\"\n",
			"x@^2.0.0", "2.1.0",
		},
		{"yarn.lock", "x@^1.0.0:\n  version \"1.4.0\"\n\nx@^2.0.0:\n  version \"2.1.0\"\n", "x@^1.0.0", "1.4.0"},
		{"yarn.lock", "x@1.0.0:\n  version \"1.0.0\"\n\nx@^1.0.0:\n  version \"1.4.0\"\n", "x@^1.0.0", "1.4.0"},
		{
			"yarn.lock", "\"x@npm:1.9.0, x@npm:<2.0.0\":\n  version: 1.9.0\n\nx@2.0.0:\n  version: 2.0.0\n",
			"x@<2.0.0", "1.9.0",
		},
		{"Cargo.lock", cargoLock, "rand@<0.10.2", "0.9.5"},
		{
			"pnpm-lock.yaml", "importers:\n  .:\n    dependencies:\n      x:\n        specifier: npm:y@^4\n" +
				"        version: y@4.2.3\n", "x@npm:y@^4", "",
		},
		{"pnpm-lock.yaml", pnpm, "x@^2.0.0", "2.0.1"},
		{"pnpm-lock.yaml:packages/b", pnpm, "x@*", "1.0.0"},
		{"pnpm-lock.yaml:packages/b", pnpm, "@a/c@workspace:*", ""},
		{"pnpm-lock.yaml:packages/d", pnpm, "x@^1.0.0", "1.0.0"},
		{"Cargo.lock", cargoLock, "rand@0.9", "0.9.5"},
		{"Cargo.lock", cargoLock, "rand@0.10.1", "0.10.2"},
		{"Cargo.lock", "[[package]]\nname = \"x\"\nversion = \"1.0.0\"\nsource = " +
			"\"git+https://h/o/x?branch=main#0123abc\"\n", "x", "1.0.0 at 0123abc"},
		{
			"uv.lock", "[[package]]\nname = \"x\"\nversion = \"1.0\"\nsource = { editable = \"../x\" }\n",
			"x", "1.0 from ../x",
		},
		{"uv.lock", "[[package]]\nname = \"x\"\nversion = \"1.0\"\nsource = " +
			"{ git = \"https://h/o/x?rev=v1#0123abc\" }\ndependencies = [\n    { name = \"y\" },\n]\n", "x", "1.0 at 0123abc"},
		{
			"uv.lock", "[[package]]\nname = \"x\"\nversion = \"1.0\"\nsource = { registry = \"https://h/simple\" }\n",
			"x", "1.0",
		},
		{"poetry.lock", "[[package]]\nname = \"x\"\nversion = \"1.0\"\n\n[package.dependencies]\ny = \"2\"\n\n" +
			"[package.source]\ntype = \"git\"\nurl = \"https://h/o/x\"\n" +
			"resolved_reference = \"0123abc\"\n", "x", "1.0 at 0123abc"},
		{"poetry.lock", "[[package]]\nname = \"x\"\nversion = \"1.0\"\n[package.source]\ntype = \"directory\"\n" +
			"url = \"../x\"\n\n[[package]]\nname = \"y\"\nversion = \"2\"\n", "x", "1.0 from ../x"},
		{"pdm.lock", "[[package]]\nname = \"x\"\nversion = \"1.0\"\npath = \"./../x\"\n", "x", "1.0 from ./../x"},
		{"pylock.toml", "[[packages]]\nname = \"x\"\nversion = \"1.0\"\nvcs = " +
			"{ type = \"git\", commit-id = \"0123abc\" }\n", "x", "1.0 at 0123abc"},
		{"Pipfile.lock", `{"default":{"x":{"version":"==1.0"}},"develop":{"y":{"path":"../y"}}}`, "x", "1.0"},
		{"Pipfile.lock", `{"default":{"x":{"version":"==1.0"}},"develop":{"y":{"path":"../y"}}}`, "y", " from ../y"},
		{"package-lock.json", `{"packages":{"../x":{"version":"1.0.0"},"node_modules/x":{"resolved":"../x","link":true},` +
			`"node_modules/y":{"version":"2.0.0","resolved":"git+ssh://git@h/o/y.git#0123abc"}}}`, "x", "1.0.0 from ../x"},
		{"package-lock.json", `{"packages":{"node_modules/y":{"version":"2.0.0",` +
			`"resolved":"git+ssh://git@h/o/y.git#0123abc"}}}`, "y", "2.0.0 at 0123abc"},
		{"requirements.txt", "x==1.3.0 --hash=sha256:00\n", "x", "1.3.0"},
		{"constraints.txt", "x==1.3.0\n", "x", "1.3.0"},
	} {
		p, dir, _ := strings.Cut(test.path, ":")
		n := depend.Need{Name: depend.Name{Ecosystem: ecosystemOf(p), Name: test.name}}
		if at := strings.LastIndexByte(test.name, '@'); at > 0 {
			n.Name.Name, n.Version = test.name[:at], test.name[at+1:]
		}
		chosen := depend.Locked(p, test.text, dir, n)
		got := chosen.Version
		if chosen.Commit != "" {
			got += " at " + chosen.Commit
		}
		if chosen.From != "" {
			got += " from " + chosen.From
		}
		if got != test.want {
			t.Errorf("%s in %s: %q, want %q", test.name, test.text, got, test.want)
		}
	}
}

const cargoLock = `
[[package]]
name = "rand"
version = "0.10.2"

[[package]]
name = "rand"
version = "0.9.5"
`

const pnpm = `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      x:
        specifier: ^2.0.0
        version: 2.0.1(peer@1.0.0)

  packages/b:
    dependencies:
      '@a/c':
        specifier: workspace:*
        version: link:../c
      x:
        specifier: '*'
        version: 1.0.0

packages:

  x@1.0.0:
    resolution: {}

  x@2.0.1:
    resolution: {}
`

func ecosystemOf(lock string) depend.Ecosystem {
	for _, e := range []depend.Ecosystem{depend.NPM, depend.PyPI, depend.Cargo} {
		if slices.Contains(depend.Locks(e), lock) {
			return e
		}
	}
	return ""
}

// A version is on one line, whatever a lock file has.
func FuzzLocked(f *testing.F) {
	f.Add("yarn.lock", "left-pad@1:\n  version \"1.3.0\"\n", "left-pad")
	f.Add("package-lock.json", `{"packages":{"node_modules/a":{"version":"1"}}}`, "a")
	f.Add("uv.lock", "[[package]]\nname = \"a\"\nversion = \"1\"\n", "a")
	f.Fuzz(func(t *testing.T, name, text, module string) {
		n := depend.Need{Name: depend.Name{Ecosystem: depend.NPM, Name: module}, Version: "^1"}
		if got := depend.Locked(name, text, "a", n).Version; got != "" && !strings.Contains(text, "version") &&
			!strings.Contains(text, got) {
			t.Errorf("%q has %s of %s", text, got, module)
		}
	})
}
