package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// An address of nothing says what of it is not there, and leads to what is.
func TestNothingThere(t *testing.T) {
	s, _ := newSite(fewFiles)
	for address, want := range map[string][]string{
		"/r/a/b/-/none": {`no file &#34;none&#34;`, `<a href="/r/a/b">a/b</a>`, `name="repo" value="a/b"`},
		"/r/a/b/-/dir/bin": {
			`is not text`, `<a href="/r/a/b">a/b</a>`, `<a href="/r/a/b/-/dir/">dir</a>`, `<span>bin</span></h1>`,
			`name="repo" value="a/b"`,
		},
		"/r/nope/-/x":    {`no repository &#34;nope&#34;`},
		"/r/nope/-/x/-/": {`no repository &#34;nope&#34;`},
	} {
		p := open(t, s, address)
		for _, part := range want {
			if !strings.Contains(p.Body.String(), part) {
				t.Errorf("%s: no %s in\n%s", address, part, p.Body)
			}
		}
		if strings.Contains(address, "nope") && strings.Contains(p.Body.String(), `name="repo"`) {
			t.Errorf("%s: searches a repository that is not there", address)
		}
	}
}

// The address of a line that a file no longer has leads to its last lines, and says so.
func TestLineThatIsGone(t *testing.T) {
	s, _ := newSite(map[string]string{"x.go": strings.Repeat("var x = 1\n", 1000), "empty.go": ""})
	for address, want := range map[string]struct{ first, last, says string }{
		"/r/a/b/-/x.go?line=5000":                 {"L990", "L1000", "There is no line 5,000: the file has 1,000 lines."},
		"/r/a/b/-/x.go?line=1005":                 {"L995", "L1000", "There is no line 1,005: the file has 1,000 lines."},
		"/r/a/b/-/x.go?line=1000":                 {"L990", "L1000", ""},
		"/r/a/b/-/x.go?line=":                     {"L1", "L400", ""},
		"/r/a/b/-/x.go?line=9223372036854775807":  {"L1", "L400", ""},
		"/r/a/b/-/x.go?line=99999999999999999999": {"L1", "L400", ""},
		"/r/a/b/-/empty.go?line=30":               {"", "", "There is no line 30: the file has 0 lines."},
	} {
		p := open(t, s, address)
		first, last := "", ""
		if rows := p.all("tr"); len(rows) > 0 {
			first, last = attr(rows[0], "id"), attr(rows[len(rows)-1], "id")
		}
		if p.Code != http.StatusOK || first != want.first || last != want.last {
			t.Errorf("%s: status %d, lines %s to %s, want %s to %s", address, p.Code, first, last, want.first, want.last)
		}
		says := strings.Contains(p.text, "There is no line")
		if says != (want.says != "") || !strings.Contains(p.text, want.says) {
			t.Errorf("%s does not say %q:\n%s", address, want.says, p.text)
		}
	}
}

// That a folder is empty is said once, with the reason.
func TestEmptyFolder(t *testing.T) {
	s, _ := newSite(fewFiles)
	got := open(t, s, "/r/a/b/-/dir/submodule/").Body.String()
	if strings.Count(strings.ToLower(got), "the folder is empty") != 1 || !strings.Contains(got, "not checked out") {
		t.Errorf("not once, with the reason:\n%s", got)
	}
	if strings.Contains(got, "<table") {
		t.Errorf("a list of files without files:\n%s", got)
	}
}

// That nothing reaches a symbol is said once.
func TestNothingReachesIt(t *testing.T) {
	s, f := newSite(fewFiles)
	op.Bind(&f.Table, op.Lineage, func(context.Context, nav.LineageRequest) (nav.LineageResponse, error) {
		resp := nav.LineageResponse{Result: models.OKResult([]models.NavItem{})}
		resp.Meta.Message = new("no callers were found")
		return resp, nil
	})
	p := open(t, s, "/lineage?repo=a/b&symbol=A")
	if strings.Count(p.text, "no callers were found") != 2 || strings.Contains(p.text, "Nothing that was found") {
		t.Errorf("not once on each side:\n%s", p.text)
	}
}

// The tab that is open says as many results as its list does, which goes further than a
// search for one of them.
func TestTabOfTheList(t *testing.T) {
	s, f := newSite(fewFiles)
	op.Bind(&f.Table, op.Search, func(_ context.Context, req search.Request) (search.Response, error) {
		resp := search.Response{Level: models.LevelFile, Result: models.OKResult([]models.SearchResult{
			{DocType: models.TypeFile, RepoID: "a/b", FilePath: new("x.go"), Language: "Go"},
		})}
		resp.Meta.Total, resp.Meta.TotalAtLeast = new(5*(*req.Limit)), true
		return resp, nil
	})
	p := open(t, s, "/?q=how+much")
	if !strings.Contains(p.text, "Files 100+") || !strings.Contains(p.text, "Folders 5+") {
		t.Errorf("the tabs say other counts:\n%s", p.text)
	}
}

// A level without results names those that have some; one result is no plural.
func TestOtherLevelsHaveIt(t *testing.T) {
	s, f := newSite(fewFiles)
	has := map[models.Level]int{models.LevelFile: 1, models.LevelDoc: 12}
	op.Bind(&f.Table, op.Search, func(_ context.Context, req search.Request) (search.Response, error) {
		level := req.Level
		if level == models.LevelAuto {
			level = models.LevelFile
		}
		var items []models.SearchResult
		if has[level] > 0 {
			items = append(items, models.SearchResult{DocType: models.TypeFile, RepoID: "a/b", FilePath: new("x.go")})
		}
		resp := search.Response{Level: level, Result: models.OKResult(items)}
		resp.Meta.Total = new(has[level])
		return resp, nil
	})
	p := open(t, s, "/?q=%22these+words%22&level=symbol")
	for _, want := range []string{"0 symbols", "Other levels have it: Files 1, Documentation 12"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("no %q in\n%s", want, p.text)
		}
	}
	for address, want := range map[string]string{
		"/?q=%22these+words%22": "1 file\n", "/?q=%22these+words%22&level=doc": "12 sections",
	} {
		if p := open(t, s, address); !strings.Contains(p.text, want) || strings.Contains(p.text, "Other levels") {
			t.Errorf("%s: no %q, or other levels, in\n%s", address, want, p.text)
		}
	}
}
