// Package openaitest is a server of embeddings in process, for tests: OpenAI's
// API with vectors of hashed words, and faults on demand.
package openaitest

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
)

// A Request is what a client asked.
type Request struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`
	Dimensions     int      `json:"dimensions"`
	InputType      string   `json:"input_type"`

	Authorization string          `json:"-"`
	Done          <-chan struct{} `json:"-"` // closed when the client has left
}

// A Server answers until the test ends.
type Server struct {
	URL string // of the API

	mu       sync.Mutex
	dims     int
	fault    func(w http.ResponseWriter, r Request) bool
	requests []Request
}

// New starts a server of vectors of dims components.
func New(t testing.TB, dims int) *Server {
	t.Helper()
	s := &Server{dims: dims}
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

// Fail has requests looked at before they are answered. A fault that returns
// true has answered itself. nil ends that.
func (s *Server) Fail(fault func(w http.ResponseWriter, r Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Requests are all that came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Texts are the inputs of all requests.
func (s *Server) Texts() []string {
	var all []string
	for _, r := range s.Requests() {
		all = append(all, r.Input...)
	}
	return all
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	req := Request{Authorization: r.Header.Get("Authorization"), Done: r.Context().Done()}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/v1/embeddings" {
		Refuse(w, http.StatusNotFound, "no such route")
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	dims, fault := s.dims, s.fault
	s.mu.Unlock()
	if fault != nil && fault(w, req) {
		return
	}
	if req.Dimensions > 0 {
		dims = req.Dimensions
	}
	vectors, _ := embedtest.New(dims).Queries(r.Context(), req.Input)
	Answer(w, req, vectors)
}

// Refuse answers with an error in OpenAI's form.
func Refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(
		map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}})
}

// Answer answers with those vectors, the last first, not of length 1.
func Answer(w http.ResponseWriter, r Request, vectors [][]float32) {
	data := make([]map[string]any, 0, len(vectors))
	for i, unit := range slices.Backward(vectors) {
		v := make([]float32, len(unit))
		for j, x := range unit {
			v[j] = 3 * x
		}
		var embedding any = v
		if r.EncodingFormat == "base64" {
			raw := make([]byte, 0, 4*len(v))
			for _, x := range v {
				raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
			}
			embedding = base64.StdEncoding.EncodeToString(raw)
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": embedding})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": r.Model})
}
