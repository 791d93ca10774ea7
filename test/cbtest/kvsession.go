package cbtest

import (
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/couchbase/gocbcore/v10/memd"
)

// features are those that the node grants when a client says hello.
var features = map[memd.HelloFeature]bool{
	memd.FeatureXattr:                  true,
	memd.FeatureXerror:                 true,
	memd.FeatureSelectBucket:           true,
	memd.FeatureJSON:                   true,
	memd.FeatureCollections:            true,
	memd.FeatureTCPNoDelay:             true,
	memd.FeatureSeqNo:                  true,
	memd.FeatureUnorderedExec:          true,
	memd.FeatureAltRequests:            true,
	memd.FeatureSyncReplication:        true,
	memd.FeaturePreserveExpiry:         true,
	memd.FeatureClusterMapKnownVersion: true,

	memd.FeatureClustermapChangeNotificationBrief: true, // from 7.6
}

func (s *session) hello(p *memd.Packet) memd.Packet {
	var granted []byte
	for i := 0; i+1 < len(p.Value); i += 2 {
		f := memd.HelloFeature(binary.BigEndian.Uint16(p.Value[i:]))
		if f == memd.FeatureClustermapChangeNotificationBrief {
			s.pushes = s.node.version.pushesConfig()
			if !s.pushes {
				continue
			}
		}
		if features[f] {
			granted = append(granted, p.Value[i:i+2]...)
			s.conn.EnableFeature(f)
		}
	}
	return memd.Packet{Value: granted}
}

// errorMap is empty: the client knows all statuses that the node sends.
func (s *session) errorMap(*memd.Packet) memd.Packet {
	return memd.Packet{Value: []byte(`{"version":2,"revision":1,"errors":{}}`)}
}

// selectBucket tells everybody who may use some bucket that there is none of
// that name; the server tells that an administrator only.
func (s *session) selectBucket(p *memd.Packet) memd.Packet {
	d := s.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bucket(string(p.Key)) == nil {
		return memd.Packet{Status: memd.StatusKeyNotFound}
	}
	s.bucket = string(p.Key)
	return memd.Packet{}
}

// clusterConfig answers with nothing when the client has the newest already.
func (s *session) clusterConfig(p *memd.Packet) memd.Packet {
	d := s.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.pushes && !s.watching {
		s.watching = true
		bucket, rev := s.bucket, d.rev
		s.wg.Go(func() { s.watch(bucket, rev) })
	}
	if len(p.Extras) == 16 && binary.BigEndian.Uint64(p.Extras[8:]) == uint64(d.rev) {
		return memd.Packet{}
	}
	return jsonPacket(s.node.clusterConfig(d.bucket(s.bucket), d.rev))
}

// collectionID resolves "scope.collection".
func (s *session) collectionID(p *memd.Packet) memd.Packet {
	d := s.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.bucket(s.bucket)
	if b == nil {
		return memd.Packet{Status: memd.StatusNoBucket}
	}
	scope, name, ok := strings.Cut(string(p.Value), ".")
	switch {
	case !ok:
		return memd.Packet{Status: memd.StatusInvalidArgs}
	case b.scope(scope) == nil:
		return unknown(b, memd.StatusScopeUnknown)
	case b.collection(scope, name) == nil:
		return unknown(b, memd.StatusCollectionUnknown)
	}
	extras := binary.BigEndian.AppendUint64(nil, b.uid)
	extras = binary.BigEndian.AppendUint32(extras, b.collection(scope, name).id)
	return memd.Packet{Extras: extras}
}

// unknown tells a client that a scope or collection does not exist, and in
// which manifest it does not.
func unknown(b *bucket, status memd.StatusCode) memd.Packet {
	p := jsonPacket(map[string]any{"manifest_uid": hexID(uint32(b.uid))})
	p.Status = status
	return p
}

func jsonPacket(v any) memd.Packet {
	value, _ := json.Marshal(v) // maps, strings and numbers only
	return memd.Packet{Value: value, Datatype: uint8(memd.DatatypeFlagJSON)}
}

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
