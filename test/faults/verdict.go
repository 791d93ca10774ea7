package main

// A verdict is what came of a reply, a program or a case. A higher one is worse.
type verdict int

const (
	idle       verdict = iota // no system call failed: not a case
	same                      // every reply was the right one
	unseen                    // the same, and `ragnav doctor --deep` finds nothing
	ranked                    // true documents, as many, in another order: only beside something that was said
	passed                    // it was said, and over when the fault was
	said                      // it was said, and is still there
	repaired                  // the command that the message named repaired it
	refused                   // it was said where nothing stood in the way
	mute                      // it was said without what to do
	unrepaired                // what the message named did not repair it
	hang                      // a program did not end
	died                      // the server ended without a clear message
	panicked                  // a program crashed, or logged a panic
	lie                       // an OK reply that is not a right one
	loss                      // what was indexed was said not to be, or was left out without a word
	verdicts
)

var verdictNames = [verdicts]string{
	"idle", "same", "unseen", "ranked", "passed", "said", "repaired", "refused", "mute", "unrepaired", "hang", "died",
	"panic", "lie", "loss",
}

func (v verdict) String() string { return verdictNames[v] }

// bad reports whether a case that ends so has failed.
func (v verdict) bad() bool { return v >= refused }
