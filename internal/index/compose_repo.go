package index

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

const (
	maxReadmeContent = maxRepoContent / 2
	maxLanguages     = 8
	filesOfRepo      = 20 // at the root, listed in the content
)

// An overview is what a repository's summary is made from.
type overview struct {
	tree     tree
	readme   string // its text without markup, or ""
	projects []project
}

// composeRepo makes the repo_summary from README, manifests, languages and the
// top-level folders.
func composeRepo(o origin, v overview) (models.Document, embed.Input) {
	root := v.tree[rootDir]
	languages := languageShares(root.below)
	d := models.Document{
		Header: models.Header{
			ID: models.RepoDocID(o.repo), Type: models.TypeRepo, RepoID: o.repo,
			Kind: "repository", Language: root.below.language(),
		},
		Content: v.content(o.repo, languages), SummarySource: models.SummaryAggregated,
		ChildrenIDs: []models.DocumentID{models.ModuleID(o.repo, rootDir)},
	}
	d.Text = v.text(o.repo, languages)
	d.ContentHash = models.HashText(d.Content)
	stamp(&d, o.commit, o.now)
	return d, embed.Input{Text: clip(d.Content, maxEmbedText), Name: path.Base(string(o.repo))}
}

func (v overview) content(repo models.RepoID, languages []string) string {
	var b strings.Builder
	b.WriteString(string(repo) + "\n")
	for _, p := range v.projects {
		b.WriteString(withNote(p.name, p.description) + " (" + p.file + ")\n")
	}
	if v.readme != "" {
		b.WriteString("\n" + shorten(v.readme, maxReadmeContent) + "\n")
	}
	root := v.tree[rootDir]
	if len(languages) > 0 {
		fmt.Fprintf(&b, "\nLanguages: %s\n", strings.Join(languages, ", "))
	}
	fmt.Fprintf(&b, "\n%d files in %d folders\n", root.below.files, len(v.tree))
	root.writeList(&b, "Folders", root.subLines(), maxRepoContent*9/10)
	files := root.fileLines()
	root.writeList(&b, "Files", files[:min(len(files), filesOfRepo)], maxRepoContent)
	return shorten(strings.TrimRight(b.String(), "\n"), maxRepoContent)
}

// text is the words to index: the id's words 4 times, README, manifests,
// languages, and each folder's path with the first line of its summary.
func (v overview) text(repo models.RepoID, languages []string) string {
	var b strings.Builder
	b.WriteString(times(4, strings.ReplaceAll(string(repo), "/", " ")) + "\n" + clip(v.readme, maxSymbolText/2) + "\n")
	for _, p := range v.projects {
		b.WriteString(p.name + " " + p.description + "\n")
	}
	b.WriteString(strings.Join(languages, " ") + "\n")
	for _, dir := range slices.Sorted(maps.Keys(v.tree)) {
		if f := v.tree[dir]; dir != rootDir && f.below.vendored < f.below.files {
			b.WriteString(pathWords(dir+"/") + " " + firstSentence(f.about()) + "\n")
		}
	}
	return clip(b.String(), maxSymbolText)
}

// languageShares names the languages of a repository with their share of the
// source in bytes, most first: "Go 93%". Shares below 1% are left out.
func languageShares(t totals) []string {
	names := languages(t)
	var sum int64
	for _, l := range names {
		sum += t.bytes[l]
	}
	var shares []string
	for _, l := range names[:min(len(names), maxLanguages)] {
		if percent := (t.bytes[l]*100 + sum/2) / max(1, sum); percent > 0 {
			shares = append(shares, fmt.Sprintf("%s %d%%", l, percent))
		}
	}
	return shares
}

// languages are those of the source by bytes, most first. Data and prose count
// only where there is nothing else.
func languages(t totals) []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(t.bytes)), func(l string) bool { return l == "" })
	if code := slices.DeleteFunc(slices.Clone(names), func(l string) bool { return !repo.IsCode(l) }); len(code) > 0 {
		names = code
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(t.bytes[b], t.bytes[a]) })
	return names
}
