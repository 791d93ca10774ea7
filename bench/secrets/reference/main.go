// Command reference writes samples that match the rules of gitleaks: texts made
// from the regular expression of each of its default rules, of which gitleaks
// itself says that they are findings. One line is a rule, a tab and a JSON
// string. It is a module of its own, so that ragnav does not depend on gitleaks.
//
//	go run . >samples.tsv
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lucasjones/reggen"
	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"
)

const (
	wanted = 20  // samples of each rule
	tries  = 200 // to make them
)

// exact has prefixes written as their services write them: the rules take them
// in any case.
var exact = strings.NewReplacer("(?i)", "", "(?-i:", "(?:", "(?i:", "(?:")

func main() {
	zerolog.SetGlobalLevel(zerolog.Disabled)
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, id := range slices.Sorted(maps.Keys(d.Config.Rules)) {
		rule := d.Config.Rules[id]
		if rule.Regex == nil {
			continue
		}
		group := "form"
		if strings.Contains(rule.Regex.String(), "{0,50}?") {
			group = "named" // any value beside the name of a service
		}
		g, err := reggen.NewGenerator(exact.Replace(rule.Regex.String()))
		if err != nil {
			continue
		}
		for n, try := 0, 0; n < wanted && try < tries; try++ {
			text := g.Generate(3)
			if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
				continue
			}
			for _, f := range d.DetectString(text) {
				if f.RuleID == id {
					quoted, _ := json.Marshal(text) // a string
					fmt.Printf("%s/%s\t%s\n", group, id, quoted)
					n++
					break
				}
			}
		}
	}
}
