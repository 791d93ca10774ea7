package intent

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A Place is a line of a file that a text names: "server.go:120", "server.go line 120", and
// as stack traces have them.
type Place struct {
	Path string
	Line int // from 1
}

var placeForm = pattern.NewLazy(`([\p{L}\p{N}_./@+~-]*[\p{L}\p{N}_]\.[\p{L}\p{N}]{1,10})["']?` +
	`(?::line |:|#L|\(|,? (?:at |on )?line )(\d{1,6})\b`)

// maxPlaces are as many as are looked for; a trace of more has its files by their names.
const maxPlaces = 3

// placesIn are those that a text names, if these are few.
func placesIn(text string) []Place {
	if !strings.ContainsAny(text, "0123456789") || !strings.Contains(text, ".") {
		return nil
	}
	var all []Place
	for _, m := range placeForm().FindAllStringSubmatch(text, maxPlaces+1) {
		if !hasExtension(m[1]) {
			continue
		}
		if line, err := strconv.Atoi(m[2]); err == nil && line > 0 {
			all = append(all, Place{strings.TrimPrefix(m[1], "./"), line})
		}
	}
	if len(all) > maxPlaces {
		return nil
	}
	return all
}

// aroundPlace is how many words a text has that names one place and asks for nothing else.
const aroundPlace = 6

// onlyPlace reports whether a text names one place and little else.
func (q Intent) onlyPlace() bool {
	return len(q.Places) == 1 && len(strings.Fields(q.Text)) <= aroundPlace
}
