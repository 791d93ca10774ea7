package agent

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// evidence is what tools have shown in a run: the lines of files, with their
// text where it was shown, not only named. It may be used concurrently.
type evidence struct {
	mu    sync.Mutex
	files map[place]map[int]line
	said  strings.Builder // all that tools wrote
}

type place struct {
	repo models.RepoID
	path string
}

type line struct {
	text  string
	shown bool
}

// maxSpan is how many lines a span may have to be remembered, and cited.
const maxSpan = 2000

func newEvidence() *evidence { return &evidence{files: map[place]map[int]line{}} }

// add notes the lines of a reply, of which text is what the model gets to see.
func (e *evidence) add(req any, reply models.Envelope, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.said.WriteString(text)
	switch r := reply.(type) {
	case *filefetch.Response:
		e.addFiles(r.Items, text)
	case *search.Response:
		for _, item := range r.Items {
			if item.FilePath != nil && item.StartLine != nil && item.EndLine != nil {
				e.span(place{item.RepoID, *item.FilePath}, *item.StartLine, *item.EndLine)
			}
		}
	case *outline.Response:
		for _, item := range r.Items {
			e.span(place{r.RepoID, r.FilePath}, item.Line, item.EndLine)
		}
	case *nav.SearchResponse:
		e.addItems(req.(*nav.SearchRequest).RepoID, r.Items)
	case *nav.WhereUsedResponse:
		e.addItems(req.(*nav.WhereUsedRequest).RepoID, r.Items)
		e.addDefinitions(req.(*nav.WhereUsedRequest).RepoID, r.Definitions)
	case *nav.LineageResponse:
		e.addItems(req.(*nav.LineageRequest).RepoID, r.Items)
		e.addDefinitions(req.(*nav.LineageRequest).RepoID, r.Definitions)
	}
}

// addFiles notes the lines whose numbered text is in the view, which may have
// been cut. Lines of a commit that the file no longer has can't be cited.
func (e *evidence) addFiles(items []models.FileContent, view string) {
	for _, item := range items {
		if item.Freshness == models.Stale {
			continue
		}
		n := item.StartLine
		for text := range strings.Lines(item.Code) {
			text = strings.TrimRight(text, "\r\n")
			_, after, found := strings.Cut(view, fmt.Sprintf("\n%d\t%s\n", n, text))
			if !found {
				return
			}
			view = "\n" + after
			e.at(place{item.RepoID, item.FilePath})[n] = line{text, true}
			n++
		}
	}
}

func (e *evidence) addItems(repo models.RepoID, items []models.NavItem) {
	for _, item := range items {
		at := item.Snippet.Location
		e.span(place{repo, at.Path}, at.StartLine, at.EndLine)
		e.span(place{repo, item.FilePath}, item.Line, item.Line)
	}
}

func (e *evidence) addDefinitions(repo models.RepoID, definitions []models.Definition) {
	for _, d := range definitions {
		e.span(place{repo, d.FilePath}, d.Line, d.EndLine)
	}
}

// addCitations notes what the extractive answer quotes.
func (e *evidence) addCitations(citations []models.Citation, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.said.WriteString(text)
	for _, c := range citations {
		e.span(place{c.RepoID, c.FilePath}, c.StartLine, c.EndLine)
	}
}

// span notes lines whose text is not at hand.
func (e *evidence) span(p place, start, end int) {
	if start < 1 || end-start >= maxSpan {
		return
	}
	for lines := e.at(p); start <= end; start++ {
		if _, known := lines[start]; !known {
			lines[start] = line{}
		}
	}
}

func (e *evidence) at(p place) map[int]line {
	if e.files[p] == nil {
		e.files[p] = map[int]line{}
	}
	return e.files[p]
}

// find is the file that a citation names: "repo/path", or the path alone where
// one repository only has shown such a file.
func (e *evidence) find(name string) (place, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var found []place
	for p := range e.files {
		switch name {
		case string(p.repo) + "/" + p.path:
			return p, true
		case p.path:
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return place{}, false
	}
	return found[0], true
}

// check compares lines of a file as they are now with what was shown. The error
// says what is wrong, for users.
func (e *evidence) check(p place, start int, now []string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, text := range now {
		seen := e.files[p][start+i]
		if seen.shown && seen.text != strings.TrimRight(text, "\r\n") {
			return fmt.Errorf("line %d has changed meanwhile", start+i)
		}
	}
	return nil
}

// covers reports whether all lines of a span were shown or named.
func (e *evidence) covers(p place, start, end int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if start < 1 || end < start || end-start >= maxSpan {
		return false
	}
	for n := start; n <= end; n++ {
		if _, known := e.files[p][n]; !known {
			return false
		}
	}
	return true
}

// has reports whether tools have written a text.
func (e *evidence) has(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(e.said.String(), text)
}
