package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A trail writes the places of steps that follow each other: of a file that the line
// before was of, which may have a long path, ":12".
type trail struct{ file string }

func (t *trail) at(file string, line int) string {
	if file == t.file {
		file = ""
	}
	t.file = cmp.Or(file, t.file)
	return fmt.Sprintf("%s:%d", file, line)
}

// lineagePage has the definitions, then a line for each step.
func lineagePage(r *nav.LineageResponse) page {
	p := page{counts: fmt.Sprintf("%s %s of %s", counted(len(r.Items), &r.Meta, "symbol"), r.Direction, r.Symbol)}
	for _, d := range r.Definitions {
		prototype := ""
		if d.Prototype {
			prototype = " (prototype)"
		}
		p.intro += fmt.Sprintf("%s %s %s%s\n", d.Place(), d.Kind, d.Qualified, prototype)
	}
	before, places := stepsOf(r), trail{}
	if len(r.Definitions) == 1 {
		places.file = r.Definitions[0].FilePath
	}
	var all []step
	for _, item := range r.Items {
		all = append(all, before.step(item))
	}
	for i, now := range all {
		if i > 0 && now == all[i-1] { // as what one call may run, of types that are called the same
			p.parts = append(p.parts, "")
			continue
		}
		n := 1
		for n < len(all)-i && all[i+n] == now {
			n++
		}
		if n > 1 {
			now.more += fmt.Sprintf(" ×%d", n)
		}
		p.parts = append(p.parts, now.what+" "+places.at(now.file, now.line)+now.more+"\n")
	}
	return p
}

// A step is what a line says of one.
type step struct {
	what string
	file string
	line int
	more string
}

func (s steps) step(item models.NavItem) step {
	hub := ""
	if item.Hub {
		hub = " (many more behind it)"
	}
	return step{
		what: strings.Repeat(" ", item.Depth) + item.Symbol + " " + item.Edge, file: inRepository(item), line: item.Line,
		more: again(item) + s.via(item) + inTest(item) + stale(item) + hub,
	}
}

// steps names what stands before steps by its id, and counts the definitions that they
// may come from.
type steps struct {
	names       map[string]string
	definitions int
}

// stepsOf names definitions that are called the same by their places, and all by the
// last part of their names where no other one has it.
func stepsOf(r *nav.LineageResponse) steps {
	s := steps{names: map[string]string{}}
	qualified := map[string]int{} // how many definitions
	for _, d := range r.Definitions {
		s.names[d.ID] = d.Qualified
		if !d.Prototype {
			s.definitions++
			qualified[d.Qualified]++
		}
	}
	for _, item := range r.Items {
		if len(item.Path) > 0 {
			s.names[item.Path[len(item.Path)-1]] = item.Symbol
		}
	}
	long := map[string]string{} // names by their last parts, "" of several
	for _, name := range s.names {
		part := lastPart(name)
		if other, ok := long[part]; ok && other != name {
			name = ""
		}
		long[part] = name
	}
	for id, name := range s.names {
		if part := lastPart(name); part != "" && long[part] == name {
			s.names[id] = part
		}
	}
	files := map[string]bool{}
	for _, d := range r.Definitions {
		files[string(d.RepoID)+":"+d.FilePath] = true
	}
	for _, d := range r.Definitions {
		switch {
		case qualified[d.Qualified] < 2:
		case len(files) == 1: // as overloads; their lines tell them apart
			s.names[d.ID] = fmt.Sprintf("%s:%d", lastPart(d.Qualified), d.Line)
		default:
			s.names[d.ID] = d.Place()
		}
	}
	return s
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// via names the step before one, where it is not the only definition: steps come
// by their depth, those of one step not below it.
func (s steps) via(item models.NavItem) string {
	if len(item.Path) < 2 || len(item.Path) == 2 && s.definitions < 2 {
		return ""
	}
	before := item.Path[len(item.Path)-2]
	return " via " + cmp.Or(s.names[before], before[strings.LastIndexByte(before, ':')+1:])
}

// again names the other lines of a step that is at several places.
func again(item models.NavItem) string {
	var lines []string
	for _, s := range item.Sites {
		if s.FilePath == item.FilePath && s.Line != item.Line && !slices.Contains(lines, strconv.Itoa(s.Line)) {
			lines = append(lines, strconv.Itoa(s.Line))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "," + strings.Join(lines, ",")
}

// fewAffected is how many of those that an edit affects are shown of a symbol, if
// so many are not affected directly.
const fewAffected = 20

// impactPage has the changed symbols with who is affected, then how the tests
// are run.
func impactPage(r *nav.ImpactResponse) page {
	p := page{counts: counted(len(r.Items), &r.Meta, "changed symbol") + ", " +
		models.Counted(r.TestsTotal, "test") + " to run"}
	var places trail
	for _, item := range r.Items {
		var text strings.Builder
		fmt.Fprintf(&text, "%s %s %s %s", item.Change, item.Kind, item.Symbol,
			places.at(in(item.RepoID, "", item.FilePath), item.Line))
		if item.Total > 0 {
			fmt.Fprintf(&text, " (%d affected)", item.Total)
		}
		text.WriteString("\n")
		shown := 0
		for _, a := range item.Affected {
			if a.Depth > 1 && shown >= fewAffected {
				break
			}
			shown++
			test := ""
			if a.Test {
				test = " (test)"
			}
			fmt.Fprintf(&text, "%s%s %s %s%s\n", strings.Repeat(" ", a.Depth), a.Symbol, a.Edge,
				places.at(in(a.RepoID, cmp.Or(item.RepoID, a.RepoID), a.FilePath), a.Line), test)
		}
		if more := item.Total - shown; more > 0 {
			fmt.Fprintf(&text, " and %d more (lineage upstream lists them)\n", more)
		}
		p.parts = append(p.parts, text.String())
	}
	for _, line := range r.Commands {
		p.outro += "$ " + line + "\n"
	}
	return p
}

// in is a path, behind its repository unless that is the one that is known.
func in(repo, known models.RepoID, path string) string {
	if repo == "" || repo == known {
		return path
	}
	return string(repo) + ": " + path
}
