package cbtest

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
)

// vbuckets is the number of partitions of a bucket.
const vbuckets = 64

// firstID is the first id of a scope or collection that somebody creates.
const firstID = 10

// A bucket holds scopes, collections, documents and indexes. data.mu guards
// all of it.
type bucket struct {
	name, uuid string
	settings   bucketSettings
	uid        uint64 // of the collections manifest, changes with it
	nextID     uint32
	scopes     []*scope
	partitions [vbuckets]partition
	indexes    []*gsi
	search     *engine
	fed        [vbuckets]uint64 // guarded by feeder.mu
}

// partition is a vBucket: where mutation tokens come from.
type partition struct{ uuid, seqno uint64 }

type scope struct {
	id          uint32
	name        string
	collections []*collection
}

type collection struct {
	id          uint32
	scope, name string
	docs        map[string]*document
	expiring    int // how many documents have an expiry
}

// newBucket returns a bucket with the scopes that every one has.
func newBucket(name string, settings bucketSettings, search *engine, v version) *bucket {
	b := &bucket{
		name: name, uuid: hex.EncodeToString(random(16)), settings: settings, uid: 1, nextID: firstID,
		search: search,
	}
	for i := range b.partitions {
		// Below 2^53, so that the uuid survives clients that keep numbers as floats.
		b.partitions[i].uuid = binary.BigEndian.Uint64(random(8)) >> 11
	}
	b.scopes = []*scope{{name: "_default", collections: []*collection{newCollection(0, "_default", "_default")}}}
	if v.systemCollection() {
		b.scopes = append(b.scopes, &scope{id: 8, name: "_system", collections: []*collection{
			newCollection(8, "_system", "_mobile"), newCollection(9, "_system", "_query"),
		}})
	}
	return b
}

func newCollection(id uint32, scope, name string) *collection {
	return &collection{id: id, scope: scope, name: name, docs: map[string]*document{}}
}

func (b *bucket) scope(name string) *scope {
	for _, s := range b.scopes {
		if s.name == name {
			return s
		}
	}
	return nil
}

func (b *bucket) collection(scope, name string) *collection {
	if s := b.scope(scope); s != nil {
		return s.collection(name)
	}
	return nil
}

func (s *scope) collection(name string) *collection {
	for _, c := range s.collections {
		if c.name == name {
			return c
		}
	}
	return nil
}

func (b *bucket) collectionByID(id uint32) *collection {
	for _, s := range b.scopes {
		for _, c := range s.collections {
			if c.id == id {
				return c
			}
		}
	}
	return nil
}

// addScope creates a scope; false when there is one of that name.
func (b *bucket) addScope(name string) bool {
	if b.scope(name) != nil {
		return false
	}
	b.scopes = append(b.scopes, &scope{id: b.takeID(), name: name})
	return true
}

// addCollection creates a collection in s; false when there is one of that name.
func (b *bucket) addCollection(s *scope, name string) bool {
	if s.collection(name) != nil {
		return false
	}
	s.collections = append(s.collections, newCollection(b.takeID(), s.name, name))
	return true
}

func (b *bucket) takeID() uint32 {
	id := b.nextID
	b.nextID++
	b.uid++
	return id
}

// dropCollection removes a collection without its documents' traces in the
// search index; see data.dropCollection.
func (b *bucket) dropCollection(c *collection) {
	s := b.scope(c.scope)
	s.collections = slices.DeleteFunc(s.collections, func(o *collection) bool { return o == c })
	b.indexes = slices.DeleteFunc(b.indexes, func(g *gsi) bool { return g.scope == c.scope && g.collection == c.name })
	b.uid++
}

// manifest is the collections manifest as the cluster manager sends it.
func (b *bucket) manifest() map[string]any {
	scopes := make([]any, 0, len(b.scopes))
	for _, s := range b.scopes {
		collections := make([]any, 0, len(s.collections))
		for _, c := range s.collections {
			collections = append(collections,
				map[string]any{"name": c.name, "uid": hexID(c.id), "maxTTL": 0, "history": false})
		}
		scopes = append(scopes, map[string]any{"name": s.name, "uid": hexID(s.id), "collections": collections})
	}
	return map[string]any{"uid": fmt.Sprintf("%x", b.uid), "scopes": scopes}
}

// path is how the Search service names a collection.
func (c *collection) path() string { return c.scope + "." + c.name }

// vbucket is the partition of key: the same function as in every client.
func vbucket(key string) int {
	return int(crc32.ChecksumIEEE([]byte(key))>>16) & 0x7fff % vbuckets
}

func hexID(id uint32) string { return fmt.Sprintf("%x", id) }

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}
