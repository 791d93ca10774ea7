package definition

import (
	"cmp"
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// LiveIndexKey is the record of CollectionMeta that names the index in use: setup
// builds another and then changes the record. Without it that is BaseIndexName.
const LiveIndexKey = "search_index"

// A LiveRecord is the record LiveIndexKey.
type LiveRecord struct {
	Name string `json:"name"`
}

// Live is the name of the index that servers use, and the version of the
// record that says so, 0 when there is none.
func Live(ctx context.Context, st interface {
	Versioned(ctx context.Context, collection, key string, v any) (uint64, error)
},
) (name string, version uint64, err error) {
	var rec LiveRecord
	version, err = st.Versioned(ctx, models.CollectionMeta, LiveIndexKey, &rec)
	return cmp.Or(rec.Name, BaseIndexName), version, err
}
