// Package embed turns text into unit vectors. Builtin is a static token table
// inside the binary, which needs no model runtime and no network; package openai asks a
// server. A Manifest says which embedder made a vector, since those of different ones can't be
// compared; a Key stands for that and the input.
package embed

import (
	"context"
	"errors"
)

// ErrRefused is in the error of inputs of which an embedder can't make vectors,
// however often it is asked. Of others it may.
var ErrRefused = errors.New("the embedder refuses this text")

// An Embedder makes vectors of Manifest().Dims components and length 1. A text
// without any usable token has a nil vector. Results are in the order of the
// inputs. Methods may be called concurrently.
type Embedder interface {
	Manifest() Manifest
	// Queries embeds texts that ask for something.
	Queries(ctx context.Context, texts []string) ([][]float32, error)
	// Documents embeds texts that may be found.
	Documents(ctx context.Context, inputs []Input) ([][]float32, error)
}

// An Input is a document to embed: its text and the names that weigh more.
type Input struct {
	Text   string // code with its comments, or prose; the first 5,000 bytes count
	Name   string // of the symbol, or a heading
	Parent string // enclosing type or receiver
	File   string // the file's name without folder and extension
}

// A Manifest identifies an embedder. Vectors of different manifests must not
// be compared, so it is stored with an index and checked when it is opened.
type Manifest struct {
	Provider       string `json:"provider"`
	Model          string `json:"model"`
	Revision       string `json:"revision"` // checksum of the model, where known
	Dims           int    `json:"dims"`
	QueryPrefix    string `json:"query_prefix,omitempty"`
	DocumentPrefix string `json:"document_prefix,omitempty"`
}
