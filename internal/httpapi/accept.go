package httpapi

import (
	"mime"
	"strconv"
	"strings"
)

// acceptsJSON reports whether Accept headers allow application/json. The most
// specific range decides, as RFC 9110, section 12.5.1 says; no header, or none
// that can be read, allows everything.
func acceptsJSON(headers []string) bool {
	best, allowed := 0, true
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		rank := map[string]int{"*/*": 2, "application/*": 3, "application/json": 4}[media]
		if rank == 0 {
			rank = 1 // something else: JSON is excluded unless a range allows it
		}
		q, err := strconv.ParseFloat(params["q"], 64)
		if rank > best {
			best, allowed = rank, rank > 1 && (err != nil || q > 0)
		}
	}
	return allowed
}

// prefers reports whether Accept headers name a type of media and don't prefer JSON.
func prefers(headers []string, media string) bool {
	quality := map[string]float64{}
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		q, err := strconv.ParseFloat(params["q"], 64)
		if err != nil {
			q = 1
		}
		quality[media] = q
	}
	q := quality[media]
	return q > 0 && q >= quality["application/json"]
}
