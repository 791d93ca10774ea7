//go:build man

package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
)

// manPages adds the command that writes a manual page of each command. It is
// only in the program of `make man`, which needs what makes them.
func manPages(root *cobra.Command) {
	root.AddCommand(&cobra.Command{
		Use: "man FOLDER", Short: "Write a manual page of each command", Example: "  ragnav man dist/man", Hidden: true,
		Args: cli.Arguments(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "ragnav", Manual: "ragnav"}, args[0])
		},
	})
}
