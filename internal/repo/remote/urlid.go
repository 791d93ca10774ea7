package remote

import "github.com/ragnav/ragnav/internal/rag/models"

// URLID is the id of what a git URL names, and its folder below the folder of
// clones. What Clone would not take is an error.
func URLID(url string) (models.RepoID, error) {
	if err := checkURL(url); err != nil {
		return "", err
	}
	return idOf(remoteSegments(url)...), nil
}
