package intent

import (
	"slices"
	"strings"
)

// A Part is a kind of part of configuration that a text asks for: the task that does
// something, the service of a name.
type Part struct {
	Kind  string   // of symbols
	Names []string // one of these is in its name; nil: it may have any name
}

// partNouns are the kinds of symbols that a noun means in configuration.
var partNouns = map[string]string{
	"task": "task", "handler": "handler", "play": "play", "step": "step", "stage": "stage", "job": "job",
	"script": "script", "service": "service", "container": "service",
}

// partsOf are those that a text asks for: by a noun near its beginning that speaks of the
// thing itself, or, of services, beside their name.
func partsOf(words []string) []Part {
	var parts []Part
	for i, word := range words {
		kind := partNouns[strings.TrimSuffix(strings.ToLower(word), "s")]
		if kind == "" || len(words) < 2 {
			continue
		}
		before, behind := "", ""
		if i > 0 {
			before = strings.ToLower(words[i-1])
		}
		if i+1 < len(words) {
			behind = strings.ToLower(words[i+1])
		}
		switch {
		case i < nounWithin && (slices.Contains(partBefore, before) || slices.Contains(partBehind, behind)):
			parts = append(parts, Part{Kind: kind})
		case kind == "service" && len(before+behind) > 0:
			part := Part{Kind: kind}
			for _, name := range []string{before, behind} {
				if len(name) >= minService && !nounBefore[name] && !nounBehind[name] {
					part.Names = append(part.Names, name)
				}
			}
			if part.Names != nil {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

const minService = 3 // letters of a service's name

// Words beside such a noun that say that it is what is asked for.
var (
	partBefore = []string{"which", "what", "npm", "ansible", "ci", "compose", "pipeline", "workflow"}
	partBehind = []string{"that", "which", "for", "where", "to"}
)
