package indexing

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/index"
)

// Piped, progress is a line every lineEvery, or every lineStep of the files.
const (
	lineEvery = 5 * time.Second
	lineStep  = 0.10
)

// progress shows how jobs get on that run at the same time, on the error stream.
type progress interface {
	show(jobs ...index.Job)
	doing(what string) // that has no share, until end
	note(message string)
	end()
}

func newProgress(s *cli.Session) progress {
	switch {
	case s.Quiet:
		return noProgress{}
	case s.Screen.Progress:
		return &bars{screen: s.Screen}
	}
	return &lineProgress{screen: s.Screen, of: map[string]lineState{}}
}

type noProgress struct{}

func (noProgress) show(...index.Job) {}
func (noProgress) doing(string)      {}
func (noProgress) note(string)       {}
func (noProgress) end()              {}

// A lineProgress is plain lines: the start, and now and then how far it is.
type lineProgress struct {
	screen *term.Screen
	of     map[string]lineState // by the id of the job
}

// A lineState is what the last line of a job said.
type lineState struct {
	state index.JobState
	at    time.Time
	done  float64 // share of the files, or of committing
}

func (p *lineProgress) show(jobs ...index.Job) {
	for _, job := range jobs {
		p.one(job)
	}
}

func (p *lineProgress) one(job index.Job) {
	share, last := shareOf(job), p.of[job.ID]
	if last.state != job.State {
		last.done = 0
	}
	due := time.Since(last.at) >= lineEvery || share-last.done >= lineStep
	if job.State.Final() || job.State == last.state && !due {
		return
	}
	p.of[job.ID] = lineState{job.State, time.Now(), share}
	what := job.Target
	if job.WaitsFor != "" {
		what += ", behind " + job.WaitsFor
	}
	if job.Total == 0 {
		p.screen.Note("%s %s", job.State, what)
		return
	}
	if job.Committed > 0 {
		p.screen.Note("%s %s: %.0f%%, %.0f s left", job.State, what, 100*job.Committed, job.ETASeconds)
		return
	}
	if job.Summaries > 0 {
		p.screen.Note("%s %s: %s written, %s spent", job.State, what, term.Counted(job.Summaries, "summary"),
			term.Counted(job.SummaryTokens, "token"))
		return
	}
	if job.Pending > 0 {
		p.screen.Note("%s %s: words are searched, %s to make, %.0f s left", job.State, what,
			term.Counted(job.Pending, "vector"), job.ETASeconds)
		return
	}
	p.screen.Note("%s %s: %s of %s (%.0f%%), %s files/s, %.0f s left",
		job.State, what, term.Thousands(job.Done), term.Counted(job.Total, "file"), 100*share,
		term.Thousands(int(math.Round(job.Rate))), job.ETASeconds)
}

func (p *lineProgress) doing(what string) { p.note(what) }

func (p *lineProgress) note(message string) { p.screen.Note("%s", message) }

func (p *lineProgress) end() {}

// bars is a line for each job that runs, drawn again and again: its name, what
// it does, and of that how much, how fast and for how long still, as the job
// itself counts it.
type bars struct {
	screen *term.Screen
	drawn  int // lines above the cursor
}

// The columns of a bar, and of all that stands beside a name.
const (
	barWidth    = 10
	besideNames = 60
)

func (b *bars) show(jobs ...index.Job) {
	width := 0
	for _, job := range jobs {
		width = max(width, term.Columns(nameOf(job)))
	}
	width = min(width, max(12, b.screen.Width-besideNames))
	var text strings.Builder
	b.up(&text)
	b.drawn = 0
	for _, job := range jobs {
		if !job.State.Final() {
			text.WriteString(b.row(job, width) + "\n")
			b.drawn++
		}
	}
	_, _ = fmt.Fprint(b.screen.Err, text.String())
}

// up goes back over what was drawn, and clears it.
func (b *bars) up(text *strings.Builder) {
	if b.drawn > 0 {
		fmt.Fprintf(text, "\x1b[%dA\x1b[J", b.drawn)
	}
}

func (b *bars) doing(what string) {
	b.end()
	b.drawn = 1
	_, _ = fmt.Fprintln(b.screen.Err, b.fit(what+" …"))
}

func (b *bars) note(message string) {
	b.end()
	b.screen.Note("%s", message)
}

func (b *bars) end() {
	var text strings.Builder
	b.up(&text)
	b.drawn = 0
	_, _ = fmt.Fprint(b.screen.Err, text.String())
}

// row is the line of a job, no wider than the terminal: else it would be two.
func (b *bars) row(job index.Job, width int) string {
	line := fmt.Sprintf("%-*s  %-10s", width, ending(nameOf(job), width), job.State)
	if job.Total == 0 {
		return b.fit(strings.TrimRight(line, " ") + " …")
	}
	share := shareOf(job)
	full := int(share * barWidth)
	line += fmt.Sprintf("  %s%s %3.0f%%  %s", strings.Repeat("█", full), strings.Repeat("░", barWidth-full), 100*share,
		amountOf(job))
	if job.ETASeconds >= 1 {
		line += "  " + (time.Duration(job.ETASeconds) * time.Second).String() + " left"
	}
	return b.fit(line)
}

func (b *bars) fit(line string) string {
	return shortened(b.screen.Safe(line), max(20, b.screen.Width-1))
}

// amountOf is what a job has done of how much, and how fast.
func amountOf(job index.Job) string {
	switch {
	case job.Committed > 0:
		return term.Counted(job.Changed, "file")
	case job.Summaries > 0:
		return term.Counted(job.Summaries, "summary")
	case job.Pending > 0:
		return term.Counted(job.Pending, "vector") + " to make"
	}
	amount := fmt.Sprintf("%s/%s", term.Thousands(job.Done), term.Thousands(job.Total))
	if job.Rate > 0 {
		amount += "  " + term.Thousands(int(math.Round(job.Rate))) + "/s"
	}
	return amount
}

// shareOf is how much of its files a job has looked at, or of what it commits.
func shareOf(job index.Job) float64 {
	switch {
	case job.Committed > 0:
		return min(1, job.Committed)
	case job.Total > 0:
		return min(1, float64(job.Done)/float64(job.Total))
	}
	return 0
}

// nameOf is the repository of a job, until that is known its target; of a job that
// waits for another one the target of that, whose progress it shows.
func nameOf(job index.Job) string { return cmp.Or(job.WaitsFor, string(job.RepoID), job.Target) }

// ending is a name of at most so many characters: of a long one its end, which
// tells it from others of the same owner.
func ending(name string, most int) string {
	if runes := []rune(name); len(runes) > most {
		return "…" + string(runes[len(runes)-most+1:])
	}
	return name
}

// shortened is a text of at most so many characters, with its end left out.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
