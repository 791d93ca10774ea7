package cbtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A queryRequest is what clients send. Named parameters are read from the same
// object, under "$name".
type queryRequest struct {
	Statement       string `json:"statement"`
	ClientContextID string `json:"client_context_id"`
	ReadOnly        bool   `json:"readonly"`
	Consistency     string `json:"scan_consistency"`
	params          map[string]json.RawMessage
	user            *Account
}

// A queryReply has its fields in the order in which clients stream them.
type queryReply struct {
	RequestID       string            `json:"requestID"`
	ClientContextID string            `json:"clientContextID,omitempty"`
	Results         []json.RawMessage `json:"results"`
	Errors          []*queryError     `json:"errors,omitempty"`
	Status          string            `json:"status"`
	Metrics         map[string]any    `json:"metrics"`
}

// A queryError is one of the server's, with its code.
type queryError struct {
	Code    int    `json:"code"`
	Message string `json:"msg"`
	http    int
}

func (e *queryError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

func parseRequest(body []byte) (queryRequest, *queryError) {
	var q queryRequest
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &q) != nil || json.Unmarshal(body, &all) != nil {
		return q, &queryError{1070, "The request body is not a JSON object.", http.StatusBadRequest}
	}
	if q.Statement == "" {
		return q, &queryError{1050, "No statement or prepared value", http.StatusBadRequest}
	}
	q.params = map[string]json.RawMessage{}
	for name, raw := range all {
		if name, ok := strings.CutPrefix(name, "$"); ok {
			q.params[name] = raw
		}
	}
	return q, nil
}

// param reads a named parameter into v.
func (q queryRequest) param(name string, v any) *queryError {
	raw, ok := q.params[name]
	if !ok {
		return &queryError{
			5010, "Error evaluating filter - cause: No value for named parameter: $" + name, http.StatusOK,
		}
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return &queryError{5010, fmt.Sprintf("Error evaluating filter - cause: $%s: %v", name, err), http.StatusOK}
	}
	return nil
}

// bounded reports whether the request wants to see all that was written before it.
func (q queryRequest) bounded() bool { return q.Consistency == "request_plus" }

// execute runs the statement of a request.
func execute(d *data, q queryRequest) ([]json.RawMessage, *queryError) {
	s, names := statementOf(q.Statement)
	switch {
	case s == nil:
		return nil, &queryError{
			3000, "syntax error - a statement that cbtest does not know, see statements.go: " + q.Statement,
			http.StatusBadRequest,
		}
	case !q.user.may(s.need):
		return nil, noRole(s.need)
	case q.ReadOnly && s.need == manageGSI:
		return nil, &queryError{
			1000, "The server or request is read-only and cannot accept this write statement.",
			http.StatusForbidden,
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return s.run(d, q, names)
}
