package access

import "net"

// PeerInTables is PeerUID where the kernel can't be asked for one socket.
func PeerInTables(c net.Conn) (uid int, known bool) {
	return peerInTables(addrPort(c.RemoteAddr()), addrPort(c.LocalAddr()))
}
