package cbtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

func (w *web) listScopes(x *exchange, r *http.Request) {
	w.withBucket(x, r, func(b *bucket) { x.json(http.StatusOK, b.manifest()) })
}

func (w *web) createScope(x *exchange, r *http.Request) {
	w.withBucket(x, r, func(b *bucket) {
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
	w.withScope(x, r, func(b *bucket, s *scope) {
		if s.name == "_default" || s.name == "_system" {
			x.json(http.StatusBadRequest, wrong("_", fmt.Sprintf("Deleting %s scope is not allowed", s.name)))
			return
		}
		w.node.data.dropScope(b, s)
		x.manifestID(b)
	})
}

func (w *web) createCollection(x *exchange, r *http.Request) {
	w.withScope(x, r, func(b *bucket, s *scope) {
		form, _ := url.ParseQuery(string(x.in))
		name := form.Get("name")
		ttl, _ := strconv.ParseUint(form.Get("maxTTL"), 10, 32) // -1, no expiry at all, is the default here
		switch {
		case !collectionName.MatchString(name):
			x.json(http.StatusBadRequest, wrong("name", "First character must not be _ or %"))
		case !b.addCollection(s, name, uint32(ttl)):
			x.json(http.StatusBadRequest,
				wrong("_", fmt.Sprintf("Collection with name %q in scope %q already exists", name, s.name)))
		default:
			x.manifestID(b)
		}
	})
}

func (w *web) dropCollection(x *exchange, r *http.Request) {
	w.withScope(x, r, func(b *bucket, s *scope) {
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
func (w *web) withScope(x *exchange, r *http.Request, f func(*bucket, *scope)) {
	w.withBucket(x, r, func(b *bucket) {
		s := b.scope(r.PathValue("scope"))
		if s == nil {
			x.json(http.StatusNotFound, wrong("_", fmt.Sprintf("Scope with name %q is not found", r.PathValue("scope"))))
			return
		}
		f(b, s)
	})
}

// manifestID answers with the uid of the manifest after a change.
func (x *exchange) manifestID(b *bucket) {
	x.json(http.StatusOK, map[string]string{"uid": fmt.Sprintf("%x", b.uid)})
}
