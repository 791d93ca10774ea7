package change

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Test is a test to run. Name is its qualified name, "" for all of a file: of Rust the examples
// in its documentation.
type Test struct {
	File, Name string
}

// IsTest reports whether a function of a file with tests is a test by the
// customs of its language, and not a helper. Where tests are calls that have a block or a
// function, the code around all functions is one: all of the file, without kind and name.
func IsTest(file, kind, qualified string) bool {
	name := qualified[strings.LastIndexByte(qualified, '.')+1:]
	switch path.Ext(file) {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte":
		return kind == ""
	case ".rb", ".exs":
		return true
	case ".go":
		return kind == "func" && name != "TestMain" &&
			(strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Example"))
	case ".py":
		return (kind == "func" || kind == "method") && strings.HasPrefix(name, "test")
	case ".java", ".kt", ".rs":
		class := strings.TrimSuffix(qualified, "."+name)
		constructs := class != qualified && class[strings.LastIndexByte(class, '.')+1:] == name
		return (kind == "func" || kind == "method") && !constructs
	}
	return kind != ""
}

// Around is the test that something is in: of functions and classes inside of a function of Python
// that one, which is what can be run.
func Around(file, qualified string) string {
	if path.Ext(file) != ".py" {
		return qualified
	}
	for end := 0; end < len(qualified); end++ {
		begin := end
		if n := strings.IndexByte(qualified[begin:], '.'); n >= 0 {
			end = begin + n
		} else {
			end = len(qualified)
		}
		if strings.HasPrefix(qualified[begin:end], "test") {
			return qualified[:end]
		}
	}
	return qualified
}

// Commands are the lines of a shell that run tests, by the usual program of each
// language. Each line runs in the root of the repository. read is the text of a file, nil
// where there is none: tests are run in the module that they are in, by what its
// manifest says. Lines and what is in them are in the order of the tests.
func Commands(tests []Way, read func(file string) *string) []string {
	type call struct {
		command
		arg string
	}
	m := manifestsOf(read)
	by, called := map[command][]string{}, map[call]bool{}
	var order []command
	for _, t := range tests {
		c, arg := m.command(t.Test)
		if c.head == "" || called[call{c, arg}] {
			continue
		}
		if by[c] == nil {
			order = append(order, c)
		}
		by[c], called[call{c, arg}] = append(by[c], arg), true
	}
	var lines []string
	for _, c := range order {
		args := by[c]
		if c.each {
			for _, a := range args {
				lines = append(lines, c.head+a+c.tail)
			}
			continue
		}
		if c.files {
			args = short(args)
		}
		line := c.head + strings.Join(args, cmp.Or(c.between, " ")) + c.tail
		if c.whole != "" && len(line) > longLine {
			line = c.whole
		}
		lines = append(lines, line)
	}
	return lines
}

// longLine is from how many bytes on a line is too long to be pasted and read.
const longLine = 400

// short names files in place of the tests in them, "file::name", those with the most
// first, until they make a line that is not too long: it runs more then, and nothing less.
func short(args []string) []string {
	for len(strings.Join(args, " ")) > longLine {
		in := map[string]int{}
		most := ""
		for _, a := range args {
			file, _, named := strings.Cut(a, "::")
			if in[file]++; named && in[file] > max(1, in[most]) {
				most = file
			}
		}
		if most == "" {
			return args
		}
		whole := most
		if strings.HasPrefix(whole, "'") {
			whole += "'"
		}
		first := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, most+"::") })
		args[first] = whole
		args = slices.DeleteFunc(args, func(a string) bool { return strings.HasPrefix(a, most+"::") })
	}
	return args
}

// A command is a line of a shell with a place for what it is to run: several, with something
// between them, or a line for each.
type command struct {
	head, between, tail string
	whole               string // runs what is too long to be named, and more
	each                bool
	files               bool // a test may be named by its file alone, "file" for "file::name"
}

// command is what runs a test, and how the test is called there.
func (m *manifests) command(t Test) (c command, arg string) {
	name := t.Name[strings.LastIndexByte(t.Name, '.')+1:]
	switch path.Ext(t.File) {
	case ".go":
		return m.golang(path.Dir(t.File)), name
	case ".py":
		arg = t.File
		if t.Name != "" {
			arg += "::" + strings.ReplaceAll(t.Name, ".", "::")
		}
		return command{head: "python -m pytest ", files: true}, quoted(arg)
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte":
		return m.script(t.File)
	case ".rs":
		if dir, rest := m.within(t.File, "Cargo.toml"); t.Name == "" {
			c = m.cargo(dir)
			c.head = strings.TrimSuffix(c.head, "-- ") + "--doc -- "
			return c, quoted(rest)
		}
		return m.cargo(path.Dir(t.File)), strings.ReplaceAll(t.Name, ".", "::")
	case ".java", ".kt", ".groovy", ".scala":
		return m.jvm(t.File), strings.TrimSuffix(path.Base(t.File), path.Ext(t.File))
	case ".rb":
		dir, file := m.within(t.File, "Gemfile", "Rakefile")
		run := command{head: "bundle exec ruby -Ilib -Itest ", each: true}
		if strings.HasSuffix(file, "_spec.rb") {
			run = command{head: "bundle exec rspec "}
		}
		return run.in(dir), quoted(file)
	case ".exs":
		dir, file := m.within(t.File, "mix.exs")
		return command{head: "mix test "}.in(dir), quoted(file)
	case ".php":
		dir, file := m.within(t.File, "composer.json")
		return command{head: "vendor/bin/phpunit ", each: true}.in(dir), quoted(file)
	case ".cs":
		return command{head: "dotnet test " + m.csproj(t.File) + "--filter '", between: "|", tail: "'"},
			"FullyQualifiedName~" + strings.TrimSuffix(path.Base(t.File), ".cs")
	}
	return command{}, ""
}

// in is a command that is run in a folder.
func (c command) in(dir string) command {
	if dir != "." {
		c.head, c.tail = "(cd "+quoted(dir)+" && "+c.head, c.tail+")"
	}
	return c
}

// manifests are the files that say how tests are run, and what was found there.
type manifests struct {
	read    func(file string) *string
	closest map[[2]string]string  // folders with manifests, by a folder below and the names of these
	modules map[[2]string]command // of JVM languages, by their folder and set of sources
	runs    map[string]string     // how packages run tests, by their folder
}

func manifestsOf(read func(file string) *string) *manifests {
	return &manifests{read, map[[2]string]string{}, map[[2]string]command{}, map[string]string{}}
}

func (m *manifests) has(file string) bool { return m.read(file) != nil }

// golang runs tests of the package in a folder, in its module.
func (m *manifests) golang(dir string) command {
	run, below := "go test ", strings.TrimSuffix(dir, ".")
	if module := m.around(dir, "go.mod"); module != "." {
		run, below = "go test -C "+quoted(module)+" ", strings.TrimPrefix(strings.TrimPrefix(dir, module), "/")
	}
	run += quoted("./" + below)
	return command{head: run + " -run '^(", between: "|", tail: ")$'", whole: run}
}

// cargo runs tests of the crate that a folder is in, whose names have one of some texts.
func (m *manifests) cargo(dir string) command {
	if crate := m.around(dir, "Cargo.toml"); crate != "." {
		return command{head: "cargo test --manifest-path " + quoted(crate+"/Cargo.toml") + " -- "}
	}
	return command{head: "cargo test -- "}
}

// csproj is the project of .NET that a file is in, with a space behind it: in a folder of its
// name, as most are, by its folder; else "", for what is in the root.
func (m *manifests) csproj(file string) string {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if m.has(path.Join(dir, path.Base(dir)+".csproj")) {
			return quoted(dir) + " "
		}
	}
	return ""
}

// jvm runs classes of tests of the module that a file is in.
func (m *manifests) jvm(file string) command {
	module, set := sourceSet(file)
	c, known := m.modules[[2]string{module, set}]
	if !known {
		c = m.jvmIn(module, set)
		m.modules[[2]string{module, set}] = c
	}
	return c
}

// jvmIn runs those of a module by Gradle or Maven, whichever is closer.
func (m *manifests) jvmIn(module, set string) command {
	scripts := []string{
		"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts",
		path.Base(module) + ".gradle", path.Base(module) + ".gradle.kts",
	}
	pom, gradle := m.around(module, "pom.xml"), m.around(module, scripts...)
	if m.hasAny(gradle, scripts...) && (len(gradle) > len(pom) || !m.has(path.Join(pom, "pom.xml"))) {
		program := "gradle"
		if m.has("gradlew") {
			program = "./gradlew"
		}
		if module != "." {
			program += " -p " + quoted(module)
		}
		return command{head: program + " " + m.gradleTask(gradle, set, scripts) + " --tests ", between: " --tests "}
	}
	program := "mvn"
	if m.has("mvnw") {
		program = "./mvnw"
	}
	if pom != "." && m.has("pom.xml") { // with the modules that it takes
		return command{
			head: program + " test -pl " + quoted(pom) +
				" -am -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false -Dtest=",
			between: ",",
		}
	}
	if pom != "." {
		program += " -f " + quoted(pom)
	}
	return command{head: program + " test -Dtest=", between: ","}
}

// kotlinTarget is a set of tests of Kotlin that is of one target: its task is called likewise.
var kotlinTarget = regexp.MustCompile(`^(jvm|js|wasm(Js|Wasi)|android\w*|(ios|macos|tvos|watchos|linux|mingw)\w*(X64|Arm32|Arm64))Test$`)

// gradleTask runs the tests of a set of sources. In projects for several targets of Kotlin some
// are of all of them, or of some, and have no task: then it is that of the JVM.
func (m *manifests) gradleTask(dir, set string, scripts []string) string {
	if !strings.HasSuffix(set, "Test") || kotlinTarget.MatchString(set) {
		return set
	}
	if set == "commonTest" {
		return "jvmTest"
	}
	for _, name := range scripts {
		if text := m.read(path.Join(dir, name)); text != nil && strings.Contains(*text, "multiplatform") {
			return "jvmTest"
		}
	}
	return set
}

// sourceSet is the folder of the module of a file of a JVM language, and the set of its
// sources, which has the name of the task that runs its tests.
func sourceSet(file string) (module, set string) {
	before, behind, ok := strings.Cut("/"+file, "/src/")
	set, _, below := strings.Cut(behind, "/")
	if !ok || !below || set == "" {
		return path.Dir(file), "test"
	}
	return cmp.Or(strings.TrimPrefix(before, "/"), "."), set
}

// within is the closest folder around a file that has one of some manifests, and the path of
// the file there.
func (m *manifests) within(file string, names ...string) (dir, rest string) {
	if dir = m.around(path.Dir(file), names...); dir == "." {
		return dir, file
	}
	return dir, strings.TrimPrefix(file, dir+"/")
}

// around is the closest folder around one that has one of some manifests, "." without any.
func (m *manifests) around(dir string, names ...string) string {
	if dir == "." || dir == "/" {
		return "."
	}
	key := [2]string{dir, strings.Join(names, "/")}
	closest, known := m.closest[key]
	if !known {
		if closest = dir; !m.hasAny(dir, names...) {
			closest = m.around(path.Dir(dir), names...)
		}
		m.closest[key] = closest
	}
	return closest
}

func (m *manifests) hasAny(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return m.has(path.Join(dir, name)) })
}

// quoted is a word for the shell.
func quoted(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
