package cbtest

import (
	"encoding/binary"
	"time"

	"github.com/couchbase/gocbcore/v10/memd"
)

// nudges are the pauses after which a connection without a bucket gets a new
// revision of what it has. gocb loses a configuration that comes while it is
// still setting itself up, which loopback is fast enough for, and would then
// wait for a newer one.
var nudges = []time.Duration{5 * time.Millisecond, 50 * time.Millisecond, 500 * time.Millisecond}

// watch tells the client of each configuration newer than seen until the
// connection ends.
func (s *session) watch(bucket string, seen int64, nudges []time.Duration) {
	d := s.node.data
	for {
		rev, changed := d.revision()
		if rev != seen && !s.notify(bucket, rev) {
			return
		}
		seen = rev
		var nudge <-chan time.Time
		if len(nudges) > 0 {
			nudge = time.After(nudges[0])
		}
		select {
		case <-changed:
		case <-nudge:
			nudges = nudges[1:]
			d.nudge()
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

func (d *data) nudge() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.revise()
}
