package jobs

import "github.com/ragnav/ragnav/internal/rag/models"

// A Spec is what a job is to do, of a target that was checked.
type Spec struct {
	Target string // of a URL with its credentials: not to be shown
	ID     models.RepoID
	Root   string // absolute, without symlinks; of a clone: where it will be
	URL    string // of a clone
	Full   bool
	Named  bool // the request says which id it has

	Update bool     // of a registered folder: see Update
	Paths  []string // that an update is about; none means all

	Summarise bool // by a model, within so many tokens
	Tokens    int

	Graph bool // of the same text is built next: what parsing finds for it is kept

	Reembed bool // no target: all vectors are made again

	Inferred models.RepoID // that the folder suggests; only set where servers share a store
	Secret   bool          // the URL had credentials that this server doesn't know
}

// Shown is the target without its credentials.
func (s Spec) Shown() string {
	if s.URL != "" {
		return s.URL
	}
	return s.Target
}
