package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/ragnav/ragnav/internal/index"
)

// Piped, progress is a line every lineEvery, or every lineStep of the files.
const (
	lineEvery = 5 * time.Second
	lineStep  = 0.10
)

// barWidth leaves room beside the bar in a terminal of 80 columns.
const barWidth = 24

// progress shows how a job gets on, on the error stream.
type progress interface {
	show(job index.Job)
	note(message string)
	end()
}

func newProgress(s *session) progress {
	switch {
	case s.quiet:
		return noProgress{}
	case s.screen.progress:
		return &barProgress{screen: s.screen}
	}
	return &lineProgress{screen: s.screen}
}

type noProgress struct{}

func (noProgress) show(index.Job) {}
func (noProgress) note(string)    {}
func (noProgress) end()           {}

// A barProgress is a bar with files a second and the time left.
type barProgress struct {
	screen *screen
	bar    *progressbar.ProgressBar // once the number of files is known
	state  index.JobState
}

func (p *barProgress) show(job index.Job) {
	if job.State != p.state && job.Total == 0 && !job.State.Final() {
		_, _ = fmt.Fprintf(p.screen.err, "%s %s …\n", job.State, p.screen.safe(job.Target))
	}
	p.state = job.State
	if job.Total == 0 {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(job.Total,
			progressbar.OptionSetWriter(p.screen.err), progressbar.OptionShowCount(),
			progressbar.OptionShowIts(), progressbar.OptionSetItsString("files"),
			progressbar.OptionSetPredictTime(true), progressbar.OptionSetWidth(barWidth),
			progressbar.OptionThrottle(jobPoll), progressbar.OptionClearOnFinish())
	}
	state := fmt.Sprintf("%-10s", job.State)
	switch {
	case job.Committed > 0:
		state = fmt.Sprintf("%s %2.0f%%", job.State, 100*job.Committed)
	case job.Pending > 0:
		state = fmt.Sprintf("%s, %s to make", job.State, counted(job.Pending, "vector"))
	}
	p.bar.Describe(p.screen.safe(string(job.RepoID)) + " " + state)
	_ = p.bar.Set(job.Done)
}

func (p *barProgress) note(message string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	p.screen.note("%s", message)
}

func (p *barProgress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// A lineProgress is plain lines: the start, and now and then how far it is.
type lineProgress struct {
	screen *screen
	state  index.JobState
	last   time.Time
	done   float64 // share at the last line, of the files or of committing
}

func (p *lineProgress) show(job index.Job) {
	share := 0.0
	if job.Total > 0 {
		share = float64(job.Done) / float64(job.Total)
	}
	if job.Committed > 0 {
		share = job.Committed
	}
	if p.state != job.State {
		p.done = 0
	}
	due := time.Since(p.last) >= lineEvery || share-p.done >= lineStep
	if job.State.Final() || job.State == p.state && !due {
		return
	}
	p.state, p.last, p.done = job.State, time.Now(), share
	if job.Total == 0 {
		p.screen.note("%s %s", job.State, job.Target)
		return
	}
	if job.Committed > 0 {
		p.screen.note("%s %s: %.0f%%, %.0f s left", job.State, job.Target, 100*job.Committed, job.ETASeconds)
		return
	}
	if job.Summaries > 0 {
		p.screen.note("%s %s: %s written, %s spent", job.State, job.Target, counted(job.Summaries, "summary"), counted(job.SummaryTokens, "token"))
		return
	}
	if job.Pending > 0 {
		p.screen.note("%s %s: words are searched, %s to make, %.0f s left", job.State, job.Target, counted(job.Pending, "vector"), job.ETASeconds)
		return
	}
	p.screen.note("%s %s: %s of %s (%.0f%%), %.0f files/s, %.0f s left",
		job.State, job.Target, thousands(job.Done), counted(job.Total, "file"), 100*share, job.Rate, job.ETASeconds)
}

func (p *lineProgress) note(message string) { p.screen.note("%s", message) }

func (p *lineProgress) end() {}
