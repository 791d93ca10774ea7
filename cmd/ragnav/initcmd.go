package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/agents"
	"github.com/ragnav/ragnav/internal/fault"
)

func newInit(s *cli.Session) *cobra.Command {
	var remove, printed bool
	var folder string
	var names []string
	for _, c := range agents.Clients() {
		names = append(names, c.Name)
	}
	cmd := &cobra.Command{
		Use:   "init [CLIENT...]",
		Short: "Write ragnav into the configuration of agents",
		Long: `Write ragnav into the project's configuration of agents: ` + strings.Join(names, ", ") + `
(default: those that the project has traces of, else claude), and a marked section
for them and their subagents into AGENTS.md and CLAUDE.md. What else is in the files stays.`,
		Example: `  ragnav init
  ragnav init cursor vscode --print
  ragnav init --remove`,
		ValidArgs: names,
		Args:      cli.Arguments(cobra.OnlyValidArgs),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := cli.WorkRoot(folder)
			if err != nil {
				return err
			}
			if root == "" {
				return fault.New(fault.InvalidRequest, "%s is no project; go to one, or name it with --folder", folder)
			}
			changes, err := agents.Plan(os.DirFS(root), chosen(root, args, remove), remove)
			if err != nil {
				return fault.Wrap(fault.InvalidRequest, err, "nothing was written: %v", err)
			}
			if len(changes) == 0 {
				s.Screen.Printf("%s: nothing to do\n", root)
			}
			for _, c := range changes {
				if err := applyChange(s, root, c, printed); err != nil {
					return fault.Wrap(fault.InvalidRequest, err, "%s: %v; see what --print would write", c.Path, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "take out what init wrote")
	cmd.Flags().BoolVar(&printed, "print", false, "print the files as they would be, and write nothing")
	cmd.Flags().StringVar(&folder, "folder", ".", "the project")
	return cmd
}

// chosen are the clients that the arguments name, else those that the project
// uses; removing concerns all.
func chosen(root string, args []string, remove bool) []agents.Client {
	all := agents.Clients()
	var clients []agents.Client
	for _, c := range all {
		for _, name := range args {
			if c.Name == name {
				clients = append(clients, c)
			}
		}
	}
	if len(args) > 0 {
		return clients
	}
	if remove {
		return all
	}
	if used := agents.Used(os.DirFS(root)); len(used) > 0 {
		return used
	}
	return all[:1]
}

// applyChange writes a file, or prints it.
func applyChange(s *cli.Session, root string, c agents.Change, printed bool) error {
	file := filepath.Join(root, filepath.FromSlash(c.Path))
	switch {
	case printed:
		s.Screen.Printf("%s\n%s\n", emphasised(s, c.Path), s.Screen.Safe(c.After))
		return nil
	case c.Removed:
		s.Screen.Printf("removed %s\n", c.Path)
		return os.Remove(file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(c.After), 0o644); err != nil { //nolint:gosec // as other files of the project
		return err
	}
	s.Screen.Printf("wrote %s\n", c.Path)
	return nil
}

func emphasised(s *cli.Session, text string) string { return s.Screen.Styled(term.Bold, text) }
