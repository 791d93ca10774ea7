package records

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// EmbedderKey is the key of the embedder in models.CollectionMeta.
const EmbedderKey = "embedder"

// CheckEmbedder tells whether vectors of the embedder with manifest m can be
// compared with those in the store. When they can't it returns an
// IndexNotReady that names both. A store without vectors fits any embedder.
func CheckEmbedder(ctx context.Context, st Reader, m embed.Manifest) error {
	stored, err := EmbedderOf(ctx, st)
	if err != nil {
		return err
	}
	return m.Check(stored)
}

// EmbedderOf is the embedder that made the vectors in the store; zero without any.
func EmbedderOf(ctx context.Context, st Reader) (stored embed.Manifest, err error) {
	if _, err = st.Record(ctx, models.CollectionMeta, EmbedderKey, &stored); err != nil {
		return stored, fmt.Errorf("read the embedder of the index: %w", err)
	}
	return stored, nil
}
