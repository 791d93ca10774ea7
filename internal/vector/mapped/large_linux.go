//go:build !nommap

package mapped

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const largePage = 2 << 20

// Large asks the system to give memory that is about to be written for the first time in
// large pages: giving out small ones takes several times as long as writing them.
func Large(b []byte) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	from, to := -at&(largePage-1), (at+uintptr(len(b)))&^(largePage-1)-at
	if int(from) < int(to) && len(b) >= largePage {
		_ = unix.Madvise(b[from:to], hugePages)
	}
}
