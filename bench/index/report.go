package main

import (
	"fmt"
	"io"
	"strings"
)

// report prints the figures as tables of Markdown.
func report(out io.Writer, all []figures) {
	fmt.Fprintln(out, "| tree | load | files | MB | documents | wall | CPU | files/s | MB/s | **MB per CPU-s** | peak "+
		"MB | data MB | second run, wall · CPU | ctags, CPU | × ctags |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, f := range all {
		tags, ratio := "not installed", ""
		if f.tags.cpu > 0 {
			tags = fmt.Sprintf("%.2f s", f.tags.cpu.Seconds())
			ratio = fmt.Sprintf("%.1f", f.first.cpu.Seconds()/f.tags.cpu.Seconds())
		}
		size, wall := mb(f.source.Bytes), f.first.wall.Seconds()
		fmt.Fprintf(out, "| %s | %s | %d | %.1f | %d | %.1f s | %.1f s | %.0f | %.1f | **%.2f** | %.0f | %.1f | %.2f · "+
			"%.2f s | %s | %s |\n",
			f.name, f.load, f.source.Indexed, size, f.source.Documents, wall, f.first.cpu.Seconds(),
			float64(f.source.Indexed)/wall, size/wall,
			size/f.first.cpu.Seconds(), mb(f.first.peak), mb(f.data), f.again.wall.Seconds(), f.again.cpu.Seconds(), tags, ratio)
	}
	fmt.Fprintf(out, "\nShare of the CPU time by stage, in %%:\n\n| tree | s | %s |\n|---|---|%s\n",
		strings.Join(stageNames, " | "), strings.Repeat("---|", len(stageNames)))
	for _, f := range all {
		fmt.Fprintf(out, "| %s | %.1f |", f.name, f.stages.total.Seconds())
		for _, name := range stageNames {
			fmt.Fprintf(out, " %.1f |", 100*f.stages.times[name].Seconds()/f.stages.total.Seconds())
		}
		fmt.Fprintln(out)
	}
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }
