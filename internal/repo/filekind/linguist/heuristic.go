package linguist

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sync"
)

// A rule tells languages by what is in a file.
type rule struct {
	Kind      string   `json:"kind"` // and, or, not, always; pattern; none: one that Go can't have
	Languages []string `json:"languages,omitempty"`
	Pattern   string   `json:"pattern,omitempty"`
	Rules     []rule   `json:"rules,omitempty"`

	compiled *regexp.Regexp
}

// compile makes the expressions of a rule.
func (r *rule) compile() {
	if r.Kind == "pattern" {
		r.compiled = regexp.MustCompile(r.Pattern)
	}
	for i := range r.Rules {
		r.Rules[i].compile()
	}
}

func (r *rule) match(content []byte) bool {
	switch r.Kind {
	case "always":
		return true
	case "pattern":
		return r.compiled.Match(content)
	case "none":
		return false
	}
	for i := range r.Rules {
		if inner := &r.Rules[i]; inner.Kind != "none" && inner.match(content) != (r.Kind == "and") {
			return r.Kind == "or"
		}
	}
	return r.Kind != "or"
}

// heuristics are the rules for the content of files with an extension, in their order.
var heuristics = valued("heuristic", func(text string) func() []rule {
	return sync.OnceValue(func() []rule {
		var rules []rule
		if err := json.Unmarshal([]byte(text), &rules); err != nil {
			panic(fmt.Errorf("the table of heuristics: %w", err))
		}
		for i := range rules {
			rules[i].compile()
		}
		return rules
	})
})

// ByContent are the languages that the content of a file says, among those of its
// extension.
func ByContent(ext string, content []byte) []string {
	rules := heuristics()[ext]
	if rules == nil {
		return nil
	}
	for _, r := range rules() {
		if !r.match(content) {
			continue
		}
		var found []string
		for _, name := range r.Languages {
			if language, ok := ByAlias(name); ok {
				found = append(found, language)
			}
		}
		return found
	}
	return nil
}
