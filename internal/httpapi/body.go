package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/valid"
)

// maxBody is the size limit of a request's body, in bytes.
const maxBody = 1 << 20

// maxUnread is how much of a body that is too large is read all the same, in bytes: a client
// that reads nothing before it has sent all of that gets the reply, and no broken connection.
const maxUnread = 32 << 20

// body decodes the JSON body of a POST, strictly.
func body(w http.ResponseWriter, r *http.Request, req any) error {
	if r.URL.RawQuery != "" {
		return fault.New(fault.InvalidRequest, "%s takes its input in the JSON body; leave out the query parameters",
			r.URL.Path)
	}
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	text, err := readBody(w, r)
	if err != nil {
		return err
	}
	return valid.Decode(text, req)
}

func checkMediaType(h http.Header) error {
	if enc := h.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return fault.New(fault.UnsupportedMediaType, "Content-Encoding %.40q is not supported; send the body as it is", enc)
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || media != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return fault.New(fault.UnsupportedMediaType, "send Content-Type: application/json, in UTF-8; got %.60q",
			h.Get("Content-Type"))
	}
	return nil
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	tooLarge := fault.New(fault.BodyTooLarge, "the body is larger than the limit of %d bytes", maxBody)
	text, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(text) > maxBody {
		w.Header().Set("Connection", "close")
		_, _ = io.CopyN(io.Discard, r.Body, maxUnread)
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
		return nil, fault.Wrap(fault.InvalidRequest, err,
			"the query string is malformed; encode special characters with %%XX")
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
