package project

import (
	"cmp"
	"encoding/xml"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// buildFile reads what all files of a project use without saying so: <Using Include="A.B" />, with
// Static="true" or Alias="C". Conditions are not looked at. Of a file that is broken it takes
// what is before that: it is a project all the same.
func buildFile(f *facts.File, text string) bool {
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	for {
		t, err := d.Token()
		if err != nil {
			return true
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "Using" {
			continue
		}
		said := map[string]string{}
		for _, a := range e.Attr {
			said[a.Name.Local] = strings.TrimSpace(a.Value)
		}
		key := said["Alias"]
		if strings.EqualFold(said["Static"], "true") {
			key = cmp.Or(key, "static")
		}
		for name := range strings.SplitSeq(said["Include"], ";") {
			say(f, "using", key, strings.TrimSpace(name))
		}
	}
}
