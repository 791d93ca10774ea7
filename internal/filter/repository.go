package filter

import (
	"fmt"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const named = 5 // ids in a message

// Repository is the one of all ids that name means: the id itself, or its last
// segments where no other id ends so. It is a fault.InvalidRequest when several
// do, a fault.RepoNotFound that names the nearest when none does.
func Repository(all []models.RepoID, name string) (models.RepoID, error) {
	var found []models.RepoID
	for _, id := range all {
		if string(id) == name {
			return id, nil
		}
		if strings.HasSuffix(string(id), "/"+name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", unknown(all, name)
	case 1:
		return found[0], nil
	}
	return "", fault.New(fault.InvalidRequest, "%q may be %s; give the whole id", name, list(found, " or "))
}

// Repositories are those of all ids that a repo_filter means, in order: all for
// "", those that match a glob, in which "*" stays within a segment and "**" does
// not, or what Repository finds. A glob without a slash is one of the last
// segment.
func Repositories(all []models.RepoID, filter string) ([]models.RepoID, error) {
	if filter == "" {
		return all, nil
	}
	if !strings.ContainsAny(filter, wildcards) {
		id, err := Repository(all, filter)
		return []models.RepoID{id}, err
	}
	if !isPattern(filter) || tooLong(filter) {
		return nil, fault.New(fault.InvalidRequest, "repo_filter %q is not a repository id or a glob such as owner/*", filter)
	}
	expr := globRegexp(filter)
	if !strings.Contains(filter, "/") {
		expr = "(?:.*/)?" + expr
	}
	re, err := anchored(expr)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "repo_filter %q can't be used; try a simpler glob such as owner/*",
			filter)
	}
	var matched []models.RepoID
	for _, id := range all {
		if re.MatchString(string(id)) {
			matched = append(matched, id)
		}
	}
	if len(matched) == 0 {
		return nil, unknown(all, filter)
	}
	return matched, nil
}

// unknown is the error for a name that is no repository's.
func unknown(all []models.RepoID, name string) error {
	name = strings.ToValidUTF8(name, "?")
	if len(all) == 0 {
		return fault.New(fault.RepoNotFound,
			"no repository %q: nothing is indexed yet; index a folder or a git URL with `ragnav index PATH`",
			name)
	}
	if near := nearIDs(all, name); len(near) > 0 {
		return fault.New(fault.RepoNotFound, "no repository matches %q; %s %s", name, models.TheNearest(len(near)),
			list(near, ", "))
	}
	return fault.New(fault.RepoNotFound, "no repository matches %q; known are %s", name, list(all, ", "))
}

// nearIDs are ids that are like a name as a whole, or by their last segments.
func nearIDs(all []models.RepoID, name string) []models.RepoID {
	ids, bases := make([]string, len(all)), make([]string, len(all))
	byBase := map[string][]models.RepoID{}
	for i, id := range all {
		ids[i], bases[i] = string(id), path.Base(string(id))
		byBase[bases[i]] = append(byBase[bases[i]], id)
	}
	var near []models.RepoID
	seen := map[models.RepoID]bool{}
	add := func(id models.RepoID) {
		if !seen[id] {
			seen[id] = true
			near = append(near, id)
		}
	}
	for _, id := range Nearest(name, ids) {
		add(models.RepoID(id))
	}
	for _, base := range Nearest(path.Base(name), bases) {
		for _, id := range byBase[base] {
			add(id)
		}
	}
	return near
}

// list is some ids as text.
func list(ids []models.RepoID, separator string) string {
	var names []string
	for _, id := range ids[:min(len(ids), named)] {
		names = append(names, string(id))
	}
	text := strings.Join(names, separator)
	if more := len(ids) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more (`ragnav repos`)", more)
	}
	return text
}
