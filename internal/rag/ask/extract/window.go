package extract

import "github.com/ragnav/ragnav/internal/fts"

// A window is some lines, from 0, the end exclusive.
type window struct{ start, end int }

// bestWindow is the run of lines that fits and has the most of the weighted
// terms, each counted once; the first of equals, so that lines without any are
// taken from their head; empty when no line fits. fits is monotonic: what is in a run that fits does too.
func bestWindow(weights map[string]float64, lines []string, fits func(start, end int) bool) window {
	seen := map[string]int{}
	add := func(line string, by int) (changed float64) {
		for _, t := range fts.Analyze(line) {
			w, wanted := weights[t]
			if !wanted {
				continue
			}
			if seen[t] == 0 {
				changed += w
			}
			if seen[t] += by; seen[t] == 0 {
				changed -= w
			}
		}
		return changed
	}
	var best window
	score, bestScore, start := 0.0, -1.0, 0
	for end := range lines {
		score += add(lines[end], 1)
		for start < end && !fits(start, end+1) {
			score += add(lines[start], -1)
			start++
		}
		switch {
		case !fits(start, end+1): // not even one line
		case score > bestScore+1e-9:
			best, bestScore = window{start, end + 1}, score
		case start == best.start && end == best.end:
			best.end = end + 1 // as much as fits
		}
	}
	return best
}
