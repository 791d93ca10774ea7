package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A replay is an index that remembers what the legs of searches brought, in a
// file: another order of the same candidates is tried in seconds, without a look
// at the store. What it was not asked before it asks the store.
type replay struct {
	search.Index

	mu   sync.Mutex
	kept recorded
	by   map[models.DocumentID]int // into kept.Headers
	grew bool
}

// recorded is what the file has.
type recorded struct {
	Headers []models.Header
	Results map[[16]byte]brought
}

type brought struct {
	Which        []int32 // into Headers
	Scores, Near []float64
	Total        int
}

// asked is a request with what the wire leaves out of it, and brings other hits for.
type asked struct {
	fts.Request

	Statistics fts.Query
	Near       []float32
}

// key is where the reply to a request is kept.
func key(req fts.Request) ([16]byte, error) {
	data, err := json.Marshal(asked{req, req.Statistics, req.Near})
	sum := sha256.Sum256(data)
	return [16]byte(sum[:]), err
}

func newReplay(st search.Index, file string) (*replay, error) {
	r := &replay{Index: st, kept: recorded{Results: map[[16]byte]brought{}}, by: map[models.DocumentID]int{}}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := gob.NewDecoder(bufio.NewReaderSize(f, 1<<20)).Decode(&r.kept); err != nil {
		return nil, err
	}
	for i, h := range r.kept.Headers {
		r.by[h.ID] = i
	}
	return r, nil
}

func (r *replay) save(file string) error {
	if !r.grew {
		return nil
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(gob.NewEncoder(w).Encode(r.kept), w.Flush(), f.Close())
}

// Search implements search.Index.
func (r *replay) Search(ctx context.Context, req fts.Request) (fts.Result, error) {
	k, err := key(req)
	if err != nil {
		return fts.Result{}, err
	}
	r.mu.Lock()
	b, ok := r.kept.Results[k]
	r.mu.Unlock()
	if ok {
		return r.result(b), nil
	}
	res, err := r.Index.Search(ctx, req)
	if err == nil {
		r.keep(k, res)
	}
	return res, err
}

func (r *replay) keep(k [16]byte, res fts.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := brought{Total: res.Total}
	for _, h := range res.Hits {
		b.Which = append(b.Which, int32(r.remember(h.Header))) //nolint:gosec // some 100,000
		b.Scores, b.Near = append(b.Scores, h.Score), append(b.Near, h.Near)
	}
	r.kept.Results[k], r.grew = b, true
}

func (r *replay) result(b brought) fts.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	res := fts.Result{Total: b.Total, Hits: make([]fts.Hit, len(b.Which)), Partitions: 1}
	for i, at := range b.Which {
		res.Hits[i] = fts.Hit{Header: r.kept.Headers[at], Score: b.Scores[i], Near: b.Near[i]}
	}
	return res
}

// Documents implements search.Index; of what they say only the header is kept.
func (r *replay) Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error) {
	docs := make([]models.Document, 0, len(ids))
	var unknown []models.DocumentID
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		if at, ok := r.by[id]; ok {
			docs = append(docs, models.Document{Header: r.kept.Headers[at]})
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return docs, nil
	}
	found, err := r.Index.Documents(ctx, unknown)
	for _, d := range found {
		r.remember(d.Header)
	}
	return append(docs, found...), err
}

// remember gives the place of a header.
func (r *replay) remember(h models.Header) int {
	at, ok := r.by[h.ID]
	if !ok {
		at, r.grew = len(r.kept.Headers), true
		r.by[h.ID] = at
		r.kept.Headers = append(r.kept.Headers, h)
	}
	return at
}
