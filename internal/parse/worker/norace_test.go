//go:build !race

package worker_test

// slow is how much longer a worker takes under the race detector.
const slow = 1
