package main

import (
	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/couchbase/setup"
)

func newSetup(s *cli.Session) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "setup",
		Short:   "Prepare a server that ragnav keeps its index on",
		Example: `  ragnav setup couchbase --store couchbase://localhost/ragnav.code`,
		Args:    cli.Arguments(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSetupCouchbase(s))
	return cmd
}

func newSetupCouchbase(s *cli.Session) *cobra.Command {
	var o setup.Options
	createBucket := true
	cmd := &cobra.Command{
		Use:   "couchbase",
		Short: "Create bucket, scope, collections and indexes on a Couchbase cluster",
		Long: `Create what a store on a Couchbase cluster needs: bucket, scope, collections, the
SQL++ indexes and the search index, and wait until they are built. What is there
already stays as it is, so the command can be repeated at any time.

When the search index is of other dimensions, similarity or fields than this
program needs, a second one is built beside it; servers move to it once it is
complete, and answer from the old one until then.

The user needs the rights to do so; RAGNAV_COUCHBASE_USERNAME and
RAGNAV_COUCHBASE_PASSWORD name it. docs/couchbase.md tells more.`,
		Example: `  ragnav setup couchbase --store couchbase://localhost/ragnav.code
  ragnav setup couchbase --store couchbases://cb.example.cloud.couchbase.com/ragnav.code --create-bucket=false`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.Config.Embedded() {
				return fault.New(fault.InvalidRequest,
					"--store (RAGNAV_STORE) names no cluster; give couchbase://HOST/BUCKET.SCOPE. The embedded store needs no setup")
			}
			progress := func(line string) {
				if !s.Quiet {
					s.Screen.Printf("%s\n", s.Screen.Safe(line))
				}
			}
			o.ExistingBucket = !createBucket
			return app.SetupCouchbase(cmd.Context(), s.Config, o, progress)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&createBucket, "create-bucket", true,
		"create the bucket when it is missing (Capella: create it there, and say false)")
	flags.IntVar(&o.BucketRAMMiB, "bucket-ram", 512, "memory quota of a new bucket, in MiB")
	flags.IntVar(&o.Partitions, "partitions", 0,
		"partitions of the search index (default: as it has now, 1 for the first)")
	flags.IntVar(&o.Replicas, "replicas", 0,
		"replicas of the indexes, each needs one more search node and index node (default: of the search index as it has "+
			"now, none for the first; of new SQL++ indexes one where there are two index nodes)")
	flags.BoolVar(&o.DropOld, "drop-old", false, "drop a search index that was replaced")
	return cmd
}
