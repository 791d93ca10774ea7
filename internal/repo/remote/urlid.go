package remote

import (
	"fmt"
	"hash/fnv"
	"path"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// URLIDs are the ids that what a git URL names may have, and its folders below
// the folder of clones: the first one that no other URL has. The first is of its
// path, the next says where that is, by the host or the folder around it. What
// Clone would not take is an error.
func URLIDs(url string) ([]models.RepoID, error) {
	if err := checkURL(url); err != nil {
		return nil, err
	}
	u, id := parseURL(url), idOf(remoteSegments(url)...)
	where := u.host
	if u.local() {
		where = path.Base(path.Dir(path.Clean("/" + u.path)))
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(RedactURL(url)))
	return []models.RepoID{
		id, id + "-" + models.RepoID(cleanSegment(where)),
		id + models.RepoID(fmt.Sprintf("-%08x", sum.Sum32())),
	}, nil
}
