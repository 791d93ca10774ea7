//go:build race

package worker_test

// slow is how much longer a worker takes under the race detector, to start above all.
const slow = 4
