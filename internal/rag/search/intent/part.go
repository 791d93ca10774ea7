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
	"script": "script", "service": "service", "container": "service", "deployment": "resource", "ingress": "resource",
	"cronjob": "resource", "namespace": "resource",
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
		case kind != "resource" && i < nounWithin &&
			(slices.Contains(partBefore, before) || slices.Contains(partBehind, behind)):
			parts = append(parts, Part{Kind: kind})
		case (kind == "service" || kind == "resource") && !slices.Contains(serviceNouns, behind):
			if names := namesOf(before, behind); names != nil {
				parts = append(parts, Part{"resource", names}) // of Kubernetes
				if kind == "service" {                         // of Compose
					parts = append(parts, Part{kind, names})
				}
			}
		}
	}
	return parts
}

// namesOf are those of words that may be the name of a service.
func namesOf(words ...string) (names []string) {
	for _, word := range words {
		if len(word) >= minService && !nounBefore[word] && !nounBehind[word] {
			names = append(names, word)
		}
	}
	return names
}

// serviceNouns are what "service" is a part of the name of.
var serviceNouns = []string{"account", "accounts", "mesh", "monitor", "discovery", "worker", "workers"}

const minService = 3 // letters of a service's name

// Words beside such a noun that say that it is what is asked for.
var (
	partBefore = []string{"which", "what", "npm", "ansible", "ci", "compose", "pipeline", "workflow"}
	partBehind = []string{"that", "which", "for", "where", "to"}
)
