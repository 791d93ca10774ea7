//go:build !unix

package repotest

import "testing"

// AsNobody skips a test of permissions where there are none of that kind.
func AsNobody(t *testing.T) bool {
	t.Helper()
	t.Skip("SKIPPED: permissions are others here")
	return true
}
