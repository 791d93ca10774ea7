package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// Which capabilities a store has: one that a single process owns, and one that
// several share.
var (
	ownedBy  = []string{"Pinner", "Overlayer", "Drafter", "Compacter", "Loser", "Announcer", "Checker"}
	sharedBy = []string{"Settler", "Shared", "Checker"}
)

// capabilities checks that the store can do what its kind is known for, no less
// and no more, and that what it can do is what package store says.
func (s suite) capabilities(t *testing.T) {
	want := s.traits.Can
	switch {
	case want != nil:
	case s.traits.Shared:
		want = sharedBy
	default:
		want = ownedBy
	}
	if diff := cmp.Diff(want, capabilitiesOf(s.open(t)), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("capabilities (-want +got):\n%s", diff)
	}
	for name, test := range map[string]func(*testing.T, store.Store){
		"Pinner": pins, "Overlayer": overlays, "Drafter": drafts, "Compacter": compacts, "Loser": loses,
		"Shared": swaps, "Checker": checks,
	} {
		if slices.Contains(want, name) {
			t.Run(name, func(t *testing.T) { test(t, s.open(t)) })
		}
	}
}

// capabilitiesOf are the names of what s can do beyond store.Store.
func capabilitiesOf(s store.Store) []string {
	var names []string
	for _, c := range []struct {
		name string
		has  bool
	}{
		{"Pinner", is[store.Pinner](s)},
		{"Overlayer", is[store.Overlayer](s)},
		{"Drafter", is[store.Drafter](s)},
		{"Compacter", is[store.Compacter](s)},
		{"Loser", is[store.Loser](s)},
		{"Announcer", is[store.Announcer](s)},
		{"Settler", is[store.Settler](s)},
		{"Shared", is[store.Shared](s)},
		{"Checker", is[store.Checker](s)},
	} {
		if c.has {
			names = append(names, c.name)
		}
	}
	return names
}

func is[Capability any](s store.Store) bool {
	_, ok := s.(Capability)
	return ok
}

func pins(t *testing.T, st store.Store) {
	put(t, st, symbol("o/r", "a.go", "Walrus", "walrus"))
	pinned, release, err := st.(store.Pinner).Pin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put(t, st, symbol("o/r", "b.go", "Walrus", "walrus"))
	req := fts.Request{Query: match(models.TypeSymbol, "walrus"), Size: 10}
	if res, err := st.Search(pinned, req); err != nil || len(res.Hits) != 1 {
		t.Errorf("pinned: %d hits, %v; want the one of before", len(res.Hits), err)
	}
	release()
	if got := search(t, st, req).Hits; len(got) != 2 {
		t.Errorf("not pinned: %d hits, want 2", len(got))
	}
}

func overlays(t *testing.T, st store.Store) {
	old, made := symbol("o/r", "a.go", "Walrus", "walrus"), symbol("o/r", "a.go", "Seal", "walrus")
	put(t, st, old)
	over, release, err := st.(store.Overlayer).Overlay(t.Context(), models.Overlay{
		Key: "a", Documents: []models.Document{made}, Hidden: []models.DocumentID{old.ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	req := fts.Request{Query: match(models.TypeSymbol, "walrus"), Size: 10}
	res, err := st.Search(over, req)
	if diff := cmp.Diff([]models.DocumentID{made.ID}, ids(res.Hits)); err != nil || diff != "" {
		t.Errorf("under the overlay: %v\n%s", err, diff)
	}
	if diff := cmp.Diff([]models.DocumentID{old.ID}, ids(search(t, st, req).Hits)); diff != "" {
		t.Errorf("without it:\n%s", diff)
	}
}

func drafts(t *testing.T, st store.Store) {
	d, query := st.(store.Drafter), match(models.TypeSymbol, "walrus")
	gather := func(file string) {
		b := store.Batch{Put: []models.Document{symbol("o/r", file, "Walrus", "walrus")}}
		if err := d.AppendDraft(t.Context(), "o/r", "label", b); err != nil {
			t.Fatal(err)
		}
	}
	gathered := func() (n int) {
		err := d.ReadDraft(t.Context(), "o/r", func(label string, b store.Batch) error {
			if label == "label" {
				n += len(b.Put)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	gather("a.go")
	if err := d.DropDraft(t.Context(), "o/r"); err != nil || gathered() != 0 {
		t.Errorf("dropped: %v, %d documents", err, gathered())
	}
	gather("a.go")
	gather("b.go")
	if got := find(t, st, query); len(got) != 0 || gathered() != 2 {
		t.Errorf("before it is published %v is seen, and %d documents are gathered", got, gathered())
	}
	if err := d.PublishDraft(t.Context(), "o/r", func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if got := find(t, st, query); len(got) != 2 || gathered() != 0 {
		t.Errorf("then %v is seen, and %d documents are gathered", got, gathered())
	}
}

func compacts(t *testing.T, st store.Store) {
	put(t, st, symbol("o/r", "a.go", "Walrus", "walrus"), symbol("o/r", "b.go", "Walrus", "walrus"))
	if err := st.(store.Compacter).Compact(t.Context(), func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if got := find(t, st, match(models.TypeSymbol, "walrus")); len(got) != 2 {
		t.Errorf("compacted it has %v", got)
	}
}

func loses(t *testing.T, st store.Store) {
	put(t, st, symbol("o/r", "a.go", "Walrus", "walrus"))
	if lost := st.(store.Loser).Lost(); len(lost) != 0 {
		t.Errorf("lost without damage: %v", lost)
	}
}

func swaps(t *testing.T, st store.Store) {
	s := st.(store.Shared)
	swap := func(version uint64, v any) (uint64, error) {
		return s.Swap(t.Context(), "c", "k", version, v, time.Hour)
	}
	first, err := swap(0, "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := swap(0, "two"); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("created twice: %v", err)
	}
	if _, err := swap(first, "two"); err != nil {
		t.Error(err)
	}
	if _, err := swap(first, "three"); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("in place of an older version: %v", err)
	}
	var got string
	version, err := s.Versioned(t.Context(), "c", "k", &got)
	if err != nil || got != "two" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := swap(version, nil); err != nil {
		t.Error(err)
	}
	if version, err := s.Versioned(t.Context(), "c", "k", &got); err != nil || version != 0 {
		t.Errorf("deleted it is at version %d, %v", version, err)
	}
	reconciles(t, st, s)
}

func reconciles(t *testing.T, st store.Store, s store.Shared) {
	kept, stray := symbol("o/r", "a.go", "Walrus", "walrus"), symbol("o/r", "b.go", "Walrus", "walrus")
	gone := models.SymbolID("o/r", "c.go", "Walrus", 1)
	put(t, st, kept, stray)
	if n, err := s.CountOf(t.Context(), "o/r"); err != nil || n != 2 {
		t.Errorf("%d documents, %v", n, err)
	}
	removed, missing, err := s.Reconcile(t.Context(), "o/r", []models.DocumentID{kept.ID, gone})
	if diff := cmp.Diff([]models.DocumentID{gone}, missing); err != nil || removed != 1 || diff != "" {
		t.Errorf("%d removed, %v\n%s", removed, err, diff)
	}
}

func checks(t *testing.T, st store.Store) {
	for _, c := range st.(store.Checker).Checks(t.Context()) {
		if c.Name == "" || c.Message == "" {
			t.Errorf("a check without a word: %+v", c)
		}
	}
}
