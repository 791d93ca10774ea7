package cbtest

import (
	"fmt"
	"syscall"
)

// A reservation keeps the ports of a stopped node from everybody else. Nobody listens
// there: who connects is refused.
type reservation []int // sockets

// reserve reserves ports that nobody listens at. What listens there next does so while
// they are reserved, and releases them then.
func reserve(ports ...int) (reservation, error) {
	var r reservation
	for _, port := range ports {
		fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		if err != nil {
			r.release()
			return nil, fmt.Errorf("cbtest: reserve a port: %w", err)
		}
		r = append(r, fd)
		// As Go's listeners have it: else they were in each other's way.
		err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
		if err == nil {
			err = syscall.Bind(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
		}
		if err != nil {
			r.release()
			return nil, fmt.Errorf("cbtest: reserve port %d: %w", port, err)
		}
	}
	return r, nil
}

func (r reservation) release() {
	for _, fd := range r {
		_ = syscall.Close(fd)
	}
}
