package cbtest

import (
	"encoding/binary"

	"github.com/couchbase/gocbcore/v10/memd"
)

// A place is what a document command works on. data.mu is held.
type place struct {
	data       *data
	bucket     *bucket
	collection *collection
}

// inCollection makes a command of one that works on a collection.
func inCollection(f func(place, *memd.Packet) memd.Packet) command {
	return func(s *session, p *memd.Packet) memd.Packet {
		d := s.node.data
		d.mu.Lock()
		defer d.mu.Unlock()
		b := d.bucket(s.bucket)
		if b == nil {
			return memd.Packet{Status: memd.StatusNoBucket}
		}
		c := b.collectionByID(p.CollectionID)
		if c == nil {
			return unknown(b, memd.StatusCollectionUnknown)
		}
		return f(place{d, b, c}, p)
	}
}

func get(at place, p *memd.Packet) memd.Packet {
	doc := at.data.get(at.bucket, at.collection, string(p.Key))
	if doc == nil {
		return memd.Packet{Status: memd.StatusKeyNotFound}
	}
	return documentPacket(doc)
}

func documentPacket(doc *document) memd.Packet {
	r := memd.Packet{Value: doc.value, Cas: doc.cas, Extras: binary.BigEndian.AppendUint32(nil, doc.flags)}
	if doc.json {
		r.Datatype = uint8(memd.DatatypeFlagJSON)
	}
	return r
}

// getMeta is how gocb asks whether a document exists.
func getMeta(at place, p *memd.Packet) memd.Packet {
	doc := at.data.get(at.bucket, at.collection, string(p.Key))
	if doc == nil {
		return memd.Packet{Status: memd.StatusKeyNotFound}
	}
	extras := binary.BigEndian.AppendUint32(nil, 0) // not deleted
	extras = binary.BigEndian.AppendUint32(extras, doc.flags)
	extras = binary.BigEndian.AppendUint32(extras, doc.expiry)
	extras = binary.BigEndian.AppendUint64(extras, doc.seqno)
	return memd.Packet{Cas: doc.cas, Extras: append(extras, documentPacket(doc).Datatype)}
}

func store(at place, p *memd.Packet) memd.Packet {
	if len(p.Extras) != 8 {
		return memd.Packet{Status: memd.StatusInvalidArgs}
	}
	t, status := at.data.store(at.bucket, at.collection, write{
		command:        p.Command,
		key:            string(p.Key),
		value:          p.Value,
		flags:          binary.BigEndian.Uint32(p.Extras),
		expiry:         binary.BigEndian.Uint32(p.Extras[4:]),
		preserveExpiry: p.PreserveExpiryFrame != nil,
		cas:            p.Cas,
	})
	return mutationPacket(t, status)
}

func remove(at place, p *memd.Packet) memd.Packet {
	return mutationPacket(at.data.delete(at.bucket, at.collection, string(p.Key), p.Cas))
}

// mutationPacket answers a write with the document's new version and the token
// that others wait for.
func mutationPacket(t token, status memd.StatusCode) memd.Packet {
	if status != memd.StatusSuccess {
		return memd.Packet{Status: status}
	}
	extras := binary.BigEndian.AppendUint64(nil, t.vbuuid)
	return memd.Packet{Cas: t.cas, Extras: binary.BigEndian.AppendUint64(extras, t.seqno)}
}
