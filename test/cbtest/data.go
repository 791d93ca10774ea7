package cbtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/couchbase/gocbcore/v10/memd"
)

// data is what the node keeps while it is stopped.
type data struct {
	node *Node

	mu      sync.Mutex
	rev     int64         // of the cluster configuration
	changed chan struct{} // closed and replaced with each revision
	buckets []*bucket
	engines []*engine // of all buckets there ever were
	lastCAS uint64
}

func newData(n *Node) *data {
	return &data{node: n, rev: 1, changed: make(chan struct{})}
}

// revise makes a new revision of the cluster configuration.
func (d *data) revise() {
	d.rev++
	close(d.changed)
	d.changed = make(chan struct{})
}

// seed creates a bucket with the two collections of the store.
func (d *data) seed(name, scope string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.addBucket(name, bucketSettings{quotaMB: 256})
	if scope != "_default" && !b.addScope(scope) {
		return fmt.Errorf("cbtest: scope %q exists in every bucket", scope)
	}
	for _, c := range []string{"documents", "records"} {
		b.addCollection(b.scope(scope), c)
	}
	return nil
}

// close ends the Search service. Nobody uses the node any more.
func (d *data) close() {
	for _, e := range d.engines {
		e.close()
	}
}

// addBucket creates a bucket whose name is free.
func (d *data) addBucket(name string, s bucketSettings) *bucket {
	engine := newEngine(d.node)
	b := newBucket(name, s, engine, d.node.version)
	d.engines = append(d.engines, engine)
	d.buckets = append(d.buckets, b)
	d.revise()
	return b
}

func (d *data) bucket(name string) *bucket {
	for _, b := range d.buckets {
		if b.name == name {
			return b
		}
	}
	return nil
}

// get returns the live document under key, nil for none.
func (d *data) get(b *bucket, c *collection, key string) *document {
	doc := c.docs[key]
	if doc == nil || !doc.expired(d.node.opts.Now()) {
		return doc
	}
	d.remove(b, c, key)
	return nil
}

// store carries out w.
func (d *data) store(b *bucket, c *collection, w write) (token, memd.StatusCode) {
	if status := d.checkWrite(c, w); status != memd.StatusSuccess {
		return token{}, status
	}
	old := d.get(b, c, w.key)
	if status := checkOld(old, w); status != memd.StatusSuccess {
		return token{}, status
	}
	doc := &document{value: w.value, flags: w.flags, json: json.Valid(w.value)}
	doc.expiry = expireAt(w.expiry, d.node.opts.Now())
	if w.preserveExpiry && old != nil {
		doc.expiry = old.expiry
	}
	return d.put(b, c, w.key, doc), memd.StatusSuccess
}

func (d *data) checkWrite(c *collection, w write) memd.StatusCode {
	switch {
	case !checkKey(c, w.key), w.command == memd.CmdAdd && w.cas != 0:
		return memd.StatusInvalidArgs
	case len(w.value) > maxValue:
		return memd.StatusTooBig
	}
	return memd.StatusSuccess
}

// checkOld tells what the command and its CAS say to what is there.
func checkOld(old *document, w write) memd.StatusCode {
	switch {
	case w.command == memd.CmdAdd && old != nil:
		return memd.StatusKeyExists
	case old == nil && (w.command == memd.CmdReplace || w.cas != 0):
		return memd.StatusKeyNotFound
	case w.cas != 0 && old.cas != w.cas:
		return memd.StatusKeyExists
	}
	return memd.StatusSuccess
}

// put stores doc under the next sequence number and hands it to the search
// index.
func (d *data) put(b *bucket, c *collection, key string, doc *document) token {
	old := c.docs[key]
	if old != nil && old.expiry != 0 {
		c.expiring--
	}
	if doc.expiry != 0 {
		c.expiring++
	}
	t := d.mutate(b, c, key, doc)
	doc.cas, doc.seqno = t.cas, t.seqno
	c.docs[key] = doc
	return t
}

// delete removes the document under key; cas 0 is any.
func (d *data) delete(b *bucket, c *collection, key string, cas uint64) (token, memd.StatusCode) {
	if !checkKey(c, key) {
		return token{}, memd.StatusInvalidArgs
	}
	doc := d.get(b, c, key)
	switch {
	case doc == nil:
		return token{}, memd.StatusKeyNotFound
	case cas != 0 && doc.cas != cas:
		return token{}, memd.StatusKeyExists
	}
	return d.remove(b, c, key), memd.StatusSuccess
}

// remove deletes the document under key, which is there.
func (d *data) remove(b *bucket, c *collection, key string) token {
	if c.docs[key].expiry != 0 {
		c.expiring--
	}
	delete(c.docs, key)
	return d.mutate(b, c, key, nil)
}

// mutate counts a mutation and feeds it; doc is nil for a deletion.
func (d *data) mutate(b *bucket, c *collection, key string, doc *document) token {
	d.lastCAS = max(d.lastCAS+1, uint64(time.Now().UnixNano()))
	vb := vbucket(key)
	p := &b.partitions[vb]
	p.seqno++
	f := feed{bucket: b, collection: c.path(), key: key, vbucket: vb, seqno: p.seqno}
	if doc != nil && doc.json {
		f.json = doc.value
	}
	d.node.feeder.add(f)
	return token{cas: d.lastCAS, vbuuid: p.uuid, seqno: p.seqno}
}

// expire removes what has expired in b, as the server's pager does some time.
func (d *data) expire(b *bucket) {
	now := d.node.opts.Now()
	for _, s := range b.scopes {
		for _, c := range s.collections {
			if c.expiring > 0 {
				d.expireIn(b, c, now)
			}
		}
	}
}

func (d *data) expireIn(b *bucket, c *collection, now time.Time) {
	for key, doc := range c.docs {
		if doc.expired(now) {
			d.remove(b, c, key)
		}
	}
}

func (d *data) dropCollection(b *bucket, c *collection) {
	for key := range c.docs {
		d.remove(b, c, key)
	}
	b.dropCollection(c)
}

func (d *data) dropScope(b *bucket, s *scope) {
	for _, c := range slices.Clone(s.collections) {
		d.dropCollection(b, c)
	}
	b.scopes = slices.DeleteFunc(b.scopes, func(o *scope) bool { return o == s })
	b.uid++
}

func (d *data) len(bucket, scope, name string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.bucket(bucket)
	if b == nil {
		return 0
	}
	c := b.collection(scope, name)
	if c == nil {
		return 0
	}
	d.expire(b)
	return len(c.docs)
}

// collectionPath names a collection for Calls; "?" when there is none.
func (d *data) collectionPath(bucket string, id uint32) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b := d.bucket(bucket); b != nil {
		if c := b.collectionByID(id); c != nil {
			return c.path()
		}
	}
	return "?"
}
