package driver

import "testing"

func TestAtLeast(t *testing.T) {
	for version, want := range map[string]bool{
		"7.6.4-1-enterprise": true, "7.6.3-9999-enterprise": false, "7.6.10": true, "8.0.0-1234-enterprise": true,
		"7.5.9": false, "7.7": true, "7.6": false, "": false,
	} {
		if got := AtLeast(version, 7, 6, 4); got != want {
			t.Errorf("atLeast(%q, 7.6.4) = %v, want %v", version, got, want)
		}
	}
}
