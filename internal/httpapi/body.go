package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
)

// maxBody is the size limit of a request's body, in bytes.
const maxBody = 1 << 20

// body decodes the JSON body of a POST, strictly.
func body(w http.ResponseWriter, r *http.Request, req any) error {
	if r.URL.RawQuery != "" {
		return fault.New(fault.InvalidRequest, "%s takes its input in the JSON body; leave out the query parameters", r.URL.Path)
	}
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	text, err := readBody(w, r)
	if err != nil {
		return err
	}
	return decodeJSON(text, req)
}

func checkMediaType(h http.Header) error {
	if enc := h.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return fault.New(fault.UnsupportedMediaType, "Content-Encoding %.40q is not supported; send the body as it is", enc)
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || media != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return fault.New(fault.UnsupportedMediaType, "send Content-Type: application/json, in UTF-8; got %.60q", h.Get("Content-Type"))
	}
	return nil
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	tooLarge := fault.New(fault.BodyTooLarge, "the body is larger than the limit of %d bytes", maxBody)
	if r.ContentLength > maxBody {
		w.Header().Set("Connection", "close")
		return nil, tooLarge
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fault.Wrap(fault.Timeout, err, "the body did not arrive in time")
	}
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "the body ends before its announced length")
	}
	return text, nil
}

// decodeJSON decodes one JSON object and refuses what encoding/json lets pass:
// names in another case, names given twice, invalid UTF-8, null.
func decodeJSON(text []byte, req any) error {
	if len(strings.TrimSpace(string(text))) == 0 {
		return fault.New(fault.InvalidRequest, "the body is empty; send a JSON object")
	}
	if !utf8.Valid(text) {
		return fault.New(fault.InvalidRequest, "the body is not valid UTF-8")
	}
	var raw json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return malformed(text, err)
	}
	if err := checkObject(text, req); err != nil {
		return err
	}
	if err := json.Unmarshal(text, req); err != nil {
		return fault.Wrap(fault.InvalidRequest, err, "the body does not have the form of the request; see /openapi.yaml")
	}
	return nil
}

// malformed says where a syntax error is and what is wrong there.
func malformed(text []byte, err error) error {
	where := ""
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		before := string(text[:min(max(syntax.Offset-1, 0), int64(len(text)))])
		line := strings.Count(before, "\n")
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
		where = fmt.Sprintf(" at line %d, column %d", line+1, column+1)
	}
	return fault.New(fault.InvalidRequest, "malformed JSON%s: %v", where, err)
}

// noBody refuses a body where it would be ignored.
func noBody(r *http.Request) error {
	if r.ContentLength != 0 {
		return fault.New(fault.InvalidRequest, "%s %s takes no body; use query parameters", r.Method, r.URL.Path)
	}
	return nil
}

// parameters are a URL's query parameters, each given once.
func parameters(r *http.Request) (map[string]string, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "the query string is malformed; encode special characters with %%XX")
	}
	params := map[string]string{}
	for name, v := range values {
		if len(v) > 1 {
			return nil, fault.New(fault.InvalidRequest, "query parameter %.60q is given %d times", name, len(v))
		}
		if !utf8.ValidString(name + v[0]) {
			return nil, fault.New(fault.InvalidRequest, "query parameter %.60q is not valid UTF-8", name)
		}
		params[name] = v[0]
	}
	return params, nil
}
