package fresh

import "golang.org/x/sys/unix"

// lookOnly opens a folder to look at what is in it.
const lookOnly = unix.O_RDONLY
