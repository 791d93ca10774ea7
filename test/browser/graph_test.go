//go:build browser

package browser

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The page of a repository gets its map after it has come: what its folders are
// for, what is used most, and the picture of its folders, which leads to them.
func TestRepository(t *testing.T) {
	tb := open(t)
	tb.visit("/r/shop")
	tb.until(`document.querySelector('.readme h1')?.textContent === 'Shop' && document.querySelector('.facts rect')`,
		"the README and the languages")
	tb.until(`document.querySelector('#map')?.textContent.includes('WithTax') && document.querySelector('#map `+
		`a[href$="/-/main.go"]')`, "what is used most, and where it starts")
	tb.until(`[...document.querySelectorAll('#modules text')].some(e => e.textContent === 'price')`,
		"its folders as a picture")
	tb.do(chromedp.Click(`#modules a[href$="/-/price/"]`))
	tb.until(`location.pathname.endsWith('/-/price/') && `+
		`document.querySelector('table.files')?.textContent.includes('price_test.go')`, "that folder")
}

// Each box of a lineage leads to its own, by mouse and by keyboard; tests stand
// apart.
func TestLineageMoves(t *testing.T) {
	tb := open(t)
	tb.visit("/lineage?repo=shop&symbol=tax")
	tb.until(`document.querySelector('rect.start') && document.querySelector('rect.test')`,
		"the function, and a test of it")
	tb.do(chromedp.Click(`//*[name()="svg"]//*[name()="a"][contains(., "WithTax")][not(contains(., "Test"))]`))
	tb.until(`document.querySelector('rect.start title')?.textContent === 'price/price.go:WithTax'`,
		"its caller in the middle")
	tb.do(chromedp.Evaluate[chromedp.Void](
		`[...document.querySelectorAll('.picture svg a')].find(a => a.textContent.includes('main.go')).focus()`),
		chromedp.KeyEvent(kb.Enter))
	tb.until(`document.querySelector('rect.start title')?.textContent === 'main.go:main'`, "the caller of that")
}

// A diff that is pasted tells the code and the tests that it affects.
func TestImpactOfDiff(t *testing.T) {
	tb := open(t)
	tb.visit("/r/shop")
	tb.do(chromedp.Click(`//a[text()="What an edit breaks"]`), chromedp.WaitVisible("textarea"))
	diff := "diff --git a/price/price.go b/price/price.go\n--- a/price/price.go\n+++ b/price/price.go\n" +
		"@@ -10,2 +10,2 @@\n // tax is the value added tax of an amount.\n" +
		"-func tax(cents int) int { return (cents*rate + 50) / 100 }\n" +
		"+func tax(cents int) int { return (cents*rate + 49) / 100 }\n"
	tb.do(chromedp.SetValue("textarea", diff), chromedp.Click(".ask button"))
	tb.until(`document.querySelector('.steps-of')?.textContent.includes('WithTax') && `+
		`[...document.querySelectorAll('.steps-of h3')].some(h => h.textContent === 'Tests')`, "what it affects, tests apart")
	tb.until(`document.querySelector('pre.shell')?.textContent.includes('go test')`, "the tests to run")
}

// A dry run tells of each file what would be done, and why.
func TestDryRun(t *testing.T) {
	tb := open(t)
	tb.visit("/jobs")
	tb.do(chromedp.SendKeys("input[name=target]", filepath.Join(sources, "shop")), chromedp.Click("button[value=preview]"))
	tb.until(`[...document.querySelectorAll('tr')].some(r => r.textContent.includes('.env') && `+
		`r.textContent.includes('leave out'))`, "the file that is left out")
}

// An id with a dash between slashes leads to its files, as links write it and as
// people type it.
func TestDashInID(t *testing.T) {
	body := fmt.Sprintf(`{"targets": [%q], "repo_id": "a/-/b"}`, filepath.Join(sources, "dashed"))
	reply, err := http.Post(site+"/api/index", "application/json", strings.NewReader(body))
	if err != nil || reply.Body.Close() != nil || reply.StatusCode >= http.StatusBadRequest {
		t.Fatalf("indexing: %v, %v", reply, err)
	}
	tb := open(t)
	tb.visit("/jobs?repo=a/-/b")
	tb.until(`document.querySelector('#jobs .mark')?.textContent === 'done'`, "its index")
	tb.visit("/?q=Dashed")
	tb.do(chromedp.Click(`.hit a.go`))
	tb.until(`document.querySelector('.lines')?.textContent.includes('func Dashed')`, "the file of a result")
	tb.visit("/r/a/-/b/-/x.go")
	tb.until(`document.querySelector('.lines')?.textContent.includes('func Dashed')`, "the file of a typed address")
	tb.do(chromedp.Click(".crumbs a"))
	tb.until(`document.querySelector('table.files')?.textContent.includes('x.go')`, "the repository")
}

// Of fifty repositories each can be found, and a search be narrowed to one.
func TestManyRepositories(t *testing.T) {
	tb := open(t)
	tb.visit("/")
	tb.until(`document.querySelectorAll('table.list tbody tr').length >= 50`, "the list of them")
	tb.visit("/?q=" + url.QueryEscape("Only23 repo:small23"))
	tb.until(`document.querySelector('.hit a.go')?.textContent.includes('Only23') && `+
		`document.querySelectorAll('.results article').length <= 2`, "the one")
}

// Folders of fifty thousand files open at once, and each of them is found, also
// while they are being indexed.
func TestManyFiles(t *testing.T) {
	root, err := wide(sources)
	if err != nil {
		t.Fatal(err)
	}
	tb := open(t)
	tb.visit("/jobs")
	tb.do(chromedp.SendKeys("input[name=target]", root), chromedp.Click("button[value=index]"))
	tb.until(`document.querySelector('#jobs a[href="/r/wide"]')`, "the job")
	tb.visit("/r/wide/-/d499/")
	tb.until(`document.querySelectorAll('table.files tbody tr').length === 100`, "the files of a folder")
	tb.press("t")
	tb.until(`document.querySelector('#find-file').open`, "the finder")
	tb.do(chromedp.KeyEvent("d123/le77"))
	tb.until(`document.querySelector('#files a')?.textContent.includes('d123/file77.txt')`, "one of them")
}

// A job that waits for a server which never answers ends when it is cancelled. Until then
// what it does is shown anew, and what is typed beside it stays.
func TestCancel(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tb := open(t)
	tb.visit("/jobs")
	tb.do(chromedp.SendKeys("input[name=target]", "https://"+l.Addr().String()+"/o/silent.git"),
		chromedp.Click("button[value=index]"))
	row := `[...document.querySelectorAll('#jobs tbody tr')].find(r => r.textContent.includes('silent'))`
	tb.until(row+`?.querySelector('button[value=cancel]')`, "the job, running")
	tb.do(chromedp.SendKeys("input[name=target]", "/typed"), chromedp.Evaluate[chromedp.Void](`one('#jobs tbody').old = true`))
	tb.until(`!one('#jobs tbody').old && document.querySelector('input[name=target]').value === '/typed'`,
		"the jobs anew, and what was typed")
	tb.do(chromedp.Evaluate[chromedp.Void](row + `.querySelector('button[value=cancel]').click()`))
	tb.until(`/cancell?ed/.test(`+row+`?.querySelector('.mark')?.textContent)`, "the job, cancelled")
}

// Whatever takes the focus shows it, and has a name.
func TestFocus(t *testing.T) {
	tb := open(t)
	for _, path := range []string{"/?q=value+added+tax", "/r/shop", "/r/shop/-/price/price.go", "/jobs"} {
		tb.visit(path)
		seen := map[string]bool{}
		for range 25 {
			tb.do(chromedp.KeyEvent(kb.Tab))
			at := eval[[]string](tb, `(() => {
				const e = document.activeElement, style = getComputedStyle(e)
				return [e.tagName + ' ' + (e.ariaLabel || e.textContent || e.placeholder || e.closest('label')?.textContent || '').trim().slice(0, 30), style.outlineStyle]
			})()`)
			if seen[at[0]] = true; !strings.HasPrefix(at[0], "BODY") && at[1] == "none" {
				t.Errorf("%s: %s has the focus and does not show it", path, at[0])
			}
		}
		if len(seen) < 8 {
			t.Errorf("%s: only %d things can be reached by keyboard", path, len(seen))
		}
	}
}
