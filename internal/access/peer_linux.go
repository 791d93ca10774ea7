package access

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// established is the state of a connection that both ends hold open. Others are
// of no process any more, and root's as far as the kernel tells.
const established = "01"

// PeerUID is the user of this machine whose process holds the other end of an
// open connection. It is not known of connections from elsewhere. The kernel is asked for the one
// socket; where it doesn't answer that, its table of all of them is read, which takes it 10 ms.
func PeerUID(c net.Conn) (uid int, known bool) {
	remote, local := addrPort(c.RemoteAddr()), addrPort(c.LocalAddr())
	if !remote.IsValid() || !local.IsValid() {
		return 0, false
	}
	if uid, known, answered := askKernel(remote, local); answered {
		return uid, known
	}
	return peerInTables(remote, local)
}

func peerInTables(own, other netip.AddrPort) (uid int, known bool) {
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		if uid, known := peerIn(table, own, other); known {
			return uid, true
		}
	}
	return 0, false
}

func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap().WithZone(""), ap.Port())
}

// peerIn looks for the socket with these own and other addresses in a table as
// proc_net_tcp.rst of the kernel describes it.
func peerIn(table string, own, other netip.AddrPort) (uid int, known bool) {
	f, err := os.Open(table)
	if err != nil {
		return 0, false
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 10 || fields[3] != established || fields[9] == "0" {
			continue
		}
		if parseAddr(fields[1]) != own || parseAddr(fields[2]) != other {
			continue
		}
		uid, err := strconv.Atoi(fields[7])
		return uid, err == nil
	}
	return 0, false
}

// parseAddr reads "0100007F:1F90": 32-bit words in the machine's order, and a port.
func parseAddr(text string) netip.AddrPort {
	host, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(host)
	n, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(b)%4 != 0 {
		return netip.AddrPort{}
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	addr, ok := netip.AddrFromSlice(b)
	if !ok {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(addr.Unmap(), uint16(n))
}
