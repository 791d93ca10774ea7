// Package change tells what an edit of files means for their symbols: which are
// added and removed, which have another signature, and which another body. It
// reads unified diffs, and says how tests are run.
package change
