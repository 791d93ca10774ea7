package cbtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
)

// A queryRequest is what clients send. Named parameters are read from the same
// object, under "$name".
type queryRequest struct {
	Statement       string            `json:"statement"`
	Prepared        string            `json:"prepared"`
	ClientContextID string            `json:"client_context_id"`
	Context         string            `json:"query_context"`
	ReadOnly        bool              `json:"readonly"`
	Args            []json.RawMessage `json:"args"`
	Consistency     string            `json:"scan_consistency"`
	params          map[string]any
	user            *Account
}

// A queryReply has its fields in the order in which clients stream them.
type queryReply struct {
	RequestID       string            `json:"requestID"`
	ClientContextID string            `json:"clientContextID,omitempty"`
	Prepared        string            `json:"prepared,omitempty"`
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
	if q.Statement == "" && q.Prepared == "" {
		return q, &queryError{1050, "No statement or prepared value", http.StatusBadRequest}
	}
	q.params = map[string]any{}
	for name, raw := range all {
		if name, ok := strings.CutPrefix(name, "$"); ok {
			q.params[name] = decode(raw)
		}
	}
	for i, raw := range q.Args {
		q.params[fmt.Sprint(i+1)] = decode(raw)
	}
	return q, nil
}

// execute runs the statement, prepares it, or runs one prepared before.
func execute(node *Node, q queryRequest) (results []json.RawMessage, prepared string, err *queryError) {
	d := node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	text := q.Statement
	if q.Prepared != "" {
		known, ok := d.prepared[q.Prepared]
		if !ok {
			return nil, "", &queryError{4040, "No such prepared statement: " + q.Prepared, http.StatusNotFound}
		}
		text = known
	}
	if rest, ok := cutWord(text, "PREPARE"); ok {
		prepared, text = preparedName(q.Context, rest), rest
		d.prepared[prepared] = rest
	}
	results, err = runOf(d, text, q)
	return results, prepared, err
}

// cutWord removes a first word from a statement.
func cutWord(text, word string) (rest string, found bool) {
	text = strings.TrimSpace(text)
	if len(text) > len(word) && strings.EqualFold(text[:len(word)], word) &&
		strings.ContainsAny(text[len(word):][:1], " \t\r\n") {
		return strings.TrimSpace(text[len(word):]), true
	}
	return text, false
}

func preparedName(context, text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(context + "\x00" + text)) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}

// runOf parses and carries out one statement. data.mu is held.
func runOf(d *data, text string, q queryRequest) ([]json.RawMessage, *queryError) {
	if need := needsOfStatement(text); !q.user.may(need) {
		return nil, noRole(need)
	}
	p, err := newParser(text, q)
	if err != nil {
		return nil, err
	}
	verb, ok := map[string]func(*data, *parser) ([]json.RawMessage, *queryError){
		"SELECT": selectRowsOf, "CREATE": createGSI, "BUILD": buildGSI, "DROP": dropGSI,
	}[strings.ToUpper(p.word())]
	if !ok {
		return nil, p.syntaxError()
	}
	if q.ReadOnly && !p.is("SELECT") {
		return nil, &queryError{
			1000, "The server or request is read-only and cannot accept this write statement.",
			http.StatusForbidden,
		}
	}
	return verb(d, p)
}
