package embed

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
)

func TestManifestCheck(t *testing.T) {
	now := Manifest{Provider: "builtin", Model: "static-code-v1", Revision: "a1", Dims: 256}
	other := func(change func(*Manifest)) Manifest { m := now; change(&m); return m }
	for name, tc := range map[string]struct {
		stored Manifest
		want   string
	}{
		"the same":        {now, ""},
		"nothing stored":  {Manifest{}, ""},
		"provider":        {other(func(m *Manifest) { m.Provider = "openai" }), `provider "openai", now "builtin"`},
		"model":           {other(func(m *Manifest) { m.Model = "x" }), `model "x", now "static-code-v1"`},
		"revision":        {other(func(m *Manifest) { m.Revision = "b2" }), `revision "b2", now "a1"`},
		"dims":            {other(func(m *Manifest) { m.Dims = 768 }), `dims "768", now "256"`},
		"query prefix":    {other(func(m *Manifest) { m.QueryPrefix = "q: " }), `query prefix "q: ", now ""`},
		"document prefix": {other(func(m *Manifest) { m.DocumentPrefix = "d: " }), `document prefix "d: "`},
	} {
		t.Run(name, func(t *testing.T) {
			err := now.Check(tc.stored)
			if tc.want == "" {
				if err != nil {
					t.Errorf("error %v, want none", err)
				}
				return
			}
			if fault.CodeOf(err) != fault.IndexNotReady || !strings.Contains(fault.MessageOf(err), tc.want) {
				t.Errorf("error %v, want IndexNotReady with %q", err, tc.want)
			}
			if !strings.Contains(fault.MessageOf(err), "--reembed") {
				t.Errorf("%q does not say what to do", fault.MessageOf(err))
			}
		})
	}
}
