package searchsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// maxWindow is the server's bleveMaxResultWindow.
const maxWindow = 10_000

// A request is a search as it was sent, read strictly.
type request struct {
	Query       json.RawMessage   `json:"query"`
	KNN         []json.RawMessage `json:"knn"`
	KNNOperator string            `json:"knn_operator"`
	Size        *int              `json:"size"`
	Limit       *int              `json:"limit"`
	From        *int              `json:"from"`
	Offset      *int              `json:"offset"`
	Fields      []string          `json:"fields"`
	Sort        []json.RawMessage `json:"sort"`
	Ctl         *control          `json:"ctl"`
	ShowRequest bool              `json:"showrequest"` // has no effect, as on servers of today

	// What the server does and this engine does not: only values that ask for
	// nothing are taken.
	Explain          json.RawMessage `json:"explain"`
	Highlight        json.RawMessage `json:"highlight"`
	Facets           json.RawMessage `json:"facets"`
	IncludeLocations json.RawMessage `json:"includeLocations"`
	Score            json.RawMessage `json:"score"`
	SearchAfter      json.RawMessage `json:"search_after"`
	SearchBefore     json.RawMessage `json:"search_before"`
	Params           json.RawMessage `json:"params"`
	Collections      json.RawMessage `json:"collections"`

	query clause
	knn   []knnClause
	size  int
	from  int
}

// A control says how to search. Who calls the engine waits for consistency.
type control struct {
	Timeout     float64         `json:"timeout"` // in ms; 0 for none
	Consistency json.RawMessage `json:"consistency"`

	Validate           json.RawMessage `json:"validate"`
	PartitionSelection json.RawMessage `json:"partition_selection"`
	GlobalScoring      json.RawMessage `json:"global_scoring"`
}

// parseRequest reads the body of a search. On servers without prefilter the
// filters of knn clauses are left out in silence.
func parseRequest(body []byte, prefilter bool) (*request, error) {
	r := &request{}
	if err := strict(body, r); err != nil {
		return nil, err
	}
	if err := r.checkUnimplemented(); err != nil {
		return nil, err
	}
	var err error
	if r.query, err = parseQuery(r.Query); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"", "and", "or"}, r.KNNOperator) {
		return nil, errors.New("knn_operator must be either 'and' / 'or'")
	}
	for _, raw := range r.KNN {
		k, err := parseKNN(raw, prefilter)
		if err != nil {
			return nil, err
		}
		r.knn = append(r.knn, k)
	}
	r.size, r.from = firstOf(r.Size, r.Limit, 10), firstOf(r.From, r.Offset, 0)
	if r.size > maxWindow || r.from > maxWindow-r.size {
		return nil, fmt.Errorf("bleveMaxResultWindow exceeded, from: %d, size: %d, bleveMaxResultWindow: %d", r.from, r.size,
			maxWindow)
	}
	return r, checkSort(r.Sort)
}

// checkUnimplemented refuses what would be without effect.
func (r *request) checkUnimplemented() error {
	asked := map[string]json.RawMessage{
		"explain": r.Explain, "highlight": r.Highlight, "facets": r.Facets, "includeLocations": r.IncludeLocations,
		"score":        r.Score,
		"search_after": r.SearchAfter, "search_before": r.SearchBefore, "params": r.Params, "collections": r.Collections,
	}
	if r.Ctl != nil {
		asked["ctl.validate"], asked["ctl.partition_selection"] = r.Ctl.Validate, r.Ctl.PartitionSelection
		asked["ctl.global_scoring"] = r.Ctl.GlobalScoring
	}
	for key, value := range asked {
		if !asksNothing(value) {
			return fmt.Errorf("searchsim does not implement %q: %s", key, value)
		}
	}
	return nil
}

func asksNothing(value json.RawMessage) bool {
	return len(value) == 0 || slices.Contains([]string{"null", "false", `""`, "0", "[]", "{}"}, string(value))
}

// firstOf is what a request says of its window. A negative number counts as not
// said, and what is said second is not asked for then.
func firstOf(first, second *int, otherwise int) int {
	said := first
	if said == nil {
		said = second
	}
	if said == nil || *said < 0 {
		return otherwise
	}
	return *said
}

// checkSort takes the one order that there is, best score first and then by
// id, in all forms in which the server takes it.
func checkSort(order []json.RawMessage) error {
	want := []string{"score desc", "id"}
	if len(order) > len(want) {
		return fmt.Errorf("searchsim does not implement the sort %s", order)
	}
	for i, raw := range order {
		by, err := sortKey(raw)
		if err != nil {
			return err
		}
		if by != want[i] {
			return fmt.Errorf("searchsim does not implement the sort %s", order)
		}
	}
	return nil
}

func sortKey(raw json.RawMessage) (string, error) {
	if bytes.HasPrefix(raw, []byte(`"`)) {
		return map[string]string{`"-_score"`: "score desc", `"_id"`: "id", `"+_id"`: "id"}[string(raw)], nil
	}
	var key struct {
		By   string `json:"by"`
		Desc bool   `json:"desc"`
	}
	if err := strict(raw, &key); err != nil {
		return "", err
	}
	if key.Desc {
		return key.By + " desc", nil
	}
	return key.By, nil
}

func (r *request) timeout() time.Duration {
	if r.Ctl == nil || r.Ctl.Timeout <= 0 {
		return math.MaxInt64
	}
	return time.Duration(r.Ctl.Timeout * float64(time.Millisecond))
}
