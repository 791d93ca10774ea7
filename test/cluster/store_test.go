package cluster_test

import (
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// setUpTwice checks that setup.Run can be repeated, and that every check passes after it.
func setUpTwice(t *testing.T, c cluster) {
	config := c.fresh(t)
	c.setup(t, config)
	c.setup(t, config)
	st := openIn(t, config)
	checks := st.Checks(t.Context())
	if len(checks) == 0 {
		t.Error("there are no checks")
	}
	for _, check := range checks {
		if !check.OK {
			t.Errorf("%s: %s", check.Name, check.Message)
		}
	}
}

// swap checks what leases are made of: of two that change the same version of a
// record one succeeds, and a record expires.
func swap(t *testing.T, c cluster) {
	s := c.open(t)
	ctx := t.Context()
	created, err := s.Swap(ctx, "c", "k", 0, "first", 0)
	if err != nil || created == 0 {
		t.Fatalf("create: version %d, %v", created, err)
	}
	if _, err := s.Swap(ctx, "c", "k", 0, "other", 0); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("create it again: %v, want a conflict", err)
	}
	changed, err := s.Swap(ctx, "c", "k", created, "second", 0)
	if err != nil || changed == created {
		t.Fatalf("change: version %d, %v", changed, err)
	}
	if _, err := s.Swap(ctx, "c", "k", created, "other", 0); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("change an old version: %v, want a conflict", err)
	}
	var value string
	if version, err := s.Versioned(ctx, "c", "k", &value); err != nil || version != changed || value != "second" {
		t.Errorf("Versioned = %q, version %d, %v; want second, %d", value, version, err, changed)
	}
	if _, err := s.Swap(ctx, "c", "k", changed, nil, 0); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := s.Swap(ctx, "c", "lease", 0, "mine", 2*time.Second); err != nil {
		t.Fatalf("create with an expiry: %v", err)
	}
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(30 * time.Second); ; <-ticker.C {
		version, err := s.Versioned(ctx, "c", "lease", nil)
		if err != nil || version == 0 {
			if err != nil {
				t.Errorf("Versioned: %v", err)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal("a record of 2 seconds is still there after 30")
		}
	}
}
