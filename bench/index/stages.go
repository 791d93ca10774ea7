package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// stages is the processor time of each stage, in the order of stageOf.
type stages struct {
	times map[string]time.Duration
	total time.Duration
}

// children is the stage of the processes that are started: nearly all of it is
// the workers' parsing.
const children = "workers"

// stageOf says by the functions of a stack which stage it belongs to; the
// first that matches counts.
var stageOf = []struct{ stage, function string }{
	{"summarise", "run.(*summariser).summarise"},
	{"compact", "embedded.(*Store).Compact"},
	{"list", "run.(*run).list"},
	{"list", "run.(*looker).plan"},
	{"read", "disk.(*Folder).Read"},
	{"parse", "reader.Parser.Parse"},
	{"mask", "redact.Text"},
	{"embed", "embed.(*Static)"},
	{"compose", "compose.File"},
	{"analyse", "index.AnalysisWorker"},
	{"commit", "embedded.(*Store).Apply"},
	{"commit", "internal/store/embedded"},
	{"merge", "scorch.(*Scorch).mergerLoop"},
	{"persist", "scorch.(*Scorch).persisterLoop"},
	{"commit", "index/scorch."},
	{"look", "run.(*looker).look"},
	{"gc", "runtime.gcBgMarkWorker"},
	{"gc", "runtime.bgsweep"},
	{"gc", "runtime.bgscavenge"},
}

// stageNames are the columns of a report, in its order.
var stageNames = []string{
	"list", "read", "mask", "parse", children, "compose", "embed", "look", "analyse", "commit", "persist", "merge",
	"compact", "summarise", "gc", "other",
}

// stagesOf reads a profile through `go tool pprof`.
func stagesOf(ctx context.Context, profile string, ofChildren time.Duration) (stages, error) {
	out, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-traces", profile).Output()
	if err != nil {
		return stages{}, fmt.Errorf("go tool pprof: %w", err)
	}
	s := stages{times: map[string]time.Duration{children: ofChildren}, total: ofChildren}
	var stack []string
	var value time.Duration
	flush := func() {
		s.times[stageOfStack(stack)] += value
		s.total += value
		stack, value = nil, 0
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "-----------+") {
			flush()
			continue
		}
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if d, err := time.ParseDuration(fields[0]); err == nil && len(fields) > 1 {
			value = d
		}
		stack = append(stack, line)
	}
	flush()
	return s, lines.Err()
}

func stageOfStack(stack []string) string {
	for _, s := range stageOf {
		for _, line := range stack {
			if strings.Contains(line, s.function) {
				return s.stage
			}
		}
	}
	return "other"
}
