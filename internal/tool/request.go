package tool

import (
	"context"
	"encoding/json"
	"fmt"
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

// Request reads the arguments of a call into a request of the operation, checks
// it, and tells how many tokens the reply may have. A repository that is left
// out is asked of repository.
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

// alike are groups of arguments that mean about the same in different tools, with
// other names that models give them.
var alike = [][]string{
	{repoID, "repo_filter", "repo", "repository"},
	{"file_path", "path", "path_filter", "file", "filename"},
	{"limit", "max_results", "count", "top_k"},
	{"symbol", "query", "name", "symbol_name"},
	{"regexp", "regex"},
	{"commit", "base", "ref"},
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
	for _, group := range alike {
		i := slices.IndexFunc(group, func(other string) bool { return slices.Contains(names, other) })
		if i >= 0 && slices.Contains(group, name) {
			meant = fmt.Sprintf(", but %s", group[i])
		}
	}
	return fault.New(fault.InvalidRequest, "%s has no argument %.60q%s%s; it has %s", t.Name(), name, with, meant,
		strings.Join(names, ", "))
}

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

// defaults fills in the repository, and the direction of lineage, which
// a call may leave out.
func defaults(given map[string]any, names []string, repository func() (models.RepoID, error)) error {
	if given["direction"] == nil && slices.Contains(names, "direction") {
		given["direction"] = "upstream"
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
	var ids []string
	for _, r := range known.Items {
		ids = append(ids, string(r.RepoID))
	}
	if len(ids) == 0 {
		return "", fault.New(fault.RepoNotFound, "no repository is indexed yet; index one with `ragnav index PATH`")
	}
	return "", fault.New(fault.InvalidRequest, "repo_id is required: there are %s; list_repos tells more",
		strings.Join(ids, ", "))
}
