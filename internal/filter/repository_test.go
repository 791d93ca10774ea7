package filter_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var ids = []models.RepoID{"acme/flask", "acme/tools", "golang/go", "go", "local", "other/tools", "x/y/deep"}

func TestRepositories(t *testing.T) {
	for given, want := range map[string][]models.RepoID{
		"": ids, "golang/go": {"golang/go"}, "go": {"go"}, "flask": {"acme/flask"}, "y/deep": {"x/y/deep"},
		"deep":   {"x/y/deep"},
		"acme/*": {"acme/flask", "acme/tools"}, "*": ids, "t*": {"acme/tools", "other/tools"},
		"**/tools":      {"acme/tools", "other/tools"},
		"{flask,local}": {"acme/flask", "local"},
	} {
		got, err := filter.Repositories(ids, given)
		if err != nil {
			t.Errorf("%q: %v", given, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", given, diff)
		}
	}
}

func TestRepositoriesFaults(t *testing.T) {
	for _, test := range []struct {
		given string
		all   []models.RepoID
		code  fault.Code
		says  string
	}{
		{"tools", ids, fault.InvalidRequest, "acme/tools or other/tools"},
		{"falsk", ids, fault.RepoNotFound, "nearest is acme/flask"},
		{"acme/flsk", ids, fault.RepoNotFound, "nearest is acme/flask"},
		{"zzzzzzzz", ids, fault.RepoNotFound, "known are acme/flask, acme/tools, golang/go, go, local and 2 more"},
		{"no*", ids, fault.RepoNotFound, "known are"},
		{"go[", ids, fault.InvalidRequest, "glob"},
		{strings.Repeat("{a,b}", 60), ids, fault.InvalidRequest, "glob"},
		{"x", nil, fault.RepoNotFound, "nothing is indexed yet"},
	} {
		_, err := filter.Repositories(test.all, test.given)
		if fault.CodeOf(err) != test.code || !strings.Contains(fault.MessageOf(err), test.says) {
			t.Errorf("%.20q: %v, want %s that says %q", test.given, err, test.code, test.says)
		}
	}
}
