//go:build browser

package browser

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// pages are those to be looked at, by the names of their pictures.
var pages = map[string]string{
	"home": "/", "search": "/?q=value+added+tax+lang:go", "nothing": "/?q=%22no+such+phrase+anywhere%22",
	"error": "/r/none", "repository": "/r/shop", "folder": "/r/shop/-/price/",
	"file": "/r/shop/-/price/price.go?uses=WithTax&at=6&column=6&line=6#L6-L8", "markdown": "/r/shop/-/README.md",
	"long": "/r/odd/-/long.go?line=20000", "coverage": "/r/shop?coverage=skipped",
	"ask": "/ask", "answer": "/ask?q=how+is+the+value+added+tax+computed%3F&repo=shop", "jobs": "/jobs",
	"status": "/status", "files": "/files?q=price", "mistake": "/?q=tax+%22open",
	"lineage": "/lineage?repo=shop&symbol=tax", "map": "/r/shop?map=1", "impact": "/impact?repo=shop",
	"history": "/jobs?repo=shop", "weak": "/?q=added+sugar&level=symbol", "used": "/r/odd?map=1",
}

const axeVersion = "4.14.1"

// axe is the source of axe-core, which is fetched and never part of the project.
func axe(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "ragnav-ci")
	file := filepath.Join(dir, "axe-core-"+axeVersion+".tgz")
	if _, err := os.Stat(file); err != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("npm", "pack", "--silent", "--pack-destination", dir,
			"axe-core@"+axeVersion).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: axe-core can't be fetched: %v %s", err, out)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(unzipped); ; {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			t.Fatal("axe.min.js is not in the package")
		}
		if err != nil {
			t.Fatal(err)
		}
		if entry.Name == "package/axe.min.js" {
			source, err := io.ReadAll(archive)
			if err != nil {
				t.Fatal(err)
			}
			return string(source)
		}
	}
}

// A violation is what axe finds wrong.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// Every page is accessible, light and dark, fits its window without scrolling
// sideways, does not jump while it loads, and is small.
func TestLooks(t *testing.T) {
	source := axe(t)
	if err := os.MkdirAll("screens", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, path := range pages {
		for _, width := range []int64{360, 768, 1440} {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) { look(t, source, name, path, width) })
		}
	}
}

func layoutShift(tb *tab) float64 {
	return eval[float64](tb, `new Promise(done => {
		let sum = 0
		new PerformanceObserver(list => list.getEntries().forEach(e => { sum += e.value })).observe({ type: 'layout-shift', buffered: true })
		requestAnimationFrame(() => setTimeout(() => done(sum), 0))
	})`)
}

// What has arrived of a page stays where it is when the rest comes.
func TestSlowNetwork(t *testing.T) {
	for _, path := range []string{
		"/r/odd", "/r/odd/-/long.go?line=20000&uses=v20000&at=20000", "/r/shop/-/README.md",
		"/?q=value+added+tax",
	} {
		for _, width := range []int64{360, 1024} {
			tb := open(t)
			tell(tb, emulation.SetDeviceMetricsOverride,
				emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500})
			slow := &network.Conditions{Latency: 10, DownloadThroughput: 120_000, UploadThroughput: 120_000}
			tell(tb, network.EmulateNetworkConditionsByRule,
				network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{slow}})
			tb.visit(path)
			if shift := layoutShift(tb); shift > 0.01 {
				t.Errorf("%s shifts by %.3f at %d", path, shift, width)
			}
		}
	}
}

func look(t *testing.T, source, name, path string, width int64) {
	tb := open(t)
	tb.expected = map[string]int{"error": 404, "mistake": 400}[name]
	tell(tb, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500})
	wear(tb, "light")
	tb.visit(path)
	// A phone's window is as wide as the page makes it, so that innerWidth tells nothing there.
	if wide := eval[int64](tb, `document.documentElement.scrollWidth`); wide > width {
		t.Errorf("the page is %d pixels wider than its window", wide-width)
	}
	if shift := layoutShift(tb); shift > 0.01 {
		t.Errorf("the layout shifts by %.3f", shift)
	}
	// Words are broken at any letter where a cell is narrow: not one letter a line.
	if narrow := eval[string](tb, `[...document.querySelectorAll('.list td, .list th:not(:has(.sr))')]
		.find(c => c.checkVisibility() && c.innerText.trim().length > 4 && c.clientWidth < 40)?.innerText ?? ''`); narrow != "" {
		t.Errorf("a cell of a table is too narrow for its text: %q", narrow)
	}
	if name == "file" && !eval[bool](tb, `(() => { const panel = document.querySelector('.uses')
		return panel.querySelector('li').getBoundingClientRect().bottom <= panel.getBoundingClientRect().bottom })()`) {
		t.Error("the panel of uses shows none")
	}
	const files = `document.querySelector('#jobs td.num').getBoundingClientRect().right`
	if name == "jobs" && eval[float64](tb, files) > float64(width) {
		t.Errorf("how far a job is can't be seen: %v", eval[float64](tb, files))
	}
	size := eval[float64](tb, `performance.getEntriesByType('navigation')[0].decodedBodySize`)
	paint := eval[float64](tb, `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`)
	t.Logf("%.0f bytes, first paint after %.0f ms", size, paint)
	if size > 100_000 {
		t.Errorf("%.0f bytes", size)
	}
	tb.do(chromedp.Evaluate[chromedp.Void](source))
	for _, scheme := range []string{"light", "dark"} {
		wear(tb, scheme)
		picture, err := chromedp.Run(tb, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("screens", fmt.Sprintf("%s-%s-%d.png", name, scheme, width))
		if err := os.WriteFile(file, picture, 0o644); err != nil {
			t.Fatal(err)
		}
		accessible(tb, scheme)
	}
}

// wear has a page be seen by who prefers light or dark.
func wear(tb *tab, scheme string) {
	tell(tb, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// accessible reports what axe finds wrong on a page.
func accessible(tb *tab, scheme string) {
	tb.t.Helper()
	for _, v := range eval[[]violation](tb, `axe.run({ resultTypes: ['violations'] }).then(r => r.violations)`) {
		tb.t.Errorf("axe, %s: %s: %s", scheme, v.ID, v.Help)
		for i, n := range v.Nodes {
			if i < 3 {
				tb.t.Errorf("  %s\n%s", n.HTML, n.Summary)
			}
		}
	}
}
