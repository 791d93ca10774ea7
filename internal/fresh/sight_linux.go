package fresh

import "golang.org/x/sys/unix"

// lookOnly opens a folder to look at what is in it, without the right to list it.
const lookOnly = unix.O_PATH
