package embed

import (
	"slices"
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

func TestFakeLikensTextsThatShareWords(t *testing.T) {
	e := Fake(64)
	got, err := e.Documents(t.Context(), []Input{
		{Text: "open the file"}, {Text: "open the file"}, {Text: "open a file"}, {Text: "matrix multiplication"}, {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got[0], got[1]) {
		t.Error("equal texts have different vectors")
	}
	if near, far := dot(got[0], got[2]), dot(got[0], got[3]); near <= far {
		t.Errorf("similarity %v of texts that share words, %v of others", near, far)
	}
	if got[4] != nil {
		t.Errorf("vector of an empty text = %v, want nil", got[4])
	}
	if len(got[0]) != e.Manifest().Dims {
		t.Errorf("%d components, want %d", len(got[0]), e.Manifest().Dims)
	}
}
