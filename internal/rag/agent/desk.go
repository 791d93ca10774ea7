package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
	"github.com/ragnav/ragnav/internal/tool"
	"github.com/ragnav/ragnav/internal/view"
)

// A desk does the calls of a run, within the repositories that the question is
// about, and remembers what they gave.
type desk struct {
	ops    op.Caller
	repos  []models.RepoID // that may be read
	filter string          // of the question
	left   int             // calls
	seen   *evidence
	memory map[string]result
	steps  []models.Step
}

// A result is what a model gets for a call.
type result struct {
	ask.ToolResult

	text string
	step models.Step
}

const atOnce = 4

func newDesk(ops op.Caller, seen *evidence, calls int) *desk {
	return &desk{ops: ops, left: calls, seen: seen, memory: map[string]result{}}
}

// tools are those that a model may call: all but the one that it answers. The
// list of repositories is no secret to those who ask about some only, but none
// of their concern.
func (d *desk) tools() []tool.Tool {
	var out []tool.Tool
	for _, t := range tool.All() {
		if name := t.Row.About().Name; name != op.Ask.Name && (name != op.Repos.Name || d.filter == "") {
			out = append(out, t)
		}
	}
	return out
}

const again = "This call was made before; go on from what it gave: read a span, follow a use, or answer. It gave:\n"

// do does calls side by side; each result has about room tokens. What was called
// before is served from memory.
func (d *desk) do(ctx context.Context, calls []llm.Call, room int) []result {
	results := make([]result, len(calls))
	keys := make([]string, len(calls))
	first := map[string]int{} // of this round, by key
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(atOnce)
	for i, c := range calls {
		keys[i] = key(c)
		_, known := d.memory[keys[i]]
		if _, twice := first[keys[i]]; known || twice {
			continue
		}
		if d.left == 0 {
			results[i] = failed(fault.New(fault.InvalidRequest, "no calls are left; answer from what you have read"))
			continue
		}
		first[keys[i]] = i
		d.left--
		group.Go(func() error { results[i] = d.one(ctx, c, room); return nil })
	}
	if err := group.Wait(); err != nil { // a panic of an operation
		for i := range results {
			if results[i].text == "" {
				results[i] = failed(err)
			}
		}
	}
	for i, c := range calls {
		before, known := d.memory[keys[i]]
		if at, ran := first[keys[i]]; ran && !known && at == i {
			d.memory[keys[i]] = results[i]
			d.steps = append(d.steps, results[i].step)
		} else if known || ran {
			if !known {
				before = results[at]
			}
			results[i] = before
			results[i].Cached, results[i].TookMS, results[i].text = true, 0, again+clip(before.text, room)
		}
		results[i].ID, results[i].Name = c.ID, c.Name
	}
	return results
}

// key is equal for calls that are.
func key(c llm.Call) string {
	var args any
	text := c.Arguments
	if json.Unmarshal([]byte(text), &args) == nil {
		canonical, _ := json.Marshal(args) // what was JSON is
		text = string(canonical)
	}
	return c.Name + " " + text
}

// one does a call. What is wrong with it is a result that says so, to the model.
func (d *desk) one(ctx context.Context, c llm.Call, room int) result {
	start := time.Now()
	var env models.Envelope
	var text string
	err := parallel.Call(func() (err error) {
		env, text, err = d.call(ctx, c, room)
		return err
	})
	res := failed(err)
	if err == nil {
		res = result{text: text}
		res.Items = env.Shown()
	}
	res.Head, _, _ = strings.Cut(res.text, "\n")
	res.TookMS = float64(time.Since(start).Microseconds()) / 1000
	res.step = models.Step{Operation: c.Name, Detail: string(object(c.Arguments)), Items: res.Items}
	return res
}

func failed(err error) result {
	if err == nil {
		return result{}
	}
	res := result{text: fmt.Sprintf("ERROR %s: %s", fault.CodeOf(err), op.MCP.Say(fault.MessageOf(err)))}
	res.Error, res.Head = true, res.text
	return res
}

func (d *desk) call(ctx context.Context, c llm.Call, room int) (models.Envelope, string, error) {
	t, err := d.find(c.Name)
	if err != nil {
		return nil, "", err
	}
	args, err := d.arguments(t, c.Arguments)
	if err != nil {
		return nil, "", err
	}
	t, args = t.For(args)
	req, tokens, err := t.Request(args, func() (models.RepoID, error) { return d.only(ctx) })
	if err != nil {
		return nil, "", err
	}
	env, text, err := view.Do(ctx, d.ops, op.MCP.Row(t.Row), req, min(tokens, max(room, 200)))
	if err != nil {
		return nil, "", err
	}
	if files, ok := env.(*filefetch.Response); ok {
		for _, item := range files.Items {
			if _, err := filter.Repository(d.repos, string(item.RepoID)); err != nil {
				return nil, "", err
			}
		}
	}
	d.seen.add(req, env, text)
	text, _ = redact.Text(text)
	return env, text, nil
}

func (d *desk) find(name string) (tool.Tool, error) {
	var names []string
	for _, t := range d.tools() {
		if t.Name() == name {
			return t, nil
		}
		names = append(names, t.Name())
	}
	return tool.Tool{}, fault.New(fault.InvalidRequest, "there is no tool %.60q; there are %s", name,
		strings.Join(names, ", "))
}

// only is the repository of a call that names none.
func (d *desk) only(ctx context.Context) (models.RepoID, error) {
	if len(d.repos) == 1 {
		return d.repos[0], nil
	}
	return tool.Repository(ctx, d.ops)
}

// arguments are those of a call, held to the repositories of the question, with
// whole ids.
func (d *desk) arguments(t tool.Tool, text string) (json.RawMessage, error) {
	args := map[string]any{}
	if err := json.Unmarshal([]byte(cmp.Or(text, "{}")), &args); err != nil {
		return nil, fault.New(fault.InvalidRequest, "the arguments of %s must be one JSON object", t.Name())
	}
	if id, ok := args["repo_id"].(string); ok {
		whole, err := filter.Repository(d.repos, id)
		if err != nil {
			return nil, err
		}
		args["repo_id"] = whole
	}
	if _, ok := t.Schema()["properties"].(map[string]any)["repo_filter"]; ok && d.filter != "" {
		given, _ := args["repo_filter"].(string)
		args["repo_filter"] = d.filter
		if found, err := filter.Repositories(d.repos, given); err != nil {
			return nil, err
		} else if len(found) == 1 {
			args["repo_filter"] = found[0]
		}
	}
	return json.Marshal(args)
}
