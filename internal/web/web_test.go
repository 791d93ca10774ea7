package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// addresses are pages of each kind.
var addresses = []string{
	"/", "/?q=" + url.QueryEscape("what is "+evil) + "&explain=1&repo=a/*", "/?q=bad", "/r/a/b", "/r/a/b/-/dir",
	"/r/a/b/-/dir/",
	"/r/a/b/-/x.go", "/r/a/b/-/x.go?uses=" + url.QueryEscape(evil) + "&at=2&line=2", "/r/a/b/-/README.md",
	"/r/a/b/-/README.md?plain=1", "/r/a/b/-/none",
	"/r/a/b?coverage=skipped", "/r/a/b?map=1", "/ask", "/ask?q=why&repo=a/b", "/ask?q=fail",
	"/ask?about=" + url.QueryEscape(evil), "/jobs", "/status", "/files", "/files?q=x.go", "/lineage?repo=a/b&symbol=A",
	"/impact?repo=a/b",
	"/r/a/b/-/x.go?uses=a&at=3&column=5&line=3",
}

// A page must need nothing that its policy forbids, wherever its text is from.
func TestPagesLiveUnderTheirPolicy(t *testing.T) {
	s, _ := newSite(fewFiles)
	for _, address := range addresses {
		p := open(t, s, address)
		policy := p.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", address, policy)
		}
		if n := p.Body.Len(); n > 100_000 {
			t.Errorf("%s: %d bytes", address, n)
		}
		for d := range p.doc.Descendants() {
			if slices.Contains([]string{"style", "iframe", "object", "embed", "base"}, d.Data) && d.FirstChild != nil {
				t.Errorf("%s has <%s>", address, d.Data)
			}
			for _, a := range d.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
					t.Errorf("%s has %s=%q", address, a.Key, a.Val)
				}
				if (a.Key == "src" || d.Data == "link") && strings.Contains(a.Val, "//") {
					t.Errorf("%s loads %q", address, a.Val)
				}
			}
		}
		for _, script := range p.all("script") {
			if !strings.HasPrefix(attr(script, "src"), "/assets/app.js?v=") {
				t.Errorf("%s has a script %q", address, textOf(script))
			}
		}
		for _, img := range p.all("img") {
			if !strings.HasPrefix(attr(img, "src"), "/assets/") {
				t.Errorf("%s has a picture %q", address, attr(img, "src"))
			}
		}
	}
}

// Each link of a page to the site leads to a page.
func TestLinksLeadToPages(t *testing.T) {
	s, _ := newSite(fewFiles)
	for _, address := range addresses {
		for text, to := range open(t, s, address).links() {
			if !strings.HasPrefix(to, "/") || strings.Contains(to, "p.png") || to == "/openapi.yaml" {
				continue
			}
			if code := open(t, s, to).Code; code != http.StatusOK && to != "/r/a/b/-/none" && code != http.StatusBadRequest {
				t.Errorf("%s: %q leads to %s, status %d", address, text, to, code)
			}
		}
	}
}

func TestAssets(t *testing.T) {
	s, _ := newSite(nil)
	p := open(t, s, "/")
	loaded := []string{attr(p.all("script")[0], "src")}
	for _, link := range p.all("link") {
		loaded = append(loaded, attr(link, "href"))
	}
	for _, path := range loaded {
		w := open(t, s, path)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") == "" {
			t.Errorf("%s: status %d, %q", path, w.Code, w.Header().Get("Content-Type"))
		}
		if strings.HasPrefix(path, "/assets/app.js") && w.Body.Len() > 12_500 {
			t.Errorf("the script has %d bytes", w.Body.Len())
		}
		if got := w.Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("%s: may be kept %q, want for good", path, got)
		}
		if got := open(t, s, path+"0").Header().Get("Cache-Control"); got != "no-cache" {
			t.Errorf("%s of another binary: may be kept %q, want no-cache", path, got)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		r.Header.Set("If-None-Match", w.Header().Get("Etag"))
		again := httptest.NewRecorder()
		if s.ServeHTTP(again, r); again.Code != http.StatusNotModified {
			t.Errorf("%s: status %d for what the browser has, want 304", path, again.Code)
		}
	}
}

func TestSearchPage(t *testing.T) {
	s, f := newSite(fewFiles)
	p := open(t, s, "/?q=a+package+-file:dir/&level=symbol&repo=a/*&lang=go&path=x.go")
	if f.last.Query != "a package -file:dir/" || f.last.Level != models.LevelSymbol || f.last.RepoFilter != "a/*" ||
		f.last.Language != "go" || f.last.PathFilter != "x.go" || !f.last.Explain {
		t.Errorf("the search was %+v", f.last)
	}
	links := p.links()
	for text, want := range map[string]string{
		evil + " func in " + evil + " 1–3": "/r/a/b/-/x.go#L1-L3",
		"uses":                             "/r/a/b/-/x.go?at=1&line=1&uses=" + url.QueryEscape(evil) + "#L1",
		"Symbols 41+":                      "/?lang=go&level=symbol&path=x.go&q=a+package+-file%3Adir%2F&repo=a%2F%2A",
		"lang:go ×":                        "/?level=symbol&path=x.go&q=a+package+-file%3Adir%2F&repo=a%2F%2A",
		"-file:dir/ ×":                     "/?lang=go&level=symbol&path=x.go&q=a+package&repo=a%2F%2A",
		"func 2": "/?lang=go&level=symbol&path=x.go&q=a+package+-file%3Adir%2F+kind%3Afunc" +
			"&repo=a%2F%2A",
		"x.go": "/r/a/b/-/x.go",
		"a/b":  "/r/a/b",
		"1":    "/r/a/b/-/x.go#L1",
	} {
		if links[text] != want {
			t.Errorf("%q leads to %q, want %q", text, links[text], want)
		}
	}
	if n := len(p.all("article")); n != 2 {
		t.Errorf("%d groups, want 2: the hits of a file are together", n)
	}
	if marks := p.all("mark"); len(marks) != 2 || textOf(marks[0]) != "package" {
		t.Errorf("%d marked words", len(marks))
	}
	for _, want := range []string{"weak", "stale", "41+ symbols", "lexical 1.00", "package x"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// Symbols stand apart above other results, however long they take; a page does not
// wait for what other levels have.
func TestSymbolsApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newSite(fewFiles)
		op.Bind(&f.Table, op.Search, func(ctx context.Context, req search.Request) (search.Response, error) {
			resp := search.Response{Level: models.LevelFile, Result: models.OKResult([]models.SearchResult{
				{DocType: models.TypeFile, RepoID: "a/b", FilePath: new("x.go"), Language: "Go"},
			})}
			if req.Level == models.LevelSymbol {
				item := &resp.Items[0]
				item.DocType = models.TypeSymbol
				resp.Level, item.SymbolName, item.StartLine, item.EndLine = req.Level, new("Tax"), new(7), new(9)
			}
			resp.Meta.Total = new(3)
			select {
			case <-ctx.Done():
				return resp, ctx.Err()
			case <-time.After(time.Second):
				return resp, nil
			}
		})
		p := open(t, s, "/?q=how+much")
		if !strings.Contains(p.text, "Defined here") || p.links()["Tax 7–9"] != "/r/a/b/-/x.go#L7-L9" {
			t.Errorf("no symbols apart:\n%s", p.text)
		}
		if strings.Contains(p.text, "Symbols 3") {
			t.Error("the page waited a second for the count of a level")
		}
	})
}

// A mistake is shown at its place, with the text as it was typed.
func TestMistake(t *testing.T) {
	s, _ := newSite(fewFiles)
	for text, want := range map[string]string{"x \"<b>": "\"", "é (a lang:go": "(", "lang:go or": "o"} {
		p := open(t, s, "/?q="+url.QueryEscape(text))
		marks := p.all("mark")
		if p.Code != http.StatusBadRequest || len(marks) != 1 || textOf(marks[0]) != want ||
			attr(p.all("input")[0], "value") != text {
			t.Errorf("%q is shown with status %d, %d marks: %q", text, p.Code, len(marks), p.text)
		}
	}
}

func TestFilePage(t *testing.T) {
	var long strings.Builder
	for n := range 50_000 {
		fmt.Fprintf(&long, "var v%d = \"%s\"\n", n+1, strings.Repeat("x", n%200))
	}
	s, _ := newSite(map[string]string{
		"x.go": long.String(), "wide.go": strings.Repeat("y", 1<<20) + "\n", "empty.go": "",
		"r.md": "x\n",
	})
	seen, next := 0, "/r/a/b/-/x.go"
	for pages := 0; next != "" && pages < 3; pages++ {
		p := open(t, s, next)
		for _, tr := range p.all("tr") {
			seen++
			if want := fmt.Sprintf("L%d", seen); attr(tr, "id") != want {
				t.Fatalf("line %q on %s, want %s", attr(tr, "id"), next, want)
			}
			if want := fmt.Sprintf("%dvar v%d = ", seen, seen); !strings.HasPrefix(textOf(tr), want) {
				t.Fatalf("line %d is %q", seen, textOf(tr))
			}
		}
		next = p.links()["Lines below"]
	}
	if seen < 500 {
		t.Errorf("%d lines on three pages", seen)
	}
	if p := open(t, s, "/r/a/b/-/x.go?line=49000"); !regexp.MustCompile(`id=L49000\b`).MatchString(p.Body.String()) {
		t.Error("a line far below is not on its page")
	}
	if p := open(t, s, "/r/a/b/-/wide.go"); !strings.Contains(p.text, "1,046,576 more bytes") || p.Body.Len() > 100_000 {
		t.Errorf("a line of a megabyte is shown as %d bytes", p.Body.Len())
	}
	if p := open(t, s, "/r/a/b/-/empty.go"); !strings.Contains(p.text, "The file is empty.") {
		t.Error("an empty file is not called so")
	}
}

// The card of a name has what stands there, and a permalink the commit.
func TestDefinitionAndPermalink(t *testing.T) {
	s, _ := newSite(fewFiles)
	p := open(t, s, "/definition?repo=a/b&file=x.go&line=3&column=5")
	if links := p.links(); links[evil] != "/r/a/b/-/x.go#L3" || !strings.Contains(p.text, "from std@go1.26") {
		t.Errorf("what stands there is shown as %q", p.text)
	}
	if p := open(t, s, "/definition?repo=a/b&file=x.go"); p.Code != http.StatusBadRequest {
		t.Errorf("a place without a line: status %d", p.Code)
	}
	link := open(t, s, "/r/a/b/-/x.go?line=2").links()["Permalink"]
	if link != "/r/a/b/-/x.go?commit=0123456789abcdef&line=2" {
		t.Errorf("the permalink is %q", link)
	}
}

// A picture is shown from its own address, where nothing in it may run.
func TestImages(t *testing.T) {
	s, _ := newSite(map[string]string{"a.svg": "<svg onload=alert(1)></svg>\n", "x.go": "package x\n"})
	for file, want := range map[string]struct{ media, content string }{
		"p.PNG": {"image/png", "PNG"},
		"a.svg": {"image/svg+xml", "<svg onload=alert(1)></svg>\n"},
	} {
		p := open(t, s, "/r/a/b/-/"+file)
		pictures := p.all("img")
		if src := attr(pictures[len(pictures)-1], "src"); src != "/r/a/b/-/"+file+"?raw=1" || len(p.all("svg")) > 0 {
			t.Errorf("%s is shown from %q", file, src)
		}
		raw := open(t, s, "/r/a/b/-/"+file+"?raw=1")
		h := raw.Header()
		if h.Get("Content-Type") != want.media || raw.Body.String() != want.content ||
			h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasSuffix(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s is %q with %v", file, raw.Body, h)
		}
	}
	if raw := open(t, s, "/r/a/b/-/x.go?raw=1"); raw.Code != http.StatusBadRequest {
		t.Errorf("a program as a picture: status %d", raw.Code)
	}
}

func TestMarkdownPage(t *testing.T) {
	s, _ := newSite(fewFiles)
	p := open(t, s, "/r/a/b/-/README.md")
	links := p.links()
	for text, want := range map[string]string{
		"go": "/r/a/b/-/x.go#L3", "[p]": "/r/a/b/-/p.png", "up": "", "js": "",
		"Use": "#doc-use", "Source": "/r/a/b/-/README.md?plain=1",
	} {
		if links[text] != want {
			t.Errorf("%q leads to %q, want %q", text, links[text], want)
		}
	}
	if h := p.all("h1"); len(h) != 2 || attr(h[1], "id") != "doc-use" {
		t.Error("the heading has no id of its own")
	}
	if !strings.Contains(p.text, "HTML in this document is not shown") {
		t.Error("it is not said that HTML was left out")
	}
}

func TestAskPage(t *testing.T) {
	s, _ := newSite(fewFiles)
	p := open(t, s, "/ask?q=why")
	links := p.links()
	for text, want := range map[string]string{"x.go:1–2": "/r/a/b/-/x.go#L1-L2", "out": "", "file": ""} {
		if links[text] != want {
			t.Errorf("%q leads to %q, want %q", text, links[text], want)
		}
	}
	if !strings.Contains(p.Body.String(), `so <a href="#doc-source-1">1</a>, not [2]`) ||
		!strings.Contains(p.text, "checked") || !strings.Contains(p.text, "no language model was used") {
		t.Errorf("the answer is shown as %q", p.text)
	}
	stream := open(t, s, "/ask/events?q=why")
	if got := stream.Header().Get("Content-Type"); got != "text/event-stream" ||
		!strings.HasPrefix(stream.Body.String(), "event: done\ndata: \"") {
		t.Errorf("events are %s: %.80s", got, stream.Body)
	}
	if failed := open(t, s, "/ask/events?q="); !strings.Contains(failed.Body.String(), "query is required") {
		t.Errorf("a question without words is answered by %s", failed.Body)
	}
}

func post(t *testing.T, h http.Handler, level access.Level, form string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(access.With(t.Context(), level), http.MethodPost, "/jobs", strings.NewReader(form))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestForms(t *testing.T) {
	s, f := newSite(fewFiles)
	for form, want := range map[string]string{
		"do=index&target=/src/a": "/jobs", "do=index&repo=a/b": "/jobs", "do=remove&repo=a/b": "/",
	} {
		if w := post(t, s, access.Owner, form); w.Code != http.StatusSeeOther || w.Header().Get("Location") != want {
			t.Errorf("%s: status %d, to %q, want %q", form, w.Code, w.Header().Get("Location"), want)
		}
	}
	if len(f.started) != 2 || len(f.removed) != 1 || f.removed[0] != "a/b" {
		t.Errorf("started %+v, removed %v", f.started, f.removed)
	}
	for form, want := range map[string]int{
		"do=cancel&id=j9": http.StatusNotFound, "do=fly": http.StatusBadRequest, "do=remove": http.StatusBadRequest,
		"do=preview&target=/src/a": http.StatusOK,
	} {
		if w := post(t, s, access.Owner, form); w.Code != want {
			t.Errorf("%s: status %d, want %d", form, w.Code, want)
		}
	}
	if w := post(t, s, access.Reader, "do=preview&target=/src/a"); strings.Contains(w.Body.String(), `value="index"`) {
		t.Error("who may only read is offered to index")
	}
}

func TestNoPage(t *testing.T) {
	s, _ := newSite(fewFiles)
	w := httptest.NewRecorder()
	s.NoPage().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/repositories/%3Cb%3E", nil))
	body := w.Body.String()
	if w.Code != http.StatusNotFound || !strings.Contains(body, "/repositories/&lt;b&gt;") || !strings.Contains(body, `href="/"`) {
		t.Errorf("status %d, want 404, with the address and where to go:\n%s", w.Code, body)
	}
}

// The page of a repository tells of each file that changed since when it differs.
func TestChangedSince(t *testing.T) {
	s, _ := newSite(fewFiles)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/r/a/b", nil))
	if !strings.Contains(w.Body.String(), `</code> <time title="2026-01-31 12:00:00 UTC">`) {
		t.Error("no time behind the file that changed")
	}
}

func TestFinder(t *testing.T) {
	s, _ := newSite(map[string]string{
		"x.go": "", "net/http/mux*.go": "", "net/mux/other.go": "",
		"net/http/my_utmost_x.go": "",
	})
	for name, want := range map[string]string{
		"MUX*": "a/b net/http/mux*.go", "n/h/mux": "a/b net/http/mux*.go", "net/mux": "a/b net/http/mux*.go",
		"myx":     "a/b net/http/my_utmost_x.go",
		"m u/oth": "a/b net/mux/other.go", "mux.go": "a/b net/http/mux*.go",
	} {
		found := open(t, s, "/files?repo=a/b&q="+url.QueryEscape(name)).links()
		if found[want] == "" {
			t.Errorf("%q finds %q, want %q", name, found, want)
		}
	}
	if got := open(t, s, "/files?q=x.go").links()["a/b x.go"]; got != "/r/a/b/-/x.go" {
		t.Errorf("the file is at %q", got)
	}
}

func TestLineage(t *testing.T) {
	s, _ := newSite(fewFiles)
	p := open(t, s, "/lineage?repo=a/b&symbol=A")
	at := map[string]string{}
	for _, a := range p.all("a") {
		if box := a.FirstChild; box != nil && box.Data == "rect" {
			at[textOf(box)] += attr(box, "x") + "," + attr(box, "y") + " "
		}
	}
	want := map[string]string{
		"x.go:A": "501,6 ", "x.go:upstream": "251,6 ", "x.go:downstream": "751,6 ",
		evil + ":" + evil: "1,6 1001,6 ",
	}
	if diff := cmp.Diff(want, at); diff != "" {
		t.Errorf("boxes (-want +got):\n%s", diff)
	}
	if n := len(p.all("path")); n != 4+1 {
		t.Errorf("%d paths, want 4 arrows and their tip", n)
	}
	if links := p.links(); links["1"] != "/lineage?depth=1&repo=a%2Fb&symbol=A" || links["2"] != "" {
		t.Errorf("other depths are at %q and %q", links["1"], links["2"])
	}
}

func TestImpact(t *testing.T) {
	s, f := newSite(fewFiles)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/impact",
		strings.NewReader("repo=a/b&diff="+url.QueryEscape(evil+"\r\n")))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	p := page{w, doc, textOf(doc)}
	if f.diff != evil+"\n" {
		t.Errorf("the diff is %q: its ends of lines are those of forms", f.diff)
	}
	if links := p.links(); links[evil] != "/r/a/b/-/x.go#L1" || links["x.go"] != "/r/a/b/-/x.go" {
		t.Errorf("what is affected is at %q", links[evil])
	}
	for _, want := range []string{"removed", "60 symbols affected", "The nearest 1.", "go test " + evil} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestStatusPage(t *testing.T) {
	s, _ := newSite(nil)
	p := open(t, s, "/status")
	for _, want := range []string{"4 requests, 1 error", "20 ms on average, the slowest 50 ms", "degraded"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	var heights []string
	for _, bar := range p.all("rect") {
		heights = append(heights, attr(bar, "height"))
	}
	if want := []string{"20", "5", "20"}; !slices.Equal(heights, want) {
		t.Errorf("bars of %v, want %v: requests, errors, time", heights, want)
	}
}

func TestRepositoryPage(t *testing.T) {
	s, _ := newSite(fewFiles)
	p := open(t, s, "/r/a/b?map=1")
	links := p.links()
	for text, want := range map[string]string{
		"c/low": "/r/c/low", "c/-/high": "/r/c/%2D/high",
		"which and why": "?coverage=skipped", "dir/": "/r/a/b/-/dir/", evil: "/r/a/b/-/x.go#L3", "x.go": "/r/a/b/-/x.go",
	} {
		if links[text] != want {
			t.Errorf("%q leads to %q, want %q", text, links[text], want)
		}
	}
	for _, want := range []string{
		"C 75.0 %", "Go 25.0 %", "1 may hold secrets", "2 changed, 0 new, 0 gone",
		"9 between 7 symbols", "the last run was interrupted",
	} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// The picture of a map has who uses to the left of what it uses, one arrow where
// folders use each other, and none of who stands alone.
func TestModules(t *testing.T) {
	s, _ := newSite(fewFiles)
	p := open(t, s, "/r/a/b?map=1")
	column := map[string]string{}
	for _, a := range p.all("a") {
		if box := a.FirstChild; box != nil && box.Data == "rect" {
			column[attr(a, "href")] = attr(box, "x")
		}
	}
	want := map[string]string{"/r/a/b": "1", "/r/a/b/-/dir/": "251", "/r/a/b/-/dir/low/": "501"}
	if diff := cmp.Diff(want, column); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if n := len(p.all("path")); n != 2+1 {
		t.Errorf("%d paths, want 2 arrows and their tip", n)
	}
	if p := open(t, s, "/r/a/b"); len(p.all("path")) != 0 ||
		p.links()["Where it starts, what is used most, how it hangs together"] != "?map=1" {
		t.Error("a page without a map does not lead to one")
	}
}
