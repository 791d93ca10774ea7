package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A reply is an envelope, with what differs between two equal ones taken out.
type reply struct {
	Status        string            // OK, FALLBACK or ERROR
	Code, Message string            // of an error
	State         string            // of the repository's index, when the reply names one
	Warnings      map[string]string // code → messages
	Items         []json.RawMessage
	Cursor        string
	text          string // the envelope, normalised
	onDisk        string // the same without what is from the index, for operations that read the disk
}

type envelope struct {
	Meta struct {
		Status   string
		Code     *string `json:"error_code"`
		Message  *string
		Cursor   string `json:"next_cursor"`
		Warnings []struct{ Code, Message string }
		Index    *struct {
			State string `json:"index_state"`
		} `json:"index_status"`
	}
	Items []json.RawMessage
}

// passing are keys whose values belong to the moment, not to the index.
var passing = []string{
	"request_id", "took_ms", "next_cursor", "last_indexed_at", "last_error", "stale_files",
	"uses", "tests", "steps", // of the graph that a case may have built
	"stale_file_count",
}

// ofIndex are keys with which a reply about the disk tells of the index.
var ofIndex = []string{"index_status", "freshness_state", "has_summary", "summary", "warnings"}

func parseReply(data []byte) (reply, error) {
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil || e.Meta.Status == "" {
		return reply{}, fmt.Errorf("no envelope in %q: %w", cut(string(data), 200), err)
	}
	r := reply{Status: e.Meta.Status, Warnings: map[string]string{}, Items: e.Items, Cursor: e.Meta.Cursor}
	if e.Meta.Code != nil {
		r.Code = *e.Meta.Code
	}
	if e.Meta.Message != nil {
		r.Message = *e.Meta.Message
	}
	if e.Meta.Index != nil {
		r.State = e.Meta.Index.State
	}
	for _, w := range e.Meta.Warnings {
		r.Warnings[w.Code] += w.Message + "\n"
	}
	var whole any
	if err := json.Unmarshal(data, &whole); err != nil {
		return r, err
	}
	text, err := json.Marshal(without(whole, passing))
	if err != nil {
		return r, err
	}
	r.text = string(text)
	onDisk, err := json.Marshal(without(whole, ofIndex))
	r.onDisk = string(onDisk)
	return r, err
}

// without is a JSON value without some keys, at all depths.
func without(value any, keys []string) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if slices.Contains(keys, key) {
				delete(v, key)
			} else {
				v[key] = without(inner, keys)
			}
		}
	case []any:
		for i := range v {
			v[i] = without(v[i], keys)
		}
	}
	return value
}

// A document is what of a search result belongs to the index and not to the question.
type document struct{ id, repo, text, freshness string }

func parseItem(item json.RawMessage) (document, error) {
	var name struct {
		ID        string `json:"document_id"`
		Repo      string `json:"repo_id"`
		Freshness string
	}
	if err := json.Unmarshal(item, &name); err != nil {
		return document{}, err
	}
	var value any
	if err := json.Unmarshal(item, &value); err != nil {
		return document{}, err
	}
	text, err := json.Marshal(without(value, append([]string{"score", "freshness", "lines", "weak"}, passing...)))
	return document{id: name.ID, repo: name.Repo, text: string(text), freshness: name.Freshness}, err
}

// A finding is what a judge says of one reply.
type finding struct {
	verdict verdict
	what    string // which operation, and what is wrong
	message string // what the program said
	failed  bool   // it answered nothing
}

// judge compares a reply with those that are true in the states that the index
// may be in. A reply that says what is missing may be a part of one of them.
func judge(op operation, i int, got reply, states []table) finding {
	messages := append([]string{got.Message}, slices.Sorted(maps.Values(got.Warnings))...)
	f := finding{
		verdict: same, what: op.name, message: strings.TrimSpace(strings.Join(messages, "\n")),
		failed: got.Status == "ERROR",
	}
	for _, s := range states {
		if s.replies[i].text == got.text {
			return f
		}
	}
	switch {
	case got.Status == "ERROR":
		f.verdict = judgeError(got)
	case op.name == "repos":
		f.verdict = judgeRepos(i, got, states)
	case tellsMore(got, states[0].replies[i]):
		f.verdict = judgePart(op, i, got, states)
	case len(got.Items) == 0 && !slices.ContainsFunc(states, func(t table) bool { return len(t.replies[i].Items) == 0 }):
		f.verdict = loss
	case strings.HasPrefix(op.name, "search") && asMany(i, got, states) && trueItems(got, states, true):
		f.verdict = ranked
	default:
		f.verdict = lie
	}
	if f.verdict.bad() {
		nearest := slices.MaxFunc(states,
			func(a, b table) int { return common(got.text, a.replies[i].text) - common(got.text, b.replies[i].text) })
		f.what += ": " + difference(got.text, nearest.replies[i].text)
	}
	return f
}

// tellsMore reports whether a reply has a kind of warning that another one has
// not, or one about more repositories or for another reason, or says that the index it
// is from is in a worse state.
func tellsMore(got, than reply) bool {
	if got.State != than.State && got.State != "fresh" {
		return true
	}
	for code, message := range got.Warnings {
		known := than.Warnings[code]
		if known == "" || subjects(message) > subjects(known) {
			return true
		}
		for line := range strings.Lines(message) {
			if !strings.Contains(known, line[max(0, strings.Index(line, ": ")):]) {
				return true
			}
		}
	}
	return false
}

var more = regexp.MustCompile(` and (\d+) more$`)

// subjects is how many repositories warnings are about: "x: …", "x, y and 3 more: …", a
// line each.
func subjects(warnings string) int {
	n := 0
	for line := range strings.Lines(warnings) {
		names, _, _ := strings.Cut(line, ": ")
		n += 1 + strings.Count(names, ", ")
		if m := more.FindStringSubmatch(names); m != nil {
			others, _ := strconv.Atoi(m[1]) // digits
			n += others
		}
	}
	return n
}

// judgeError tells an error that says what is wrong from one that denies what is there.
func judgeError(got reply) verdict {
	switch {
	case strings.Contains(got.Message, "nothing is indexed"), strings.Contains(got.Message, "never indexed"),
		strings.HasSuffix(got.Code, "_NOT_FOUND"):
		return loss
	case strings.HasPrefix(got.Code, "INVALID_"):
		return lie
	case got.Code == "INTERNAL", got.Message == "":
		return mute
	}
	return said
}

// judgePart accepts true documents without those that a warning speaks of.
func judgePart(op operation, i int, got reply, states []table) verdict {
	switch {
	case slices.ContainsFunc(states, func(t table) bool { return t.replies[i].onDisk == got.onDisk }):
		return said
	case len(got.Items) == 0 && !allNamed(states[0].replies[i].Items, got.Warnings):
		return loss
	case op.name == "ask": // it quotes what it found in the files
		return said
	case trueItems(got, states, false):
		return said
	}
	return lie
}

// sameItems reports whether two replies have the same items, to the byte.
func sameItems(a, b reply) bool {
	return slices.EqualFunc(a.Items, b.Items, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) })
}

// allNamed reports whether warnings name the repository of every item.
func allNamed(items []json.RawMessage, warnings map[string]string) bool {
	text := strings.Join(slices.Collect(maps.Values(warnings)), "\n")
	return !slices.ContainsFunc(repositories(items),
		func(repo string) bool { return repo == "" || !strings.Contains(text, repo) })
}

// asMany reports whether a reply has as many items as in one of the states.
func asMany(i int, got reply, states []table) bool {
	return slices.ContainsFunc(states, func(t table) bool { return len(t.replies[i].Items) == len(got.Items) })
}

// trueItems reports whether every item is a document of one of the states,
// unchanged; strictly, also whether it is marked as stale.
func trueItems(got reply, states []table, strictly bool) bool {
	return !slices.ContainsFunc(got.Items, func(item json.RawMessage) bool {
		d, err := parseItem(item)
		return err != nil || d.id == "" || !slices.ContainsFunc(states, func(t table) bool {
			want := t.items[d.id]
			return want.text == d.text && (want.freshness == d.freshness || !strictly)
		})
	})
}

// judgeRepos accepts a list that has all repositories.
func judgeRepos(i int, got reply, states []table) verdict {
	have := repositories(got.Items)
	for _, t := range states {
		if slices.Equal(have, repositories(t.replies[i].Items)) {
			return said
		}
	}
	return loss
}

func repositories(items []json.RawMessage) []string {
	var ids []string
	for _, item := range items {
		if d, err := parseItem(item); err == nil {
			ids = append(ids, d.repo)
		}
	}
	return ids
}

// difference shows where two texts part.
func difference(got, want string) string {
	from := max(0, common(got, want)-60)
	return fmt.Sprintf("got …%s… want …%s…", cut(got[from:], 160), cut(want[min(from, len(want)):], 160))
}

// common is the length of the beginning that two texts have in common.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func cut(s string, n int) string {
	if len(s) > n {
		s = string(bytes.ToValidUTF8([]byte(s[:n]), nil)) + "…"
	}
	return s
}
