package main

import (
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/index"
)

func viewJobs(s *screen, resp index.JobsResponse) {
	if len(resp.Items) == 0 {
		return
	}
	rows := [][]string{{"JOB", "STATE", "REPOSITORY", "FILES", "STARTED", "SECONDS", "ERROR"}}
	for _, j := range resp.Items {
		rows = append(rows, []string{
			j.ID, string(j.State), or(string(j.RepoID), j.Target), fmt.Sprintf("%d/%d", j.Done, j.Total),
			clock(j.StartedAt), seconds(j), or(text(j.Error), "-"),
		})
	}
	s.table(rows...)
}

func clock(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

func seconds(j index.Job) string {
	if j.StartedAt == nil || j.FinishedAt == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", j.FinishedAt.Sub(*j.StartedAt).Seconds())
}
