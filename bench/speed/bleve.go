package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/vector/codes"
)

// bareBleve is the CPU of a search for the same words in an index of bleve's own
// making, of the symbols' contents.
func bareBleve(ctx context.Context, b *bench, documents int, texts []string) string {
	if documents > b.bleveUpTo {
		return fmt.Sprintf("SKIPPED above %d", b.bleveUpTo)
	}
	cpu, err := timeBleve(ctx, b, texts)
	if err != nil {
		return "SKIPPED: " + err.Error()
	}
	return fmt.Sprintf("%.2f ms", millis(cpu))
}

func timeBleve(ctx context.Context, b *bench, texts []string) (cpu time.Duration, err error) {
	dir, err := os.MkdirTemp("", "ragnav-bleve")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	index, err := bleve.New(dir+"/index", bleve.NewIndexMapping())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, index.Close()) }()
	if err := eachSymbol(ctx, b.data, index); err != nil {
		return 0, err
	}
	for round := range b.rounds + 1 {
		if round == 1 {
			cpu = -ownCPU()
		}
		for _, text := range texts {
			if _, err := index.SearchInContext(ctx, bleve.NewSearchRequest(bleve.NewMatchQuery(text))); err != nil {
				return 0, err
			}
		}
	}
	return (cpu + ownCPU()) / time.Duration(b.rounds*len(texts)), nil
}

// eachSymbol puts the contents of all symbols of the store into an index.
func eachSymbol(ctx context.Context, dir string, index bleve.Index) (err error) {
	store, err := embedded.Open(ctx, dir, embedded.Options{Dims: disk.DimsOf(dir), ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }() //nolint:contextcheck // Close takes none
	batch := index.NewBatch()
	put := func(ids []models.DocumentID) error {
		docs, err := store.Documents(ctx, ids)
		for _, d := range docs {
			if d.Type == models.TypeSymbol {
				err = errors.Join(err, batch.Index(string(d.ID), map[string]string{"text": d.Content}))
			}
		}
		if err == nil && batch.Size() >= 2000 {
			err = index.Batch(batch)
			batch = index.NewBatch()
		}
		return err
	}
	err = store.Records(ctx, models.CollectionRepos, func(id string, _ json.RawMessage) error {
		return store.Records(ctx, models.FilesCollection(models.RepoID(id)), func(_ string, value json.RawMessage) error {
			var rec models.FileRecord
			if err := json.Unmarshal(value, &rec); err != nil {
				return err
			}
			return put(rec.Documents)
		})
	})
	if err != nil {
		return err
	}
	return index.Batch(batch)
}

// loops times reading memory, and the kernel of the vector pass over as much of it.
func loops(out io.Writer) {
	const dims, rows, rounds = 256, 1 << 20, 5
	table, query, dots := make([]int8, dims*rows), make([]int8, dims), make([]int32, 256)
	for i := range table {
		table[i] = int8(rand.IntN(255) - 127) //nolint:gosec // -127 to 127, and no secret
	}
	copy(query, table)
	fastest := func(pass func()) float64 {
		best := time.Hour
		for range rounds {
			before := ownCPU()
			pass()
			best = min(best, ownCPU()-before)
		}
		return float64(len(table)) / best.Seconds() / 1e9
	}
	into := make([]int8, 1<<16)
	memory := fastest(func() {
		for at := 0; at < len(table); at += len(into) {
			copy(into, table[at:])
		}
	})
	kernel := fastest(func() {
		for at := 0; at < len(table); at += dims * len(dots) {
			codes.DotInt8Rows(dots, query, table[at:][:dims*len(dots)])
		}
	})
	fmt.Fprintf(out, "memory is read with %.1f GB/s of CPU time, by the vector pass with %.1f\n", memory, kernel)
}
