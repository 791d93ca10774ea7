package agent

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// A run is the finding of one answer.
type run struct {
	*Service

	req   ask.Request
	found ask.Response // the extractive answer
	on    func(ask.Event)
	plan  ask.Plan
	mark  string // in the fences around data
	repos []models.RepoID

	messages []llm.Message
	tools    []llm.Tool
	desk     *desk // does the calls
	cite     *citer
	usage    models.Usage
	limit    time.Duration
	scale    float64 // the server's count of tokens to ours
	cut      bool    // the server has counted so few that it can't have read all
}

// What is kept of the budget, in tokens.
const (
	answerRoom  = 1500 // for the answer
	longest     = 4000 // of a reply, with what a model thinks before it
	callRoom    = 200  // for calls
	useful      = 800  // for a result that is worth a turn
	leastRoom   = 200  // for any
	mostRoom    = 3000
	historyRoom = 3000
	leastCut    = 3000 // a request of so many tokens can be seen to have been cut
)

func (s *Service) newRun(ctx context.Context, req ask.Request, found ask.Response, on func(ask.Event)) *run {
	r := &run{Service: s, req: req, found: found, on: on, mark: nonce(), scale: 1, limit: s.Time}
	r.plan = ask.Plan{Level: cmp.Or(req.Level, models.LevelAuto), Steps: s.Steps, Calls: s.Calls, Tokens: s.Tokens}
	if r.plan.Level == models.LevelAuto {
		r.plan.Level = intent.Level(req.Query, req.RepoFilter)
	}
	if b := req.Budget; b != nil {
		r.plan.Steps, r.plan.Calls = models.Or(b.MaxSteps, r.plan.Steps), models.Or(b.MaxCalls, r.plan.Calls)
		r.plan.Tokens = min(r.plan.Tokens, models.Or(b.MaxTokens, r.plan.Tokens))
		r.limit = min(r.limit, time.Duration(models.Or(b.MaxSeconds, math.MaxInt32))*time.Second)
	}
	if s.Model == nil {
		r.plan.Steps, r.plan.Calls, r.plan.Tokens = 0, 0, 0
		return r
	}
	r.plan.Model, r.usage.Model = s.Model.Name(), s.Model.Name()
	seen := newEvidence()
	r.cite = newCiter(seen, func(c models.Citation) ([]string, error) { return s.linesOf(ctx, c) })
	r.desk = newDesk(s.Ops, seen, r.plan.Calls)
	return r
}

// answer has the model find and write the answer. What it has written when it
// fails is the answer if there is a checked citation in it.
func (r *run) answer(ctx context.Context) (models.Answer, error) {
	limit := r.limit
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		limit = min(limit, left-min(2*time.Second, left/5)) // the answer must still be sent
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := r.begin(timed)
	if err == nil {
		err = r.loop(timed, limit)
	}
	r.pass(r.cite.end())
	if err != nil && r.cite.shown == 0 {
		return models.Answer{}, err
	}
	if err == nil && len(r.cite.citations) == 0 && !r.cite.outOfScope && len(r.found.Items[0].Citations) > 0 {
		return models.Answer{},
			fault.New(fault.LLMUnavailable, "nothing that the language model wrote could be checked against the files")
	}
	if err != nil {
		r.cite.gaps = append(r.cite.gaps, "the answer breaks off: "+messageOf(err))
	}
	r.pass(r.cite.rest())
	return r.cite.answer(r.found.Items[0], r.usage, r.desk.steps), nil
}

// pass tells a piece of the answer and the citations that are new in it.
func (r *run) pass(text string) {
	for _, c := range r.cite.fresh() {
		r.on(ask.Event{Citation: &c})
	}
	if text != "" {
		r.on(ask.Event{Delta: &ask.Delta{Text: text}})
	}
}

//go:embed prompt.md
var promptText string

var prompt = template.Must(template.New("prompt").Parse(promptText))

// begin writes the first messages: the rules, what was said before, the question
// and what was found without the model.
func (r *run) begin(ctx context.Context) error {
	known, err := op.Repos.By(ctx, r.Ops, repos.Request{Limit: new(1000)})
	if err != nil {
		return err
	}
	for _, item := range known.Items {
		r.repos = append(r.repos, item.RepoID)
	}
	if r.repos, err = filter.Repositories(r.repos, r.req.RepoFilter); err != nil {
		return err
	}
	r.desk.repos, r.desk.filter = r.repos, r.req.RepoFilter
	var rules bytes.Buffer
	err = prompt.Execute(&rules, map[string]any{
		"Level": r.plan.Level, "Steps": r.plan.Steps, "Calls": r.plan.Calls, "Repositories": list(r.repos, 20),
		"Open": r.open(), "Close": r.shut(),
	})
	if err != nil {
		return err
	}
	r.messages = append(r.messages, llm.Message{Role: llm.System, Text: rules.String()})
	r.messages = append(r.messages, history(r.req.History)...)
	first := r.found.Items[0]
	r.cite.seen.addCitations(first.Citations, first.Answer+r.req.Query)
	hint := "A search for its words gave this; it may be beside the point:"
	if first.OutOfScope {
		hint = "A search for its words found nothing alike: it may be out of scope."
	}
	r.messages = append(r.messages, llm.Message{
		Role: llm.User, Text: "Question: " + r.req.Query + "\n\n" + hint + "\n" +
			r.fence("search", clip(first.Answer, mostRoom)),
	})
	for _, t := range r.desk.tools() {
		r.tools = append(r.tools, llm.Tool{Name: t.Name(), About: t.About, Parameters: t.Schema()})
	}
	return nil
}

// loop lets the model call tools until it answers.
func (r *run) loop(ctx context.Context, limit time.Duration) error {
	idle := 0              // turns in a row that brought nothing new
	var slow time.Duration // the slowest turn
	end := time.Now().Add(limit)
	for step := 1; ; step++ {
		hurry := time.Until(end) < max(limit/3, 2*slow)
		last := step >= r.plan.Steps || len(r.tools) == 0 || r.desk.left <= 0 || idle == 2 || hurry || !r.affordable()
		from := time.Now()
		reply, err := r.turn(ctx, last)
		slow = max(slow, time.Since(from))
		if err != nil {
			return err
		}
		if reply.Text != "" && (len(reply.Calls) == 0 || last && r.cite.opened) {
			if r.cite.unfounded() && !last && !r.cite.outOfScope {
				r.cite.forget()
				r.say(reply, "None of your citations is of lines that a tool has shown you in this run. Read what you rely on, "+
					"or answer again with citations [repo_id/path:start-end] of what you have read.")
				idle++
				continue
			}
			if reply.Cut {
				r.cite.gaps = append(r.cite.gaps, "the answer was cut at the model's limit of tokens")
			}
			return nil
		}
		switch {
		case last && len(r.tools) > 0: // not every server keeps a model from calling what it has
			r.tools = nil
			r.cite.forget()
			continue
		case last && len(reply.Calls) == 0:
			return fault.New(fault.LLMUnavailable, "the language model answers with nothing")
		case last:
			return fault.New(fault.LLMUnavailable, "the language model goes on calling tools in place of an answer")
		case len(reply.Calls) == 0:
			r.say(reply, "That was empty. Call a tool, or answer.")
			idle++
			continue
		}
		r.cite.forget()
		if r.calls(ctx, reply) {
			idle = 0
		} else {
			idle++
		}
	}
}

// turn is one reply of the model; its text goes through the checks as it comes.
func (r *run) turn(ctx context.Context, last bool) (llm.Reply, error) {
	req := llm.Request{
		Messages: r.messages, Tools: r.tools, Answer: last,
		MaxTokens: max(answerRoom, min(longest, r.Context-r.size())),
	}
	if last {
		req.Messages = append(slices.Clip(req.Messages),
			llm.Message{Role: llm.User, Text: "Answer now, from what you have read, with citations. Call no more tools."})
	}
	reply, err := r.Model.Chat(ctx, req, func(text string) { r.pass(r.cite.write(text)) })
	u := reply.Usage
	r.usage.PromptTokens += u.Prompt
	r.usage.CompletionTokens += u.Completion
	if size := req.Size(); !u.Estimated && u.Prompt > 0 {
		r.scale = min(1.2, max(0.5, float64(u.Prompt)/float64(size)))
		r.cut = r.cut || size > leastCut && u.Prompt < size*2/5
	}
	if err != nil {
		return reply, err
	}
	r.pass(r.cite.end())
	return reply, ctx.Err()
}

// size is how many tokens the next request has.
func (r *run) size() int {
	return int(r.scale * float64(llm.Request{Messages: r.messages, Tools: r.tools}.Size()))
}

func (r *run) spent() int { return r.usage.PromptTokens + r.usage.CompletionTokens }

// affordable reports whether there are tokens for a turn with calls, results that
// are of use, and the answer behind them.
func (r *run) affordable() bool {
	size := r.size()
	return r.plan.Tokens-r.spent()-2*size-callRoom-answerRoom >= useful && r.Context-size-answerRoom >= useful
}

// room is what each of n results may have: so much that another turn with calls
// can be paid behind them, or else all that the answer leaves.
func (r *run) room(n int) int {
	size := r.size()
	last := r.plan.Tokens - r.spent() - size - answerRoom
	room := (last - size - callRoom - answerRoom) / 2
	if room < useful*n {
		room = last
	}
	return min(mostRoom, min(room, r.Context-size-answerRoom)/n)
}

// calls has the calls of a reply done, and reports whether any was new.
func (r *run) calls(ctx context.Context, reply llm.Reply) bool {
	r.messages = append(r.messages, llm.Message{Role: llm.Assistant, Text: reply.Text, Calls: reply.Calls})
	for _, c := range reply.Calls {
		r.on(ask.Event{ToolCall: &ask.ToolCall{ID: c.ID, Name: c.Name, Arguments: object(c.Arguments)}})
	}
	progress := false
	for i, res := range r.desk.do(ctx, reply.Calls, max(leastRoom, r.room(len(reply.Calls)))) {
		c := reply.Calls[i]
		progress = progress || !res.Cached
		r.on(ask.Event{ToolResult: &res.ToolResult})
		r.messages = append(r.messages, llm.Message{Role: llm.ToolRole, CallID: c.ID, Text: r.fence(c.Name, res.text)})
	}
	return progress
}

// say answers a reply that is not what it should be.
func (r *run) say(reply llm.Reply, text string) {
	if reply.Text != "" {
		r.messages = append(r.messages, llm.Message{Role: llm.Assistant, Text: reply.Text})
	}
	r.messages = append(r.messages, llm.Message{Role: llm.User, Text: text})
}

// object is the arguments of a call as JSON, in a string where they are none.
func object(arguments string) json.RawMessage {
	if json.Valid([]byte(arguments)) {
		return json.RawMessage(arguments)
	}
	text, _ := json.Marshal(arguments) // a string always can
	return text
}

func (r *run) open() string { return "<data " + r.mark + ">" }
func (r *run) shut() string { return "</data " + r.mark + ">" }

// turnMarks are what templates of models mark turns with. Not every server keeps
// those in texts from counting.
var turnMarks = strings.NewReplacer("<|", "< |", "[INST]", "[ INST]", "[/INST]", "[ /INST]", "<start_of_turn>",
	"< start_of_turn>", "<end_of_turn>", "< end_of_turn>")

// fence marks a text as data.
func (r *run) fence(name, text string) string {
	text = turnMarks.Replace(strings.ReplaceAll(text, r.mark, ""))
	return fmt.Sprintf("%s\n%s:\n%s\n%s", r.open(), name, strings.TrimRight(text, "\n"), r.shut())
}

// history is the newest turns that fit.
func history(turns []ask.Message) []llm.Message {
	room, from := historyRoom, len(turns)
	for from > 0 && room >= llm.Tokens(turns[from-1].Content) {
		from--
		room -= llm.Tokens(turns[from].Content)
	}
	var out []llm.Message
	for _, m := range turns[from:] {
		out = append(out, llm.Message{Role: llm.Role(m.Role), Text: m.Content})
	}
	return out
}

func list(ids []models.RepoID, most int) string {
	var names []string
	for _, id := range ids[:min(most, len(ids))] {
		names = append(names, string(id))
	}
	if more := len(ids) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more, which list_repos has", more))
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// clip is the start of a text of so many tokens.
func clip(text string, tokens int) string {
	if len(text) <= 3*tokens {
		return text
	}
	return strings.ToValidUTF8(text[:3*tokens], "") + "… (cut)"
}
