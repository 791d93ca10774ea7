package searchsim

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
)

// The status codes of HTTP that the service answers with.
const (
	statusOK            = 200
	statusBadRequest    = 400
	statusInternalError = 500
)

// A reply is what the server answers to a search.
type reply struct {
	Status   status  `json:"status"`
	Hits     []hit   `json:"hits"`
	Total    int     `json:"total_hits"`
	Cost     int     `json:"cost"`
	MaxScore float64 `json:"max_score"`
	Took     int64   `json:"took"` // ns
	Facets   any     `json:"facets"`
}

// A status tells which partitions of the index did not answer, and why.
type status struct {
	Total      int               `json:"total"`
	Failed     int               `json:"failed"`
	Successful int               `json:"successful"`
	Errors     map[string]string `json:"errors,omitempty"`
}

type hit struct {
	Index  string         `json:"index"`
	ID     string         `json:"id"`
	Score  float64        `json:"score"`
	Sort   []string       `json:"sort"`
	Fields map[string]any `json:"fields,omitempty"`
}

// fail marks the first n partitions as failed.
func (s *status) fail(n int, partition func(i int) string, message string) {
	s.Failed, s.Successful = n, s.Total-n
	for i := range n {
		if s.Errors == nil {
			s.Errors = map[string]string{}
		}
		s.Errors[partition(i)] = message
	}
}

// partitionOf spreads documents over the partitions of an index.
func partitionOf(key string, partitions int) int {
	return int(crc32.ChecksumIEEE([]byte(key)) % uint32(partitions))
}

// encode writes a reply. A score that is not a number cannot be written, here
// as on the server.
func encode(r reply) (status int, body []byte) {
	data, err := json.Marshal(r)
	if err != nil {
		return statusInternalError, refusal(fmt.Sprintf("rest: JSON encode, err: %v", err), nil)
	}
	return statusOK, append(data, '\n')
}

// refusal is the body of an error reply. The server repeats what was sent.
func refusal(message string, sent []byte) []byte {
	details := map[string]any{"status": "fail", "error": message}
	var request any
	switch {
	case sent == nil:
	case json.Unmarshal(sent, &request) == nil:
		details["request"] = request
	default:
		details["request"] = string(sent)
	}
	data, _ := json.Marshal(details)
	return append(data, '\n')
}

// refused is the reply to a search that cannot be carried out.
func refused(index string, err error, sent []byte) (int, []byte) {
	return statusBadRequest, refusal(fmt.Sprintf("rest_index: Query, indexName: %s, err: %v", index, err), sent)
}
