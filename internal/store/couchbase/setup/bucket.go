package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// defaultBucketRAM is the memory quota of a new bucket, in MiB.
const defaultBucketRAM = 512

// makeBucket makes the bucket when there is none.
func makeBucket(ctx context.Context, u *setup, cluster *gocb.Cluster) error {
	name := u.config.Bucket
	_, err := cluster.Buckets().GetBucket(name, &gocb.GetBucketOptions{Timeout: u.config.OpTimeout, Context: ctx})
	switch {
	case err == nil, driver.StatusOf(err) == 403: // who may only use a bucket may not look at its settings
		u.say("bucket %s: there", name)
	case !isNoBucket(err):
		return failed(ctx, u.config, "look for the bucket "+name, "Read-Only Admin", err)
	case u.options.ExistingBucket:
		return fault.Wrap(fault.RAGUnavailable, err,
			"the cluster at %s has no bucket %s; make it by hand, in Capella under Data Tools, and run this again",
			u.config.ConnStr, name)
	default:
		if err := createBucket(ctx, u, cluster); err != nil {
			return err
		}
	}
	patient := u.config
	patient.ReadyTimeout = max(u.config.ReadyTimeout, u.options.Pace.Passing)
	err = driver.AwaitReady(ctx, patient, cluster.Bucket(name), []gocb.ServiceType{gocb.ServiceTypeKeyValue})
	if errors.Is(err, gocb.ErrBucketNotFound) {
		return fault.Wrap(fault.RAGUnavailable, err,
			"the cluster at %s has no bucket %s that user %q may use; make it by hand, or run this as a user with the role "+
				"Cluster Admin",
			u.config.ConnStr, name, u.config.Username)
	}
	return err
}

// createBucket keeps a second copy of the data where there is a second node to
// keep it: with a copy that has no node, durable writes are impossible.
func createBucket(ctx context.Context, u *setup, cluster *gocb.Cluster) error {
	name, ram, replicas := u.config.Bucket, cmp.Or(u.options.BucketRAMMiB, defaultBucketRAM), uint32(0)
	if u.nodes.Count("kv") > 1 {
		replicas = 1
	}
	err := cluster.Buckets().CreateBucket(gocb.CreateBucketSettings{BucketSettings: gocb.BucketSettings{
		Name: name, BucketType: gocb.CouchbaseBucketType, RAMQuotaMB: uint64(max(ram, 0)), NumReplicas: replicas,
		ReplicaIndexDisabled: true,
	}}, &gocb.CreateBucketOptions{Timeout: u.config.OpTimeout, Context: ctx})
	if err != nil && !isExisting(err) {
		return failed(ctx, u.config, fmt.Sprintf("make the bucket %s with %d MiB of memory", name, ram), "Cluster Admin", err)
	}
	u.say("bucket %s: made, %d MiB of memory, %s", name, ram, models.Counted(int(replicas), "replica"))
	return nil
}

// makeScope makes scope and collections, those that are not there, and waits
// until they can be used.
func makeScope(ctx context.Context, u *setup, bucket *gocb.Bucket) error {
	manager, scope, roles := bucket.CollectionsV2(), u.config.Scope, "Manage Scopes (bucket "+u.config.Bucket+")"
	scopes, err := manager.GetAllScopes(&gocb.GetAllScopesOptions{Timeout: u.config.OpTimeout, Context: ctx})
	if err != nil {
		return failed(ctx, u.config, "list the collections", roles, err)
	}
	i := slices.IndexFunc(scopes, func(s gocb.ScopeSpec) bool { return s.Name == scope })
	var have []gocb.CollectionSpec
	if i >= 0 {
		have = scopes[i].Collections
	} else if err := manager.CreateScope(scope,
		&gocb.CreateScopeOptions{Timeout: u.config.OpTimeout, Context: ctx}); err != nil && !isExisting(err) {
		return failed(ctx, u.config, "make the scope "+scope, roles, err)
	}
	for _, name := range []string{driver.DocumentsCollection, driver.RecordsCollection} {
		if slices.ContainsFunc(have, func(c gocb.CollectionSpec) bool { return c.Name == name }) {
			u.say("collection %s.%s: there", scope, name)
		} else {
			err := manager.CreateCollection(scope, name, nil,
				&gocb.CreateCollectionOptions{Timeout: u.config.OpTimeout, Context: ctx})
			if err != nil && !isExisting(err) {
				return failed(ctx, u.config, "make the collection "+scope+"."+name, roles, err)
			}
			u.say("collection %s.%s: made", scope, name)
		}
		if err := awaitCollection(ctx, u, bucket.Scope(scope).Collection(name)); err != nil {
			return err
		}
	}
	return nil
}

// awaitCollection waits until every data node knows a collection.
func awaitCollection(ctx context.Context, u *setup, c *gocb.Collection) error {
	err := insist(ctx, u.options.Pace, func(error) bool { return true }, func() error {
		_, err := c.Exists("-", &gocb.ExistsOptions{Timeout: u.config.OpTimeout, Context: ctx})
		return err
	})
	if err != nil {
		return failed(ctx, u.config, "use the collection "+u.config.Scope+"."+c.Name(), "Data Reader and Data Writer", err)
	}
	return nil
}
