package index_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A cluster is the data of a store that several processes share: records have
// versions and may expire.
type cluster struct {
	*memory

	versions map[models.RecordID]uint64
	expires  map[models.RecordID]time.Time
	last     uint64        // version given out
	ahead    time.Duration // of the clock by which records expire
	early    []string      // records of fresh repositories that came before searches saw their documents
}

func newCluster() *cluster {
	return &cluster{
		memory: newMemory(), versions: map[models.RecordID]uint64{}, expires: map[models.RecordID]time.Time{},
	}
}

// pass has time go by for the records that expire.
func (c *cluster) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

func (c *cluster) clock() time.Time { return time.Now().Add(c.ahead) }

// put writes a record; c.mu is held.
func (c *cluster) put(id models.RecordID, v any, expiry time.Duration) (uint64, error) {
	value, err := json.Marshal(v)
	if err != nil {
		return 0, err
	}
	c.last++
	c.records[id], c.versions[id] = value, c.last
	delete(c.expires, id)
	if expiry > 0 {
		c.expires[id] = c.clock().Add(expiry)
	}
	return c.last, nil
}

// drop deletes a record; c.mu is held.
func (c *cluster) drop(id models.RecordID) {
	delete(c.records, id)
	delete(c.versions, id)
	delete(c.expires, id)
}

// expire drops what has expired.
func (c *cluster) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, at := range c.expires {
		if !c.clock().Before(at) {
			c.drop(id)
		}
	}
}

var errDead = errors.New("the process was killed")

// A node is a cluster as one process sees it.
type node struct {
	*cluster

	gate      sync.Mutex
	dead      error                 // of every call
	frozen    chan struct{}         // every call waits for it to be closed
	steps     int                   // writes of batches until the process is killed; negative: any number
	written   int                   // writes of batches
	unsettled map[models.RepoID]int // changes of documents that searches may not see
	order     *rand.Rand            // of the writes of a phase
	onApply   func(ctx context.Context, b models.Batch) error
	onSwapped func(collection, key string) error // after it was carried out
	onSettle  func(ctx context.Context) error
}

// peer is the cluster as another process sees it.
func (c *cluster) peer() *node {
	return &node{
		cluster: c, steps: -1, unsettled: map[models.RepoID]int{}, order: rand.New(rand.NewPCG(1, 2)),
	}
}

// kill makes the process fail from now on as if it were not there.
func (n *node) kill() { n.fail(errDead) }

// away cuts the process from the cluster; back ends that.
func (n *node) away() { n.fail(fault.New(fault.RAGUnavailable, "the store does not answer")) }
func (n *node) back() { n.fail(nil) }

func (n *node) fail(err error) {
	n.gate.Lock()
	defer n.gate.Unlock()
	n.dead = err
}

// freeze has the process stand still in its next call; thaw lets it go on.
func (n *node) freeze() (thaw func()) {
	n.gate.Lock()
	defer n.gate.Unlock()
	frozen := make(chan struct{})
	n.frozen = frozen
	return func() {
		n.gate.Lock()
		n.frozen = nil
		n.gate.Unlock()
		close(frozen)
	}
}

// enter is the beginning of every call.
func (n *node) enter(ctx context.Context) error {
	n.gate.Lock()
	frozen := n.frozen
	n.gate.Unlock()
	if frozen != nil {
		<-frozen
	}
	n.gate.Lock()
	defer n.gate.Unlock()
	n.expire()
	if n.dead != nil {
		return n.dead
	}
	return ctx.Err()
}

// writes is how much this process has written in batches.
func (n *node) writes() int {
	n.gate.Lock()
	defer n.gate.Unlock()
	return n.written
}

func (n *node) Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error) {
	if err := n.enter(ctx); err != nil {
		return nil, err
	}
	return n.memory.Documents(ctx, ids)
}

// Embeddings looks at the documents near only, as the store on a cluster does.
func (n *node) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	near []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	docs, err := n.Documents(ctx, near)
	found := map[models.EmbeddingKey][]float32{}
	for _, d := range docs {
		if slices.Contains(keys, d.EmbeddingKey) {
			found[d.EmbeddingKey] = d.Embedding
		}
	}
	return found, err
}

func (n *node) Record(ctx context.Context, collection, key string, v any) (bool, error) {
	version, err := n.Versioned(ctx, collection, key, v)
	return version != 0, err
}

func (n *node) Records(ctx context.Context, collection string, yield func(string, json.RawMessage) error) error {
	if err := n.enter(ctx); err != nil {
		return err
	}
	return n.memory.Records(ctx, collection, yield)
}

func (n *node) Versioned(ctx context.Context, collection, key string, v any) (uint64, error) {
	if err := n.enter(ctx); err != nil {
		return 0, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	id := models.RecordID{Collection: collection, Key: key}
	value, ok := n.records[id]
	if !ok || v == nil {
		return n.versions[id], nil
	}
	return n.versions[id], json.Unmarshal(value, v)
}

//nolint:revive // the arguments are those of index.Shared
func (n *node) Swap(ctx context.Context, collection, key string, version uint64, v any, expiry time.Duration) (uint64,
	error,
) {
	if err := n.enter(ctx); err != nil {
		return 0, err
	}
	version, err := n.swap(models.RecordID{Collection: collection, Key: key}, version, v, expiry)
	if err == nil && n.onSwapped != nil {
		err = n.onSwapped(collection, key)
	}
	return version, err
}

func (n *node) swap(id models.RecordID, version uint64, v any, expiry time.Duration) (uint64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.versions[id] != version {
		return 0, fault.New(fault.Conflict, "%v has version %d, not %d", id, n.versions[id], version)
	}
	if v == nil {
		n.drop(id)
		return 0, nil
	}
	return n.put(id, v, expiry)
}

func (n *node) Settle(ctx context.Context) error {
	if n.onSettle != nil {
		if err := n.onSettle(ctx); err != nil {
			return err
		}
	}
	if err := n.enter(ctx); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.unsettled)
	return nil
}

// Apply writes one thing after the other: those of a phase in any order, the
// phases in that of the store in the cluster.
func (n *node) Apply(ctx context.Context, b models.Batch) error {
	if n.onApply != nil {
		if err := n.onApply(ctx, b); err != nil {
			return err
		}
	}
	for _, phase := range n.phases(b) {
		n.mu.Lock()
		n.order.Shuffle(len(phase), func(i, j int) { phase[i], phase[j] = phase[j], phase[i] })
		n.mu.Unlock()
		for _, write := range phase {
			if err := n.step(ctx, write); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *node) step(ctx context.Context, write func() error) error {
	if err := n.enter(ctx); err != nil {
		return err
	}
	n.gate.Lock()
	if n.steps == 0 {
		n.dead = errDead
	} else {
		n.steps--
		n.written++
	}
	dead := n.dead
	n.gate.Unlock()
	if dead != nil {
		return dead
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return write()
}

// phases are the writes of a batch in groups, one after the other.
func (n *node) phases(b models.Batch) [][]func() error {
	var repos, docs, records, put, putRecords []func() error
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(n.docs)) {
		if slices.Contains(b.DeleteRepos, n.docs[id].RepoID) {
			repos = append(repos, func() error { return n.deleteDocument(id) })
		}
	}
	for _, id := range b.Delete {
		docs = append(docs, func() error { return n.deleteDocument(id) })
	}
	for _, id := range slices.SortedFunc(maps.Keys(n.records), compareIDs) {
		if slices.Contains(b.DeleteRecords, id) ||
			slices.Contains(b.DeleteRecords, models.RecordID{Collection: id.Collection}) {
			records = append(records, func() error { n.drop(id); return nil })
		}
	}
	for _, d := range b.Put {
		put = append(put, func() error { n.docs[d.ID] = d; n.unsettled[d.RepoID]++; return nil })
	}
	for _, r := range b.PutRecords {
		putRecords = append(putRecords, func() error { return n.putRecord(r) })
	}
	return [][]func() error{repos, docs, records, put, putRecords}
}

func compareIDs(a, b models.RecordID) int {
	return cmp.Or(strings.Compare(a.Collection, b.Collection), strings.Compare(a.Key, b.Key))
}

func (n *node) deleteDocument(id models.DocumentID) error {
	if d, ok := n.docs[id]; ok {
		delete(n.docs, id)
		n.unsettled[d.RepoID]++
	}
	return nil
}

func (n *node) putRecord(r models.Record) error {
	if known, ok := r.Value.(models.Repository); ok && known.State == models.StateFresh && known.LastError == "" &&
		n.unsettled[known.RepoID] > 0 {
		n.early = append(n.early, fmt.Sprintf("%s: %d changes", known.RepoID, n.unsettled[known.RepoID]))
	}
	_, err := n.put(models.RecordID{Collection: r.Collection, Key: r.Key}, r.Value, 0)
	return err
}

// leases are the jobs that have repositories.
func (c *cluster) leases() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := map[string]string{}
	for id, value := range c.records {
		if id.Collection == "leases" {
			found[id.Key] = string(value)
		}
	}
	return found
}

// content is everything but jobs, leases and times.
func (m *memory) content() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[string]string{}
	for id, value := range m.records {
		var known models.Repository
		switch id.Collection {
		case "jobs", "leases":
			continue
		case models.CollectionRepos:
			_ = json.Unmarshal(value, &known)
			known.LastIndexedAt, known.Runs = time.Time{}, 0
			value, _ = json.Marshal(known)
		}
		found[id.Collection+" "+id.Key] = string(value)
	}
	for id, d := range m.docs {
		d.Created, d.Updated = time.Time{}, time.Time{}
		found[string(id)] = fmt.Sprintf("%+v", d)
	}
	return found
}

var _ records.Shared = (*node)(nil)

func diffContent(want, got map[string]string) string { return gocmp.Diff(want, got) }

func newOrder(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 1)) }

// someTime is in the past of bubbles with the clock of setUpServer.
var someTime = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

// CountOf implements index.Shared.
func (n *node) CountOf(ctx context.Context, repo models.RepoID) (int, error) {
	if err := n.enter(ctx); err != nil {
		return 0, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	found := 0
	for _, d := range n.docs {
		if d.RepoID == repo {
			found++
		}
	}
	return found, nil
}

// Reconcile implements index.Shared. Each deletion is a write.
func (n *node) Reconcile(ctx context.Context, repo models.RepoID, ids []models.DocumentID) (removed int,
	missing []models.DocumentID, err error,
) {
	if err := n.enter(ctx); err != nil {
		return 0, nil, err
	}
	wanted := map[models.DocumentID]bool{}
	n.mu.Lock()
	for _, id := range ids {
		wanted[id] = true
		if _, there := n.docs[id]; !there {
			missing = append(missing, id)
		}
	}
	var ghosts []models.DocumentID
	for id, d := range n.docs {
		if d.RepoID == repo && !wanted[id] {
			ghosts = append(ghosts, id)
		}
	}
	n.mu.Unlock()
	slices.Sort(ghosts)
	for _, id := range ghosts {
		if err := n.step(ctx, func() error { return n.deleteDocument(id) }); err != nil {
			return 0, nil, err
		}
	}
	return len(ghosts), missing, nil
}
