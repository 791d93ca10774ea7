package compose

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An Origin is what all documents of a run share.
type Origin struct {
	Repo   models.RepoID
	Commit string
	Now    time.Time
}

const namesInNote = 4 // that stand for a summary

// Module makes the module_summary of a folder from its files' records
// and the first lines of the folders in it.
func Module(o Origin, f *folder) (models.Document, embed.Input) {
	about := f.about()
	d := models.Document{
		Header: models.Header{
			ID: models.ModuleID(o.Repo, f.dir), Type: models.TypeModule, RepoID: o.Repo, FilePath: f.dir,
			Kind: "folder", Language: f.Below.language(),
			Test: f.Below.test == f.Below.files, Generated: f.Below.generated == f.Below.files,
			Vendored: f.Below.vendored == f.Below.files,
		},
		Content: f.content(o.Repo, about), SummarySource: models.SummaryAggregated,
		ParentID: models.RepoDocID(o.Repo), ChildrenIDs: f.children(o.Repo),
	}
	name := f.name(o.Repo)
	if f.dir != RootDir {
		d.ParentID = models.ModuleID(o.Repo, path.Dir(f.dir))
	}
	d.Text = f.text(name, about)
	d.ContentHash = models.HashText(d.Content)
	stamp(&d, o.Commit, o.Now)
	return d, embed.Input{Text: Clip(d.Content, MaxEmbedText), Name: name}
}

// name is the folder's own name; the root has the repository's.
func (f *folder) name(repo models.RepoID) string {
	if f.dir == RootDir {
		return path.Base(string(repo))
	}
	return path.Base(f.dir)
}

func (f *folder) children(repo models.RepoID) []models.DocumentID {
	ids := []models.DocumentID{}
	for _, sub := range f.subs {
		ids = append(ids, models.ModuleID(repo, sub.dir))
	}
	for _, r := range f.files {
		ids = append(ids, r.Documents[:min(r.Top, len(r.Documents))]...)
	}
	return ids
}

// about is what the folder is for: the summary of the file whose job it is to
// say so, or of its only source file. That of one file among others tells of
// that file.
func (f *folder) about() string {
	best := ""
	bestRank, others := len(aboutFiles)+2, 0
	for _, r := range f.files {
		if r.Test || r.Generated {
			continue
		}
		rank := aboutRank(r)
		if rank > len(aboutFiles) && (r.Summary != "" || len(r.Exports) > 0) {
			others++
		}
		if r.Summary != "" && (rank < bestRank || rank == bestRank && len(r.Summary) > len(best)) {
			best, bestRank = r.Summary, rank
		}
	}
	if bestRank > len(aboutFiles) && others > 1 {
		return ""
	}
	return best
}

// aboutFiles are the names, without extension, of files that introduce their
// folder, best first.
var aboutFiles = []string{"doc", "__init__", "package-info", "mod", "lib", "readme", "index", "main"}

func aboutRank(r *models.FileRecord) int {
	base := strings.ToLower(BaseName(r.Path))
	if i := slices.Index(aboutFiles, base); i >= 0 {
		return i
	}
	if r.Package != "" && (base == r.Package || strings.HasPrefix(r.Summary, "Package ")) {
		return len(aboutFiles)
	}
	return len(aboutFiles) + 1
}

func (f *folder) content(repo models.RepoID, about string) string {
	var b strings.Builder
	b.WriteString(f.name(repo))
	if f.dir != RootDir {
		b.WriteString(" (" + f.dir + "/)")
	}
	if about != "" {
		b.WriteString(": " + about)
	}
	b.WriteByte('\n')
	f.writeList(&b, "Files", f.fileLines(), MaxModuleContent/2)
	f.writeList(&b, "Folders", f.subLines(), MaxModuleContent*3/4)
	if names := f.exports(); len(names) > 0 {
		b.WriteString("\nExports: " + strings.Join(names, ", ") + "\n")
	}
	return Shorten(strings.TrimRight(b.String(), "\n"), MaxModuleContent)
}

// writeList writes lines under a title until the text has limit bytes.
func (f *folder) writeList(b *strings.Builder, title string, lines []string, limit int) {
	for i, line := range lines {
		if i == 0 {
			b.WriteString("\n" + title + ":\n")
		}
		if b.Len()+len(line) > limit {
			b.WriteString("…\n")
			return
		}
		b.WriteString(line + "\n")
	}
}

// fileLines has a line for each file, tests and generated files last.
func (f *folder) fileLines() []string {
	files := slices.Clone(f.files)
	slices.SortStableFunc(files, func(a, b *models.FileRecord) int {
		return cmp.Compare(Count(a.Test || a.Generated), Count(b.Test || b.Generated))
	})
	lines := make([]string, len(files))
	for i, r := range files {
		lines[i] = withNote(path.Base(r.Path), fileNote(r))
	}
	return lines
}

// fileNote says in a few words what is in a file: its summary, else the first
// names that it exports.
func fileNote(r *models.FileRecord) string {
	if r.Summary != "" {
		return FirstSentence(r.Summary)
	}
	return firstNames(r.Exports)
}

func (f *folder) subLines() []string {
	lines := make([]string, len(f.subs))
	for i, sub := range f.subs {
		note := FirstSentence(sub.about())
		if note == "" {
			note = sub.insides()
		}
		lines[i] = withNote(path.Base(sub.dir)+"/", note)
	}
	return lines
}

// insides names the folders and files in a folder that nobody introduces.
func (f *folder) insides() string {
	var names []string
	for _, sub := range f.subs {
		names = append(names, path.Base(sub.dir)+"/")
	}
	for _, r := range f.files {
		names = append(names, path.Base(r.Path))
	}
	return firstNames(names)
}

// firstNames joins the first few names.
func firstNames(names []string) string {
	list := strings.Join(names[:min(len(names), namesInNote)], ", ")
	if len(names) > namesInNote {
		list += " …"
	}
	return list
}

func withNote(name, note string) string {
	if note == "" {
		return name
	}
	return name + ": " + note
}

// exports are the exported names of the folder's files, those of tests and
// generated files only where there is nothing else.
func (f *folder) exports() []string {
	var own, others []string
	for _, r := range f.files {
		if r.Test || r.Generated {
			others = append(others, r.Exports...)
		} else {
			own = append(own, r.Exports...)
		}
	}
	if len(own) == 0 {
		own = others
	}
	return own
}

// text is the words to index: the folder's name 4 times, then its path, what
// it is for, and the names and summaries in it.
func (f *folder) text(name, about string) string {
	var b strings.Builder
	b.WriteString(times(4, name) + pathWords(f.dir+"/") + "\n" + about + "\n")
	for _, r := range f.files {
		b.WriteString(BaseName(r.Path) + " " + strings.Join(r.Exports, " ") + " " + r.Summary + "\n")
	}
	for _, sub := range f.subs {
		b.WriteString(path.Base(sub.dir) + " " + sub.about() + "\n")
	}
	return Clip(b.String(), maxSymbolText)
}
