package cbtest

import (
	"encoding/binary"

	"github.com/couchbase/gocbcore/v10/memd"
)

// watch tells the client of each configuration newer than seen until the
// connection ends.
func (s *session) watch(bucket string, seen int64) {
	for {
		rev, changed := s.node.data.revision()
		if rev != seen && !s.notify(bucket, rev) {
			return
		}
		seen = rev
		select {
		case <-changed:
		case <-s.ctx.Done():
			return
		}
	}
}

// notify sends a clustermap change notification: the revision without the
// configuration. memd writes no requests of a server, so this is by hand.
func (s *session) notify(bucket string, rev int64) bool {
	const header, extras = 24, 16
	p := make([]byte, header, header+extras+len(bucket))
	p[0], p[1] = byte(memd.CmdMagicServerReq), byte(memd.CmdSet) // the number that CmdSet has in requests of a client
	binary.BigEndian.PutUint16(p[2:], uint16(len(bucket)))
	p[4] = extras
	binary.BigEndian.PutUint32(p[8:], uint32(extras+len(bucket)))
	p = binary.BigEndian.AppendUint64(p, revEpoch)
	p = binary.BigEndian.AppendUint64(p, uint64(rev))
	_, err := s.net.Write(append(p, bucket...))
	return err == nil
}

func (d *data) revision() (rev int64, changed <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rev, d.changed
}
