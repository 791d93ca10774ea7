package access

import (
	"encoding/binary"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"
)

// What sock_diag(7) and linux/inet_diag.h call a request for a socket, and its answer.
const (
	sockDiagByFamily = 20
	diagRequest      = unix.NLMSG_HDRLEN + 56 // header, inet_diag_req_v2
	diagUID          = unix.NLMSG_HDRLEN + 64 // where it is in an inet_diag_msg behind its header
	diagInode        = diagUID + 4
	tcpEstablished   = 1
)

// askKernel asks for the socket with these own and other addresses, of IPv4 or, where that has
// none, of IPv6. Not answered is where there is no sock_diag.
func askKernel(own, other netip.AddrPort) (uid int, known, answered bool) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return 0, false, false
	}
	defer func() { _ = unix.Close(fd) }()
	_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1})
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		if family == unix.AF_INET && !own.Addr().Is4() {
			continue
		}
		answer := make([]byte, 1024)
		if unix.Sendto(fd, diagOf(family, own, other), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}) != nil {
			return 0, false, false
		}
		n, _, err := unix.Recvfrom(fd, answer, 0)
		if err != nil || n < unix.NLMSG_HDRLEN+4 {
			return 0, false, false
		}
		native := binary.NativeEndian
		switch kind := native.Uint16(answer[4:]); {
		case kind == unix.NLMSG_ERROR && -int32(native.Uint32(answer[unix.NLMSG_HDRLEN:])) == int32(unix.ENOENT):
			answered = true
		case kind != sockDiagByFamily || n < diagInode+4:
			return 0, false, false
		case answer[unix.NLMSG_HDRLEN+1] == tcpEstablished && native.Uint32(answer[diagInode:]) != 0:
			return int(native.Uint32(answer[diagUID:])), true, true
		default: // closed at that end
			return 0, false, true
		}
	}
	return 0, false, answered
}

// diagOf is a request for one socket: its family, its addresses and ports, whatever its interface
// and cookie are.
func diagOf(family byte, own, other netip.AddrPort) []byte {
	m := make([]byte, 0, diagRequest)
	m = binary.NativeEndian.AppendUint32(m, diagRequest)
	m = binary.NativeEndian.AppendUint16(m, sockDiagByFamily)
	m = binary.NativeEndian.AppendUint16(m, unix.NLM_F_REQUEST)
	m = append(m, make([]byte, 8)...) // sequence, port
	m = append(m, family, unix.IPPROTO_TCP, 0, 0)
	m = binary.NativeEndian.AppendUint32(m, 1<<tcpEstablished)
	m = binary.BigEndian.AppendUint16(m, own.Port())
	m = binary.BigEndian.AppendUint16(m, other.Port())
	for _, a := range []netip.Addr{own.Addr(), other.Addr()} {
		b := a.AsSlice()
		if family == unix.AF_INET6 {
			mapped := a.As16()
			b = mapped[:]
		}
		m = append(m, b...)
		m = append(m, make([]byte, 16-len(b))...)
	}
	return append(append(m, 0, 0, 0, 0), slices.Repeat([]byte{0xff}, 8)...)
}
