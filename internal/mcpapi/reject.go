package mcpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// codeNoSession is what servers answer with to the id of a session that is over.
const codeNoSession = -32001

// A rejection is a response whose errors, which the SDK writes as plain text, are
// those of JSON-RPC.
type rejection struct {
	http.ResponseWriter

	asked  bytes.Buffer // the body of the request, as far as it was read
	status int          // of a refusal in plain text, else 0
	text   strings.Builder
}

// rejecting makes a response of w, and has it see what is read of the request.
func rejecting(w http.ResponseWriter, r *http.Request) (*rejection, *http.Request) {
	re := &rejection{ResponseWriter: w}
	if r.Method != http.MethodPost {
		return re, r
	}
	seen := *r
	seen.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(r.Body, &re.asked), r.Body}
	return re, &seen
}

// Unwrap lets http.ResponseController flush.
func (re *rejection) Unwrap() http.ResponseWriter { return re.ResponseWriter }

func (re *rejection) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(re.Header().Get("Content-Type"), "text/plain") {
		re.status = status
		return
	}
	re.ResponseWriter.WriteHeader(status)
}

func (re *rejection) Write(p []byte) (int, error) {
	if re.status != 0 {
		return re.text.Write(p)
	}
	return re.ResponseWriter.Write(p)
}

// end writes the refusal, if there was one.
func (re *rejection) end() {
	if re.status == 0 {
		return
	}
	line, code, why := re.reason()
	re.Header().Del("Content-Length")
	re.Header().Set("Content-Type", "application/json")
	re.ResponseWriter.WriteHeader(re.status)
	_, _ = re.ResponseWriter.Write(refusal(line, code, why)) // who has gone reads no error
}

// reason is why the request was refused, and the message to answer, if it is one.
func (re *rejection) reason() (line []byte, code int64, why string) {
	text := strings.TrimPrefix(strings.TrimSpace(re.text.String()), "Bad Request: ")
	switch re.status {
	case http.StatusNotFound:
		return nil, codeNoSession, text + "; send initialize, without an Mcp-Session-Id, for a new one"
	case http.StatusMethodNotAllowed:
		return nil, jsonrpc.CodeInvalidRequest, "POST messages; GET and DELETE are for sessions, of revisions before " +
			stateless
	case http.StatusRequestEntityTooLarge:
		return nil, jsonrpc.CodeInvalidRequest, text + "; ask for less at once"
	case http.StatusBadRequest:
		if line, code, why = wrong(re.asked.Bytes(), true); why != "" {
			return line, code, why
		}
		if strings.HasPrefix(text, "JSON RPC not handled") {
			return re.asked.Bytes(), jsonrpc.CodeMethodNotFound, text
		}
	case http.StatusInternalServerError:
		return nil, jsonrpc.CodeInternalError, text
	}
	return nil, jsonrpc.CodeInvalidRequest, text
}

// wrong says what is wrong with a text that should be a message, or a list of them
// where there may be: nothing, if why is "". The line is what to answer.
func wrong(text []byte, batches bool) (line []byte, code int64, why string) {
	var several []json.RawMessage
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, 0, ""
	case !json.Valid(text):
		return nil, jsonrpc.CodeParseError, "this is not JSON; send one message of JSON-RPC"
	case !bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")):
		several = []json.RawMessage{text}
	case !batches || json.Unmarshal(text, &several) != nil || len(several) == 0:
		return nil, jsonrpc.CodeInvalidRequest, "this is a list; send one message alone"
	}
	for _, one := range several {
		if _, err := jsonrpc.DecodeMessage(one); err != nil {
			return one, jsonrpc.CodeInvalidRequest, `no message of JSON-RPC 2.0; it is an object with "jsonrpc": "2.0", ` +
				`a method, and but for notifications an id that is a string or a whole number, nested at most 1,000 deep`
		}
	}
	return nil, 0, ""
}

// refusal is the answer to a message, with its id if it has one.
func refusal(line []byte, code int64, why string) []byte {
	var asked struct {
		ID json.RawMessage `json:"id"`
	}
	id := json.RawMessage("null")
	if json.Unmarshal(line, &asked) == nil && len(asked.ID) > 0 && strings.IndexByte(`"-0123456789`, asked.ID[0]) >= 0 {
		id = asked.ID
	}
	reply, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why},
	})
	if err != nil { // an id is JSON, and the rest is text
		return nil
	}
	return append(reply, '\n')
}
