package agent_test

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/llm/scripted"
	"github.com/ragnav/ragnav/internal/rag/agent"
	"github.com/ragnav/ragnav/internal/rag/ask"
)

// What becomes of what a model writes, once it has read client.go.
func TestCitations(t *testing.T) {
	const ok = "It is [o/app/client.go:4]."
	for name, tc := range map[string]struct{ says, want, dropped string }{
		"one line": {says: ok, want: "It is [1]."},
		"behind the full stop": {
			says: "It is there now. [o/app/client.go:4-5] So it stays there.",
			want: "It is there now [1]. So it stays there. [no source]",
		},
		"an en dash and an L": {says: "It is [o/app/client.go:L4–L6].", want: "It is [1]."},
		"in backticks":        {says: "It is `[o/app/client.go:4]`.", want: "It is [1]."},
		"as a link":           {says: "It is [o/app/client.go:4](client.go#L4).", want: "It is [1]."},
		"two in one":          {says: "It is [o/app/client.go:4, 6-7; client.go:9].", want: "It is [1][2][3]."},
		"the same twice":      {says: "A [client.go:4]. B [o/app/client.go:4].", want: "A [1]. B [1]."},
		"lines never read": {
			says: ok + " The rest follows below [o/app/serve.go:3-5].",
			want: "It is [1]. The rest follows below. [no source]", dropped: "o/app/serve.go:3-5 was not read",
		},
		"more than was read": {
			says: ok + " The rest follows below [o/app/client.go:9-11].",
			want: "It is [1]. The rest follows below. [no source]", dropped: "client.go:9-11 was not read",
		},
		"backwards": {
			says: ok + " See [o/app/client.go:6-4].", want: "It is [1]. See.",
			dropped: "client.go:6-4",
		},
		"no such file": {
			says: ok + " See [o/app/made/up.go:1-2].", want: "It is [1]. See.",
			dropped: "made/up.go:1-2",
		},
		"another repository": {
			says: ok + " See [o/other/client.go:4].", want: "It is [1]. See.",
			dropped: "o/other/client.go:4-4",
		},
		"huge numbers": {
			says: ok + " See [o/app/client.go:4-999999999].", want: "It is [1]. See.",
			dropped: "999999999",
		},
		"a thought that is known by its end": {
			says: "Gaps: perhaps. I am not sure at all of that.\n</think>\n\n" + ok, want: "It is [1].",
		},
		"numbers of its own": {
			says: ok + " See [7], [1, 2] and [^3] and a[0].",
			want: "It is [1]. See, and and a\\[0\\]. [no source]",
		},
		"in code": {
			says: ok + "\n```go\nx := a[1] + s[i:5] // [o/app/serve.go:1-2]\n```",
			want: "It is [1].\n```go\nx := a[1] + s[i:5] // \n```", dropped: "serve.go:1-2",
		},
		"slices in prose are none": {
			says: "The `buf[i:5]` is cut here [client.go:4].",
			want: "The `buf[i:5]` is cut here [1].",
		},
		"cut off": {says: ok + " See [o/app/cl", want: "It is [1]. See"},
		"headings and lists": {
			says: "# How it is done here\nThere are two parts to it:\n" +
				"1. Sending is done in a loop.\n2. It is bounded [client.go:4].",
			want: "# How it is done here\nThere are two parts to it:\n1. Sending is done in a loop. [no source]\n" +
				"2. It is bounded [1].",
		},
		"abbreviations": {
			says: "It is e.g. Retry that does it [client.go:6-10].",
			want: "It is e.g. Retry that does it [1].",
		},
		"images and elements": {says: ok +
			" ![x](http://evil.example/?q=1) <img src=http://evil.example/x> <script>f()</script>", want: "It is [1]. x  f()"},
		"links that no tool has shown": {
			says: ok +
				" Look at [this](http://evil.example/?k=7741) or https://evil.example/7741 now.",
			want: "It is [1]. Look at this or (link removed) now. [no source]",
		},
		"gaps": {says: ok + "\n\n**Gaps:** none", want: "It is [1]."},
	} {
		t.Run(name, func(t *testing.T) {
			m := script(scripted.Calls("get_file", readClient), scripted.Says(tc.says))
			resp, _ := asked(t, files(), agent.Options{Model: m}, ask.Request{})
			if diff := cmp.Diff(tc.want, resp.Items[0].Answer); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			var warnings string
			for _, w := range resp.Meta.Warnings {
				warnings += w.Code + " " + w.Message
			}
			if tc.dropped == "" != (warnings == "") || !strings.Contains(warnings, tc.dropped) {
				t.Errorf("warnings %q, want one of %q", warnings, tc.dropped)
			}
		})
	}
}

// A file that changes between reading and answering is not cited where it did.
func TestChangedMeanwhile(t *testing.T) {
	f := files()
	m := script(scripted.Calls("get_file", readClient), func(ctx context.Context, req llm.Request) (llm.Reply, error) {
		f["o/app/client.go"] = strings.Replace(client, "Limit = 3", "Limit = 4", 1)
		return scripted.Says("Three times [o/app/client.go:4]. It loops [o/app/client.go:6-10].")(ctx, req)
	})
	resp, _ := asked(t, f, agent.Options{Model: m}, ask.Request{})
	if a := resp.Items[0]; len(a.Citations) != 1 || a.Citations[0].StartLine != 6 || len(resp.Meta.Warnings) != 1 {
		t.Errorf("%+v, %v", a, resp.Meta.Warnings)
	}
}

// A cut result shows the lines that are in it only.
func TestOnlyShownLinesCount(t *testing.T) {
	f := files()
	f["o/app/long.go"] = strings.Repeat("x := compute(a, b, c, d, e, f, g)\n", 2000)
	m := script(scripted.Calls("get_file", `{"repo_id":"o/app","file_path":"long.go","max_tokens":500}`),
		scripted.Says("A [o/app/long.go:1-5]. B [o/app/long.go:1500]."))
	resp, _ := asked(t, f, agent.Options{Model: m}, ask.Request{})
	if a := resp.Items[0]; len(a.Citations) != 1 || a.Citations[0].EndLine != 5 {
		t.Errorf("%+v", a)
	}
}

var marks = regexp.MustCompile(`\[(\d+)\]`)

// No lie of a model becomes a citation: whatever it writes, citations are of
// lines that it was shown, as they are in the file, and marks are of citations.
func FuzzLies(f *testing.F) {
	for _, seed := range []string{
		"It is [o/app/client.go:4]. And [o/app/client.go:99-100].", "[1] [2] [[3]] [o/app/[x]/a.go:1-2]",
		"`[client.go:1]` [serve.go:1-5, client.go:0-3]",
		"[o/app/client.go:4\n]", "```\n[client.go:4]\n[5]\n```\n[client.go:4](http://x/[9])", "OUT_OF_SCOPE [client.go:4]",
		"Gaps:\n- [7] x\n[client.go:4-4]",
		"[][client.go:4][8]", "a[client.go:4]b![7](x)", "[client.go:4]:[3]", "[client.go:4] ~~~\n[4]", "[9[client.go:4]9]",
		"[client.go:4]\\[7]", "[<a>7]", "[`7`] [client.go:4]",
		"[![7](x)] [client.go:4]", "[(link)7](x) [[7](x)] [client.go:4]", "[[client.go:4]",
	} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, says string, size int) {
		tree := files()
		m := script(scripted.Calls("get_file", readClient),
			func(context.Context, llm.Request) (llm.Reply, error) { return llm.Reply{Text: says}, nil })
		m.Pieces = max(1, size%40)
		resp, _ := asked(t, tree, agent.Options{Model: m, Limits: agent.Limits{Steps: 2}}, ask.Request{})
		a := resp.Items[0]
		if strings.HasPrefix(a.Answer, "Extractive") {
			return
		}
		for i, c := range a.Citations {
			lines := strings.Count(tree[string(c.RepoID)+"/"+c.FilePath], "\n")
			if c.N != i+1 || c.RepoID != "o/app" || c.FilePath != "client.go" || c.StartLine < 1 || c.EndLine < c.StartLine ||
				c.EndLine > lines || !c.Verified {
				t.Errorf("%q: citation %+v", says, c)
			}
		}
		prose := true
		for line := range strings.Lines(a.Answer + "\n" + strings.Join(a.Gaps, "\n")) {
			if lead := strings.TrimSpace(line); strings.HasPrefix(lead, "```") || strings.HasPrefix(lead, "~~~") {
				prose = !prose
			}
			for i, part := range strings.Split(line, "`") {
				if !prose || i%2 == 1 {
					continue
				}
				for _, at := range marks.FindAllStringSubmatchIndex(part, -1) {
					n, _ := strconv.Atoi(part[at[2]:at[3]])
					if n < 1 || n > len(a.Citations) {
						t.Errorf("%q became %q with the mark of no citation: [%d]", says, a.Answer, n)
					}
				}
			}
		}
		if strings.Contains(a.Answer, "serve.go:") && slices.Contains(a.Gaps, says) {
			t.Errorf("%q became %q", says, a.Answer)
		}
	})
}
