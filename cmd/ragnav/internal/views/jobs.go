package views

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/index"
)

// Jobs shows jobs as a table.
func Jobs(s *term.Screen, resp index.JobsResponse) {
	if len(resp.Items) == 0 {
		return
	}
	rows := [][]string{{"JOB", "STATE", "REPOSITORY", "FILES", "STARTED", "SECONDS", "ERROR"}}
	for _, j := range resp.Items {
		rows = append(rows, []string{
			j.ID, string(j.State), cmp.Or(string(j.RepoID), j.Target), term.Thousands(j.Done) + "/" + term.Thousands(j.Total),
			clock(j.StartedAt), Seconds(j), cmp.Or(term.Text(j.Error), "-"),
		})
	}
	s.Table(rows...)
}

func clock(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// Seconds is a time that a job has taken.
func Seconds(j index.Job) string {
	if j.StartedAt == nil || j.FinishedAt == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", j.FinishedAt.Sub(*j.StartedAt).Seconds())
}
