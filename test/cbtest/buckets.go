package cbtest

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
)

// bucketSettings are those that the node remembers.
type bucketSettings struct{ quotaMB, replicas int }

// The names that the server takes.
var (
	bucketName     = regexp.MustCompile(`^[A-Za-z0-9_.%-]{1,100}$`)
	collectionName = regexp.MustCompile(`^[A-Za-z0-9-][A-Za-z0-9_%-]{0,250}$`)
)

// buckets registers the management of buckets, scopes and collections.
func (w *web) buckets() {
	const bucket, scopes = "/pools/default/buckets/{bucket}", "/pools/default/buckets/{bucket}/scopes"
	w.handle("POST /pools/default/buckets", w.createBucket)
	w.handle("GET "+bucket, w.getBucket)
	w.handle("GET "+scopes, w.listScopes)
	w.handle("POST "+scopes, w.createScope)
	w.handle("DELETE "+scopes+"/{scope}", w.dropScope)
	w.handle("POST "+scopes+"/{scope}/collections", w.createCollection)
	w.handle("DELETE "+scopes+"/{scope}/collections/{collection}", w.dropCollection)
}

func (w *web) createBucket(x *exchange, _ *http.Request) {
	form, err := url.ParseQuery(string(x.in))
	if err != nil {
		x.json(http.StatusBadRequest, wrong("_", err.Error()))
		return
	}
	s, field, problem := parseBucket(form)
	if problem != "" {
		x.json(http.StatusBadRequest, wrong(field, problem))
		return
	}
	d := w.node.data
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bucket(form.Get("name")) != nil {
		x.json(http.StatusBadRequest, wrong("name", "Bucket with given name already exists."))
		return
	}
	d.addBucket(form.Get("name"), s)
	x.status = http.StatusAccepted
}

// parseBucket reads the form of a new bucket; problem is about field.
func parseBucket(form url.Values) (s bucketSettings, field, problem string) {
	if !bucketName.MatchString(form.Get("name")) {
		return s, "name", "Bucket name can only contain characters in range A-Z, a-z, 0-9 as well as underscore, period, " +
			"dash & percent."
	}
	s.quotaMB, _ = strconv.Atoi(form.Get("ramQuotaMB"))
	if s.quotaMB < 100 {
		return s, "ramQuota", "RAM quota cannot be less than 100 MiB"
	}
	s.replicas, _ = strconv.Atoi(form.Get("replicaNumber"))
	return s, "", ""
}

func (w *web) getBucket(x *exchange, r *http.Request) {
	withBucket(w.node, x, r, func(b *bucket) { x.json(http.StatusOK, b.describe()) })
}

func (b *bucket) describe() map[string]any {
	ram := b.settings.quotaMB << 20
	return map[string]any{
		"name": b.name, "uuid": b.uuid, "bucketType": "membase", "controllers": map[string]string{},
		"nodeLocator": "vbucket", "quota": map[string]int{"ram": ram, "rawRAM": ram},
		"replicaNumber": b.settings.replicas, "replicaIndex": false, "evictionPolicy": "valueOnly", "maxTTL": 0,
		"compressionMode": "passive", "durabilityMinLevel": "none", "storageBackend": "couchstore",
		"conflictResolutionType": "seqno", "numVBuckets": vbuckets,
	}
}

// wrong is the cluster manager's form of an error about a field; "_" is none.
func wrong(field, message string) map[string]any {
	return map[string]any{"errors": map[string]string{field: message}}
}

func (w *web) listScopes(x *exchange, r *http.Request) {
	withBucket(w.node, x, r, func(b *bucket) { x.json(http.StatusOK, b.manifest()) })
}

func (w *web) createScope(x *exchange, r *http.Request) {
	withBucket(w.node, x, r, func(b *bucket) {
		form, _ := url.ParseQuery(string(x.in))
		name := form.Get("name")
		switch {
		case !collectionName.MatchString(name):
			x.json(http.StatusBadRequest, wrong("name", "First character must not be _ or %"))
		case !b.addScope(name):
			x.json(http.StatusBadRequest, wrong("_", fmt.Sprintf("Scope with name %q already exists", name)))
		default:
			x.manifestID(b)
		}
	})
}

func (w *web) dropScope(x *exchange, r *http.Request) {
	withScope(w, x, r, func(b *bucket, s *scope) {
		if s.name == "_default" || s.name == "_system" {
			x.json(http.StatusBadRequest, wrong("_", fmt.Sprintf("Deleting %s scope is not allowed", s.name)))
			return
		}
		w.node.data.dropScope(b, s)
		x.manifestID(b)
	})
}

func (w *web) createCollection(x *exchange, r *http.Request) {
	withScope(w, x, r, func(b *bucket, s *scope) {
		form, _ := url.ParseQuery(string(x.in))
		name := form.Get("name")
		switch {
		case !collectionName.MatchString(name):
			x.json(http.StatusBadRequest, wrong("name", "First character must not be _ or %"))
		case !b.addCollection(s, name):
			x.json(http.StatusBadRequest,
				wrong("_", fmt.Sprintf("Collection with name %q in scope %q already exists", name, s.name)))
		default:
			x.manifestID(b)
		}
	})
}

func (w *web) dropCollection(x *exchange, r *http.Request) {
	withScope(w, x, r, func(b *bucket, s *scope) {
		c := s.collection(r.PathValue("collection"))
		if c == nil {
			x.json(http.StatusNotFound,
				wrong("_", fmt.Sprintf("Collection with name %q in scope %q is not found", r.PathValue("collection"), s.name)))
			return
		}
		w.node.data.dropCollection(b, c)
		x.manifestID(b)
	})
}

// withScope is withBucket for the scope of the path.
func withScope(w *web, x *exchange, r *http.Request, f func(*bucket, *scope)) {
	withBucket(w.node, x, r, func(b *bucket) {
		s := b.scope(r.PathValue("scope"))
		if s == nil {
			x.json(http.StatusNotFound, wrong("_", fmt.Sprintf("Scope with name %q is not found", r.PathValue("scope"))))
			return
		}
		f(b, s)
	})
}
