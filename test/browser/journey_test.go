//go:build browser

package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// From the first page to the definition of a function that is known only by
// what it does, and what uses it: three interactions.
func TestFromWordsToDefinition(t *testing.T) {
	tb := open(t)
	start := time.Now()
	tb.visit("/")
	tb.do(chromedp.SendKeys("#q", "add the value added tax to an amount"))
	tb.until(`location.search.endsWith('+amount') && [...document.querySelectorAll('.hit')].slice(0, 3).some(h =>
		h.textContent.includes('WithTax') && (h.id = 'wanted'))`, "the function")
	tb.do(chromedp.Click("#wanted a.go"))
	tb.until(`location.hash.startsWith('#L') && document.querySelector('.lines .on')`, "its lines")
	t.Logf("two interactions, %v", time.Since(start).Round(time.Millisecond))
	clickName(tb, "WithTax")
	tb.until(`document.querySelector('#uses .at')?.textContent.includes('rounded half up')`, "what it is")
	tb.until(`[...document.querySelectorAll('#uses h3')].some(h => h.textContent === 'main.go')`, "where it is used")
	tb.until(`document.querySelectorAll('.same').length > 0`, "its other places on the page")
	t.Logf("three, %v", time.Since(start).Round(time.Millisecond))
}

// clickName clicks a name in the lines of a file.
func clickName(tb *tab, name string) {
	tb.t.Helper()
	at := placeOfName(tb, name)
	tb.do(chromedp.MouseClickXY(at[0], at[1]))
}

func placeOfName(tb *tab, name string) []float64 {
	tb.t.Helper()
	at := eval[[]float64](tb, `(() => {
		const walk = document.createTreeWalker(document.querySelector('.lines'), NodeFilter.SHOW_TEXT)
		while (walk.nextNode()) {
			const i = walk.currentNode.data.search(/\b`+name+`\b/)
			if (i < 0 || walk.currentNode.parentNode.className === 'c') continue
			const range = document.createRange()
			range.setStart(walk.currentNode, i); range.setEnd(walk.currentNode, i + 2)
			walk.currentNode.parentNode.scrollIntoView({ block: 'center' })
			const r = range.getBoundingClientRect()
			return [r.x + 2, r.y + r.height / 2]
		}
		return []
	})()`)
	if len(at) != 2 {
		tb.t.Fatalf("%s is not on the page", name)
	}
	return at
}

func TestByKeyboard(t *testing.T) {
	tb := open(t)
	tb.visit("/status")
	tb.press("/")
	tb.until(`document.activeElement.id === 'q'`, "the box with the focus")
	tb.do(chromedp.KeyEvent("WithTax"), chromedp.KeyEvent(kb.Enter))
	tb.until(`document.querySelectorAll('.hit').length > 1`, "results")
	tb.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	tb.press("j", "j", "k")
	tb.until(`document.querySelectorAll('.hit')[0].classList.contains('current')`, "the first result")
	tb.press("o")
	tb.until(`document.querySelector('.lines') && document.readyState === 'complete'`, "its file")
	tb.press("l")
	tb.until(`document.querySelector('#go-line').open`, "the line's dialog")
	tb.press("3")
	tb.do(chromedp.KeyEvent(kb.Enter))
	tb.until(`location.hash === '#L3' && document.getElementById('L3').classList.contains('on')`, "line 3")
	tb.press("t")
	tb.until(`document.querySelector('#find-file').open && document.querySelector('#files input').value === ''`,
		"the finder, empty")
	tb.do(chromedp.KeyEvent("mn.g"))
	tb.until(`document.querySelector('#files a')?.textContent.includes('main.go')`, "the file of those letters")
	tb.do(chromedp.KeyEvent(kb.Enter))
	tb.until(`location.pathname.endsWith('/main.go') && document.querySelector('.lines') && document.readyState === `+
		`'complete'`, "that file")
	tb.press("?")
	tb.until(`document.querySelector('#help').open`, "the keys")
	tb.do(chromedp.KeyEvent(kb.Escape))
	tb.until(`!document.querySelector('#help').open`, "no keys")
	tb.press("y")
	tb.until(`document.getElementById('said').textContent !== ''`, "that the address was copied")
}

// Without JavaScript forms and links do the same.
func TestWithoutJavaScript(t *testing.T) {
	tb := open(t)
	tell(tb, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	tb.visit("/")
	tb.do(chromedp.SendKeys("#q", "add the value added tax"), chromedp.Submit("#q"), chromedp.WaitVisible(".hit a.go"))
	tb.do(chromedp.Click(".hit a.go"), chromedp.WaitVisible(".lines"))
	tb.do(chromedp.Click(".outline a[data-uses]"), chromedp.WaitVisible("#uses"))
	tb.do(chromedp.Click(".crumbs a"), chromedp.WaitVisible("table.files"))
	tb.do(chromedp.Click(`a[href="?coverage=skipped"]`), chromedp.WaitVisible(`//th[text()=".env"]`))
	tb.do(chromedp.Click(`//nav[@class="pages"]/a[text()="Ask"]`),
		chromedp.SendKeys("textarea", "how is the tax computed?"), chromedp.Click("#ask button"),
		chromedp.WaitVisible(".source .code"))
	tb.do(chromedp.Click(`//nav[@class="pages"]/a[text()="Jobs"]`), chromedp.WaitVisible("#jobs"))
}

// Chips edit the query, a mistake is told at its place while it is typed.
func TestQuery(t *testing.T) {
	tb := open(t)
	tb.expected = 400
	tb.visit("/?q=tax")
	tb.do(chromedp.Click(`//aside[@class="filters"]//a[contains(., "Go")]`))
	tb.until(`document.querySelector('.about a.chip')?.textContent.includes('lang:Go') && `+
		`document.getElementById('q').value === 'tax lang:Go'`, "the filter as a chip and in the box")
	tb.do(chromedp.Click(".about a.chip"))
	tb.until(`document.getElementById('q').value === 'tax' && !document.querySelector('.about .chip')`,
		"the query without it")
	tb.do(chromedp.Click(".why summary"))
	tb.until(`document.querySelector('.why[open] rect')`, "why it is here")
	tb.do(chromedp.SendKeys("#q", ` "rounded`))
	tb.until(`document.querySelector('.wrong mark')?.textContent === '"'`, "the place of the mistake")
	tb.do(chromedp.SendKeys("#q", `"`))
	tb.until(`document.querySelector('.hit')`, "results again")
}

// The pointer over a name tells what it is; a name that was typed, too.
func TestHover(t *testing.T) {
	tb := open(t)
	tb.visit("/r/shop/-/main.go")
	at := placeOfName(tb, "WithTax")
	tell(tb, input.DispatchMouseEvent,
		input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseMoved, X: at[0], Y: at[1],
			PointerType: "mouse",
		})
	tb.until(`document.querySelector('#card:popover-open')?.textContent.includes('rounded half up')`, "what it is")
	tell(tb, input.DispatchMouseEvent,
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: 5, Y: 5, PointerType: "mouse"})
	tb.until(`!document.querySelector('#card:popover-open')`, "nothing over the page")
	tb.press("l")
	tb.do(chromedp.KeyEvent("WithTax"), chromedp.KeyEvent(kb.Enter))
	tb.until(`document.querySelector('#uses')?.textContent.includes('price_test.go') && document.activeElement.id === `+
		`'uses'`, "its uses")
	tb.do(chromedp.KeyEvent(kb.Escape))
	tb.until(`!document.querySelector('#uses')`, "no uses any more")
}

func TestOutlineFollows(t *testing.T) {
	tb := open(t)
	tb.visit("/r/odd/-/tall.go")
	tb.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('L300').scrollIntoView()`))
	tb.until(`document.querySelector('.outline a[aria-current]')?.textContent === 'F29'`, "the function that is read")
	tb.until(`(() => { const [at, list] = ['.outline a[aria-current]', '.outline'].map(s => document.querySelector(s).`+
		`getBoundingClientRect())
		return at.top >= list.top && at.bottom <= Math.min(list.bottom, innerHeight) })()`, "its name in the outline")
}

// The uses of a name stand above the outline, wherever the file is scrolled to.
func TestUsesAboveTheOutline(t *testing.T) {
	tb := open(t)
	tb.visit("/r/odd/-/tall.go?uses=F29&at=293")
	for _, at := range []string{"0", ".5", "1"} {
		tb.do(chromedp.Evaluate[chromedp.Void](`scrollTo(0, document.body.scrollHeight * ` + at + `)`))
		apart := eval[bool](tb, `(() => { const [uses, outline] = ['.uses', '.outline'].map(s => document.querySelector(s).`+
			`getBoundingClientRect())
			return uses.bottom <= outline.top && outline.height > 100 && outline.top < innerHeight - 100 })()`)
		if !apart {
			t.Errorf("scrolled to %s the outline is over the uses, or out of sight", at)
		}
	}
}

// A long path is broken between its folders.
func TestLongPath(t *testing.T) {
	tb := open(t)
	tb.visit("/r/odd/-/" + deepFolder + "/x.go")
	if broken := eval[string](tb, `[...document.querySelectorAll('.crumbs a')].find(a => a.getClientRects().length > 1)`+
		`?.textContent ?? ''`); broken != "" {
		t.Errorf("%q is broken", broken)
	}
}

// A permalink stays with the lines that it was made of, and nothing there is told
// of other lines.
func TestPermalink(t *testing.T) {
	tb := open(t)
	tb.visit("/r/kept/-/x.go#L3")
	tb.until(`document.querySelector('#permalink')`, "the commit")
	tb.press("y")
	tb.until(`/commit=[0-9a-f]{40}#L3$/.test(location.href)`, "the address with the commit")
	link := strings.TrimPrefix(tb.where(), site)
	tb.visit("/")
	tb.visit(link)
	tb.until(`document.querySelector('#then')?.textContent.includes('still those of the file')`, "that it is the same")
	name := filepath.Join(sources, "kept", "x.go")
	if err := os.WriteFile(name, []byte("package x\n\n// Kept is new here.\nfunc Kept() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tb.visit("/")
	tb.visit(link)
	tb.until(`document.querySelector('#then')?.textContent.includes('has changed since') && `+
		`document.getElementById('L3').textContent.includes('return kept') && `+
		`document.getElementById('L3').classList.contains('on')`, "the old lines")
	before := eval[string](tb, `document.querySelector('.beside').innerHTML`)
	at := placeOfName(tb, "Kept")
	tb.do(chromedp.MouseClickXY(at[0], at[1]))
	tb.until(`document.querySelectorAll('.lines .same').length === 1`, "the name that was clicked")
	if got := eval[string](tb, `document.querySelector('.beside').innerHTML`); got != before {
		t.Errorf("a click on old lines shows %q", got)
	}
	tb.press("y")
	if now := strings.TrimPrefix(tb.where(), site); now != link {
		t.Errorf("the permalink of a permalink is %s, want %s", now, link)
	}
	tb.do(chromedp.Click("#now"))
	tb.until(`document.getElementById('L3')?.textContent.includes('Kept is new here')`, "the file as it is now")
}

func TestLongFile(t *testing.T) {
	tb := open(t)
	tb.visit("/r/odd/-/long.go#L49000-L49002")
	tb.until(`document.querySelectorAll('.lines .on').length === 3 && `+
		`document.getElementById('L49000').textContent.includes('v49000')`, "the lines")
	if y := eval[float64](tb, `document.getElementById('L49000').getBoundingClientRect().y`); y < 0 || y > 900 {
		t.Errorf("line 49000 is at %v, out of sight", y)
	}
	tb.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('a[rel=next]').scrollIntoView()`))
	tb.until(`document.getElementById('L49500')`, "the lines below, by scrolling")
	tb.press("l")
	tb.do(chromedp.KeyEvent("7"), chromedp.KeyEvent(kb.Enter))
	tb.until(`document.getElementById('L7')?.classList.contains('on') && !document.getElementById('L49500')`,
		"the lines far above")
}

func TestIndexAgainAndRemove(t *testing.T) {
	tb := open(t)
	tb.visit("/r/small07")
	tb.do(chromedp.Click(`button[value=index]`), chromedp.WaitVisible("#jobs"))
	tb.until(`document.querySelector('#jobs tbody tr').textContent.includes('small07') && document.querySelector('#jobs `+
		`tbody tr').textContent.includes('done')`, "the job, done")
	tb.visit("/r/small07")
	tb.do(chromedp.Click(".actions summary"), chromedp.Click(`button[value=remove]`))
	tb.until(`location.pathname === '/' && !document.body.innerText.includes('small07') && `+
		`document.body.innerText.includes('small08')`, "a list without it")
}

// Text of repositories stays text, and nothing is loaded from elsewhere.
func TestHostile(t *testing.T) {
	tb := open(t)
	for _, path := range []string{
		"/?q=" + "Evil+%3Cimg+src%3Dx+onerror%3Dwindow.hacked%3D1%3E", "/?q=%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E",
		"/r/odd", "/r/odd/-/evil.go", "/r/odd/-/evil.md", "/r/odd/-/evil.md?plain=1",
		"/r/shop", "/r/odd/-/%3Cimg%20onerror=1%3E.go", "/r/odd/-/a%20b&c%23d%3Fe%2541.go", "/r/odd/-/%E6%97%A5%E6%9C%AC.py",
		"/r/odd/-/wide.js", "/r/odd/-/evil.svg", "/r/odd/-/empty.go",
		"/ask?q=Evil+function", "/ask?about=%3Cimg%20src=x%20onerror=window.hacked=1%3E", "/files?q=%3Cimg&repo=odd",
	} {
		tb.visit(path)
		if eval[bool](tb, `window.hacked !== undefined || document.querySelectorAll('main script, main img:not(.image `+
			`img), main [onerror], main [onload], main svg[onload], main a[href^="javascript:"], main `+
			`a[href^="data:"]').length > 0`) {
			t.Errorf("%s took text for HTML", path)
		}
		if status := eval[string](tb, `document.querySelector('h1')?.textContent ?? ''`); strings.Contains(status,
			"did not work") {
			t.Errorf("%s: %s", path, eval[string](tb, `document.querySelector('main').innerText`))
		}
	}
}

// While no server answers, what is shown stays, and a note says so; when it is back all goes on.
func TestServerGoesAway(t *testing.T) {
	tb := open(t)
	offline := func(is bool) {
		conditions := &network.Conditions{DownloadThroughput: -1, UploadThroughput: -1, Offline: is}
		tell(tb, network.EmulateNetworkConditionsByRule,
			network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{conditions}})
	}
	tb.visit("/r/shop/-/main.go")
	tb.until(`document.getElementById('lost').hidden`, "nothing of a server that is lost")
	offline(true)
	tb.press("l")
	tb.do(chromedp.KeyEvent("WithTax"), chromedp.KeyEvent(kb.Enter))
	tb.until(`!document.getElementById('lost').hidden && document.querySelector('.lines')`, "the file, and a note")
	offline(false)
	tb.press("l")
	tb.do(chromedp.KeyEvent("WithTax"), chromedp.KeyEvent(kb.Enter))
	tb.until(`document.querySelector('#uses')?.textContent.includes('price_test.go') && `+
		`document.getElementById('lost').hidden`, "its uses, and no note")
	offline(true)
	tb.press("t")
	tb.do(chromedp.KeyEvent("main"))
	tb.until(`!document.getElementById('lost').hidden`, "a note behind the finder")
	offline(false)
	tb.visit("/ask")
	offline(true)
	tb.do(chromedp.SendKeys("textarea", "how is the value added tax computed?"), chromedp.Click("#ask button"))
	tb.until(`!document.getElementById('lost').hidden && document.querySelector('textarea').value`,
		"the question, and a note")
	offline(false)
	tb.do(chromedp.Click("#ask button"))
	tb.until(`document.querySelector('.source .code') && document.getElementById('lost').hidden`, "the answer, and no note")
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.problems = slices.DeleteFunc(tb.problems, func(p string) bool {
		return strings.Contains(p, "INTERNET_DISCONNECTED")
	})
}
