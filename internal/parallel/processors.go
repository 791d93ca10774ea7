package parallel

import "runtime"

// processors is Go's count of them before anybody changes it, which knows of the
// limits of containers.
var processors = runtime.GOMAXPROCS(0)

// Processors is how many processors the process may use, and so how much work is
// worth doing at once. GOMAXPROCS says less: see Crowd.
func Processors() int { return processors }

// crowd is how many threads for each processor run Go code in a server: one for each
// of three classes of work, and one for what is short.
const crowd = 4

// Crowd lets several threads for each processor run Go code from now on. A request
// of a millisecond that arrives while all processors are at long ones finds a free
// thread then, and the system, which prefers who has slept, lets that go first. Go's
// own scheduler puts it at the end of a queue in which each has 10 ms. In exchange
// Go no longer follows limits of containers that change.
func Crowd() { runtime.GOMAXPROCS(crowd * processors) }
