package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// mostUses is the limit that is asked for, the greatest that there is.
const mostUses = 1000

// ask has the program itself say where symbols are used, each picked by the
// file and line of its definition, as a user would.
func ask(ctx context.Context, ragnav, dir string, picked []decl) (*ours, error) {
	o := &ours{uses: map[place][]target{}, outside: map[place]bool{}}
	if out, err := exec.CommandContext(ctx, ragnav, "nav", "build-graph", "-r", dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the graph: %w: %s", err, out)
	}
	for _, d := range picked {
		out, err := exec.CommandContext(ctx, ragnav, "nav", "where-used", "-r", dir, "--json", "-l", strconv.Itoa(mostUses),
			"-s", d.name, "--file", d.at.path, "--line", strconv.Itoa(d.at.line)).Output()
		if err != nil {
			fmt.Printf("refused: %s of %s: %s\n", d.name, d.at, out)
			continue
		}
		var reply struct {
			Meta  struct{ Truncated bool }
			Items []struct {
				File   string `json:"file_path"`
				Line   int
				Column int
				Tier   string
			}
		}
		if err := json.Unmarshal(out, &reply); err != nil {
			return nil, fmt.Errorf("reply about %s: %w", d.name, err)
		}
		if reply.Meta.Truncated {
			fmt.Printf("truncated: %s of %s\n", d.name, d.at)
		}
		for _, i := range reply.Items {
			use := place{i.File, i.Line, i.Column}
			o.uses[use] = append(o.uses[use], target{d.at, tierOf(i.Tier)})
		}
	}
	return o, nil
}

func tierOf(s string) resolve.Tier {
	if s == "" {
		return resolve.Unresolved
	}
	return resolve.Tier(s[0])
}
