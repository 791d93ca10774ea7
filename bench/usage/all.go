package usage

import "time"

// All is the processor time of this process and the programs it ran.
func All() time.Duration { return CPU() + Children() }
