package tool

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/valid"
	"github.com/ragnav/ragnav/internal/view"
)

const repoID = "repo_id"

// The bounds of max_tokens.
const (
	leastTokens = 200
	mostTokens  = 20_000
)

// For is the tool that does a call, or its variant if the call is for that, and the arguments
// without the one that says so.
func (t Tool) For(args json.RawMessage) (Tool, json.RawMessage) {
	v, given := t.variant, map[string]any{}
	if v == nil || json.Unmarshal(args, &given) != nil {
		return t, args
	}
	asked, ok := given[v.name]
	if !ok {
		return t, args
	}
	is, known := lenient(reflect.TypeFor[bool](), asked).(bool)
	if asked != nil && !known { // the tool says what is wrong with it
		return t, args
	}
	delete(given, v.name)
	rest, err := json.Marshal(given)
	if err != nil {
		return t, args
	}
	if !is {
		return t, rest
	}
	does := v.does
	does.name, does.About = t.Name(), t.About
	return does, rest
}

// Request reads the arguments of a call, also by names that are usual elsewhere, into
// a request of the operation, checks it, and tells how many tokens the reply may have. A
// repository that is left out is asked of repository.
func (t Tool) Request(args json.RawMessage, repository func() (models.RepoID, error)) (req any, tokens int, err error) {
	given := map[string]any{}
	if len(args) > 0 && string(args) != "null" {
		if err := json.Unmarshal(args, &given); err != nil {
			return nil, 0, fault.New(fault.InvalidRequest, "the arguments must be a JSON object")
		}
	}
	req = t.Row.NewRequest()
	fields := fieldsOf(reflect.TypeOf(req).Elem())
	names := []string{maxTokens}
	for _, a := range t.args {
		names = append(names, a.name)
	}
	spanOf(given, names)
	byName(given, names)
	for name := range given {
		if !slices.Contains(names, name) {
			return nil, 0, t.unknown(name, names)
		}
	}
	given = leniently(given, fields)
	budget := given[maxTokens]
	if tokens, err = tokensOf(given); err != nil {
		return nil, 0, err
	}
	if f, own := fields[maxTokens]; own && f.Type.Kind() == reflect.Int && budget != nil { // it makes what fits
		given[maxTokens] = tokens
	}
	kin(given)
	if err := defaults(given, names, repository); err != nil {
		return nil, 0, err
	}
	text, err := json.Marshal(given)
	if err != nil {
		return nil, 0, err
	}
	if err := valid.Decode(text, req); err != nil {
		return nil, 0, err
	}
	return req, tokens, valid.Check(req)
}

// otherNames are names that models give an argument, as other tools have them. Those
// that could mean two arguments of a tool are not taken as either.
var otherNames = map[string][]string{
	repoID:        {"repo_filter", "repo", "repository", "repo_name"},
	"repo_filter": {repoID, "repo", "repository", "repo_name"},
	"file_path":   {"path", "file", "filename"},
	"file":        {"file_path", "filename", "path"},
	"path":        {"folder", "directory", "dir"},
	"path_filter": {"path", "glob", "folder"},
	"query":       {"q", "question", "pattern"},
	"symbol":      {"name", "symbol_name"},
	"regexp":      {"regex", "is_regex"},
	"case":        {"case_sensitive"},
	"limit":       {"max_results", "count", "top_k"},
	"max_results": {"limit", "count", "top_k"},
	"start_line":  {"start", "line_start"},
	"end_line":    {"end", "line_end"},
}

// byName has arguments that go by another name go by that of the tool, where one is
// meant that was not given.
func byName(given map[string]any, names []string) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if meant := meantBy(name, names); len(meant) == 1 && given[meant[0]] == nil {
			given[meant[0]] = given[name]
			delete(given, name)
		}
	}
}

// meantBy are the names of a tool's arguments that one which it doesn't have may mean.
func meantBy(name string, names []string) (meant []string) {
	for _, own := range names {
		if own == name {
			return nil
		}
		if slices.Contains(otherNames[own], name) {
			meant = append(meant, own)
		}
	}
	return meant
}

// unknown is the error of an argument that the tool does not have, with the one of
// its names that is meant, if that is known.
func (t Tool) unknown(name string, names []string) error {
	if v := t.variant; v != nil && name == v.name {
		return fault.New(fault.InvalidRequest, "%s must be true or false", name)
	}
	slices.Sort(names)
	meant, with := "", ""
	if t.name != "" {
		with = " like that" // as a variant
	}
	if other := meantBy(name, names); len(other) > 0 {
		meant = ", but " + strings.Join(other, " and ")
	}
	if way := instead[t.Row.About().Tool][name]; way != "" {
		meant = ": " + way
	}
	return fault.New(fault.InvalidRequest, "%s has no argument %.60q%s%s; it has %s", t.Name(), name, with, meant,
		strings.Join(names, ", "))
}

// instead says of arguments that models give a tool, and that it can't have, how what they
// are after is asked for.
var instead = map[string]map[string]string{
	"explore_structure": {"depth": descend, "max_depth": descend, "recursive": descend},
	"impact": {
		"symbol": ofSymbol, "name": ofSymbol, "file": ofSymbol, "file_path": ofSymbol, "path": ofSymbol,
	},
}

const (
	descend  = `pattern "**" lists what is below too`
	ofSymbol = "it is about an edit that was made; lineage upstream is about one that is planned"
)

func tokensOf(given map[string]any) (int, error) {
	v, ok := lenient(reflect.TypeFor[int](), given[maxTokens]).(int64)
	switch {
	case given[maxTokens] == nil:
		v = view.DefaultTokens
	case !ok || v < leastTokens || v > mostTokens:
		return 0, fault.New(fault.InvalidRequest, "%s must be a whole number from %d to %d", maxTokens, leastTokens,
			mostTokens)
	}
	delete(given, maxTokens)
	return int(v), nil
}

// kin has who asks for what implements something get what extends it too: in C#, Kotlin
// and Swift a type names both alike, and is said to extend.
func kin(given map[string]any) {
	var edges []string
	switch asked := given["edges"].(type) {
	case []string:
		edges = asked
	case []any:
		for _, edge := range asked {
			name, _ := edge.(string) // another type is refused later
			edges = append(edges, name)
		}
	}
	if slices.Contains(edges, "implements") && !slices.Contains(edges, "extends") && !slices.Contains(edges, "") {
		given["edges"] = append(edges, "extends")
	}
}

// defaults fills in what a call may leave out: the repository, the direction of lineage,
// and that an outline has all of a file, as who edits it asks next for what is private.
func defaults(given map[string]any, names []string, repository func() (models.RepoID, error)) error {
	for name, value := range map[string]any{"direction": "upstream", "private": true} {
		if given[name] == nil && slices.Contains(names, name) {
			given[name] = value
		}
	}
	if given[repoID] != nil || !slices.Contains(names, repoID) || given["document_id"] != nil {
		return nil
	}
	id, err := repository()
	if err != nil {
		return err
	}
	given[repoID] = id
	return nil
}

// Repository is the only one there is; with none, or several, an error that says so.
func Repository(ctx context.Context, c op.Caller) (models.RepoID, error) {
	known, err := op.Repos.By(ctx, c, repos.Request{Limit: new(10)})
	if err != nil {
		return "", err
	}
	if len(known.Items) == 1 {
		return known.Items[0].RepoID, nil
	}
	var ids []models.RepoID
	for _, r := range known.Items {
		ids = append(ids, r.RepoID)
	}
	if len(ids) == 0 {
		return "", fault.New(fault.RepoNotFound, "no repository is indexed yet; index one with `ragnav index PATH`")
	}
	return "", RepositoryNeeded(ids, known.Meta.Truncated)
}

// RepositoryNeeded is the error of a call that could mean several repositories. There are
// others beside those if more says so.
func RepositoryNeeded(ids []models.RepoID, more bool) error {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	tells := "list_repos tells more"
	if more {
		tells = "and others, which list_repos tells"
	}
	return fault.New(fault.InvalidRequest, "repo_id is required: there are %s; %s", strings.Join(names, ", "), tells)
}
