package compose

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// MaxLanguages is how many languages a repository's record names.
const MaxLanguages = 8

const (
	maxReadmeContent = maxRepoContent / 2
	filesOfRepo      = 20 // at the root, listed in the content
)

// An Overview is what a repository's summary is made from.
type Overview struct {
	Tree     Tree
	Readme   string // its text without markup, or ""
	Projects []project
}

// Repository makes the repo_summary from README, manifests, languages and the
// top-level folders.
func Repository(o Origin, v Overview) (models.Document, embed.Input) {
	root := v.Tree[RootDir]
	languages := languageShares(root.Below)
	d := models.Document{
		Header: models.Header{
			ID: models.RepoDocID(o.Repo), Type: models.TypeRepo, RepoID: o.Repo,
			Kind: "repository", Language: root.Below.language(),
		},
		Content: v.content(o.Repo, languages), SummarySource: models.SummaryAggregated,
		ChildrenIDs: []models.DocumentID{models.ModuleID(o.Repo, RootDir)},
	}
	d.Text = v.text(o.Repo, languages)
	d.ContentHash = models.HashText(d.Content)
	stamp(&d, o.Commit, o.Now)
	return d, embed.Input{Text: Clip(d.Content, MaxEmbedText), Name: path.Base(string(o.Repo))}
}

func (v Overview) content(repo models.RepoID, languages []string) string {
	var b strings.Builder
	b.WriteString(string(repo) + "\n")
	for _, p := range v.Projects {
		b.WriteString(withNote(p.Name, p.description) + " (" + p.File + ")\n")
	}
	if v.Readme != "" {
		b.WriteString("\n" + Shorten(v.Readme, maxReadmeContent) + "\n")
	}
	root := v.Tree[RootDir]
	if len(languages) > 0 {
		fmt.Fprintf(&b, "\nLanguages: %s\n", strings.Join(languages, ", "))
	}
	fmt.Fprintf(&b, "\n%d files in %d folders\n", root.Below.files, len(v.Tree))
	root.writeList(&b, "Folders", root.subLines(), maxRepoContent*9/10)
	files := root.fileLines()
	root.writeList(&b, "Files", files[:min(len(files), filesOfRepo)], maxRepoContent)
	return Shorten(strings.TrimRight(b.String(), "\n"), maxRepoContent)
}

// text is the words to index: the id's words 4 times, README, manifests,
// languages, and each folder's path with the first line of its summary.
func (v Overview) text(repo models.RepoID, languages []string) string {
	var b strings.Builder
	b.WriteString(times(4, strings.ReplaceAll(string(repo), "/", " ")) + "\n" + Clip(v.Readme, maxSymbolText/2) + "\n")
	for _, p := range v.Projects {
		b.WriteString(p.Name + " " + p.description + "\n")
	}
	b.WriteString(strings.Join(languages, " ") + "\n")
	for _, dir := range slices.Sorted(maps.Keys(v.Tree)) {
		if f := v.Tree[dir]; dir != RootDir && f.Below.vendored < f.Below.files {
			b.WriteString(pathWords(dir+"/") + " " + FirstSentence(f.about()) + "\n")
		}
	}
	return Clip(b.String(), maxSymbolText)
}

// languageShares names the languages of a repository with their share of the
// source in bytes, most first: "Go 93%". Shares below 1% are left out.
func languageShares(t totals) []string {
	names := Languages(t)
	var sum int64
	for _, l := range names {
		sum += t.bytes[l]
	}
	var shares []string
	for _, l := range names[:min(len(names), MaxLanguages)] {
		if percent := (t.bytes[l]*100 + sum/2) / max(1, sum); percent > 0 {
			shares = append(shares, fmt.Sprintf("%s %d%%", l, percent))
		}
	}
	return shares
}

// Languages are those of the source by bytes, most first. Data and prose count
// only where there is nothing else.
func Languages(t totals) []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(t.bytes)), func(l string) bool { return l == "" })
	if code := slices.DeleteFunc(slices.Clone(names), func(l string) bool { return !filekind.IsCode(l) }); len(code) > 0 {
		names = code
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(t.bytes[b], t.bytes[a]) })
	return names
}
