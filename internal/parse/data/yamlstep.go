package data

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// A yamlSteps lists what a document has in sequences that is done one after the other and
// has a name: the steps of a pipeline's jobs, the tasks of a playbook's plays.
type yamlSteps struct {
	*yamlFile

	nodes    []yamlNode
	keys     []map[string]int // of each node the keys right in it
	listed   map[int]string   // qualified names, by node
	symbols  []parse.Symbol
	handlers bool // the file is one of handlers
}

// yamlStepsOf are those of a document that may have some, in the lines from first to last.
func yamlStepsOf(y *yamlFile, first, last int) []parse.Symbol {
	folder := slices.Contains(strings.Split(path.Dir(y.path), "/"), "handlers")
	s := yamlSteps{yamlFile: y, nodes: yamlNodes(y, first, last), listed: map[int]string{}, handlers: folder}
	s.keys = make([]map[string]int, len(s.nodes))
	for i, n := range s.nodes {
		if n.parent < 0 || n.item {
			continue
		}
		if s.keys[n.parent] == nil {
			s.keys[n.parent] = map[string]int{}
		}
		s.keys[n.parent][n.name] = i
	}
	kind := s.step
	if len(s.nodes) > 0 && s.nodes[0].item {
		if !s.plays() {
			return nil
		}
		kind = s.task
	}
	for i, n := range s.nodes {
		if !n.item {
			continue
		}
		if len(s.symbols) > maxListed { // then none is
			break
		}
		if what, name := kind(i); what != "" && name != "" {
			s.list(i, what, name)
		}
	}
	return s.symbols
}

// list adds a node, in what is listed around it.
func (s *yamlSteps) list(i int, kind, name string) {
	n := s.nodes[i]
	sym := parse.Symbol{Name: parse.Fold(name), Kind: kind, Exported: true, EndLine: n.end + 1}
	for p := n.parent; p >= 0 && sym.Parent == ""; p = s.nodes[p].parent {
		sym.Parent = s.listed[p]
		if grand := s.nodes[p].parent; sym.Parent == "" && grand >= 0 && s.nodes[grand].depth == 1 && !s.nodes[p].item {
			switch s.nodes[grand].name {
			case "jobs", "commands":
				sym.Parent = parse.Qualify(s.nodes[grand].name, s.nodes[p].name) // listed as a key
			}
		}
	}
	sym.Signature, sym.Qualified = sym.Name, parse.Qualify(sym.Parent, sym.Name)
	sym.StartLine, sym.Doc = s.aboveKey(yamlKey{line: n.line, indent: n.indent})
	s.listed[i] = sym.Qualified
	s.symbols = append(s.symbols, sym)
}

// in is the name of the key whose sequence an item is of.
func (s *yamlSteps) in(i int) string {
	if p := s.nodes[i].parent; p >= 0 {
		return s.nodes[p].name
	}
	return ""
}

// value is that of the first of some keys which an item has.
func (s *yamlSteps) value(i int, keys ...string) string {
	for _, key := range keys {
		if at, ok := s.keys[i][key]; ok && s.nodes[at].value != "" {
			return s.nodes[at].value
		}
	}
	return ""
}

func (s *yamlSteps) has(i int, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { _, ok := s.keys[i][key]; return ok })
}

// step is what an item of a pipeline is, of those of GitHub, Azure, CircleCI, Buildkite and
// Drone.
func (s *yamlSteps) step(i int) (kind, name string) {
	switch s.in(i) {
	case "stages":
		return "stage", s.value(i, "stage")
	case "jobs":
		return "job", s.value(i, "job", "deployment")
	case "steps":
		if run, ok := s.keys[i]["run"]; ok && s.value(run, "name") != "" {
			return "step", s.value(run, "name")
		}
		if name = s.value(i, "displayName", "label"); name == "" &&
			s.has(i, "run", "uses", "image", "commands", "command", "script") {
			name = s.value(i, "name")
		}
		return "step", name
	}
	return "", ""
}

// Keys of plays that have tasks, and of tasks that have more of them.
var (
	taskLists = []string{"tasks", "pre_tasks", "post_tasks", "handlers"}
	blocks    = []string{"block", "rescue", "always"}
)

// task is what an item of a playbook is, or of a file of tasks.
func (s *yamlSteps) task(i int) (kind, name string) {
	in := s.in(i)
	switch {
	case s.nodes[i].depth == 1 && s.has(i, "hosts"):
		return "play", parse.FirstOf(s.value(i, "name"), s.value(i, "hosts"))
	case s.nodes[i].depth == 1 && s.handlers, in == "handlers":
		return "handler", s.value(i, "name")
	case s.nodes[i].depth == 1, slices.Contains(taskLists, in), slices.Contains(blocks, in):
		return "task", s.value(i, "name")
	}
	return "", ""
}

// plays reports whether a document is a playbook or a list of tasks, as Ansible reads them.
func (s *yamlSteps) plays() bool {
	said := inTasks(s.path)
	for i, n := range s.nodes {
		if !n.item || n.depth > 1 {
			continue
		}
		known := s.has(i, modules...)
		for key := range s.keys[i] {
			known = known || strings.Count(key, ".") == 2
		}
		switch {
		case s.has(i, "hosts") && s.has(i, "tasks", "roles", "handlers", "pre_tasks", "become", "gather_facts", "vars"),
			known && (said || s.has(i, "become", "register", "notify", "when")):
			return true
		}
		for key := range s.keys[i] {
			if strings.HasPrefix(key, "ansible.") || strings.HasPrefix(key, "community.") {
				return true
			}
		}
	}
	return false
}

// inTasks reports whether a file is where tasks are, by its path in lower case.
func inTasks(file string) bool {
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains([]string{"tasks", "handlers", "playbooks", "roles", "ansible"}, folder) {
			return true
		}
	}
	base := path.Base(file)
	return strings.Contains(base, "task") || strings.Contains(base, "handler") || strings.Contains(base, "playbook")
}

// modules are those of Ansible's own that playbooks have most, by their short names; others
// have the name of their collection, too: "community.docker.docker_image".
var modules = strings.Fields(`apt apt_key apt_repository assemble assert block blockinfile command copy cron debug dnf
	docker_container fail fetch file get_url git group hostname import_playbook import_role import_tasks include
	include_role include_tasks include_vars iptables k8s lineinfile meta mount npm package pause pip raw reboot replace
	script seboolean selinux service set_fact setup shell slurp stat synchronize sysctl systemd template ufw unarchive
	uri user wait_for yum yum_repository zypper`)
