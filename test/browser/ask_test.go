//go:build browser

package browser

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/llm/llmtest"
)

func TestAsk(t *testing.T) {
	tb := open(t)
	tb.visit("/ask")
	tb.do(chromedp.SendKeys("textarea", "how is the value added tax computed?"), chromedp.Click("#ask button"))
	tb.until(`document.querySelector('.source .code') && location.search.includes('q=')`, "the answer with its sources")
	tb.do(chromedp.Click(".answer .doc a"))
	tb.until(`document.querySelector('.source:target')`, "the source of a mark")
}

// Questions that were asked before, which a script brings, move nothing.
func TestAskedBefore(t *testing.T) {
	tb := open(t)
	tb.visit("/ask?q=how+is+the+value+added+tax+computed%3F&repo=shop")
	tb.until(`document.querySelector('#asked li')`, "the question")
	for _, width := range []int64{360, 1440} {
		tell(tb, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500})
		tb.visit("/ask")
		tb.until(`document.querySelector('#asked li')`, "the question, asked before")
		shift := eval[float64](tb, `new Promise(done => {
			const asked = document.getElementById('asked')
			asked.hidden = true
			requestAnimationFrame(() => setTimeout(() => {
				let sum = 0
				const watch = new PerformanceObserver(list => list.getEntries().forEach(e => { sum += e.value }))
				watch.observe({ type: 'layout-shift' })
				asked.hidden = false
				requestAnimationFrame(() => setTimeout(() => done(sum), 50))
			}, 50))
		})`)
		if shift != 0 {
			t.Errorf("the layout shifts by %.4f at %d", shift, width)
		}
	}
}

// A model's steps show while it works, then its answer as it writes it, and the
// lines that it cites beside it.
func TestAskModel(t *testing.T) {
	searched, read, written := make(chan struct{}), make(chan struct{}), make(chan struct{})
	model := llmtest.New(t,
		llmtest.Turn{Until: searched, Calls: []llm.Call{
			{ID: "a", Name: "search_code", Arguments: `{"query":"value added tax","repo_filter":"shop","level":"symbol"}`},
		}},
		llmtest.Turn{Until: read, Calls: []llm.Call{
			{ID: "b", Name: "get_file", Arguments: `{"repo_id":"shop","file_path":"price/price.go"}`},
		}},
		llmtest.Turn{Until: written, Text: "The tax is 19 % of the amount [shop/price/price.go:3]. " + evil + "\n\n" +
			"`WithTax` adds it [shop/price/price.go:5-8].\nIt is rounded half up"},
	)
	address, stop, err := begin(filepath.Join(t.TempDir(), "data"),
		[]string{"RAGNAV_LLM_URL=" + model.URL, "RAGNAV_LLM_MODEL=scripted"}, filepath.Join(sources, "shop"))
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	tb := openAt(t, address)
	tb.visit("/ask?repo=shop")
	tb.do(chromedp.SendKeys("textarea", "how is the value added tax computed?"), chromedp.Click("#ask button"))
	unanswered := `!document.querySelector('.answer') && !document.querySelector('#live').hidden && `
	steps := `[...document.querySelectorAll('#live .steps li')].map(li => li.textContent).join('|')`

	close(searched)
	tb.until(unanswered+steps+`.includes('search_code')`, "the search, live")
	if text := eval[string](tb, steps); strings.Contains(text, "get_file") || strings.Contains(text, "{") {
		t.Errorf("a step shows before it is taken: %s", text)
	}
	close(read)
	tb.until(unanswered+steps+`.includes('get_file')`, "the file that is read, live")
	tb.until(unanswered+`document.querySelector('#live .text').textContent.includes('adds it')`, "the answer, as it comes")
	close(written)
	tb.until(`document.querySelectorAll('.source .code').length === 2 && `+
		`document.querySelector('.answer .doc').textContent.includes('rounded half up')`, "the answer with its sources")
	tb.do(chromedp.Click(".answer .doc a"))
	tb.until(`document.querySelector('.source:target .code')?.textContent.includes('const rate = 19')`,
		"the lines of a mark")
	if eval[bool](tb, `Boolean(window.hacked) || document.querySelector('.doc img, .doc script') !== null`) {
		t.Error("text of a model is not text")
	}
	beside := eval[bool](tb, `document.querySelector('.answer .doc').getBoundingClientRect().right <= `+
		`document.querySelector('.source:target').getBoundingClientRect().left`)
	if !beside {
		t.Error("the lines are not beside the answer")
	}
}
