package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
)

// defaultTimeout is the limit for one operation; an index run has none.
const defaultTimeout = 30 * time.Second

// indexOnly are the settings that only an index run in this process needs.
var indexOnly = []string{"max-file-size", "workers", "content"}

func newRoot(s *session) *cobra.Command {
	root := &cobra.Command{
		Use:   "ragnav",
		Short: "Find, read and follow code across repositories",
		Long: `Find, read and follow code across repositories, by meaning and by words.

Index a repository once, then search it at the level of symbols, files,
modules, repositories or documents. No server is needed; while an api-server
owns the data directory, ragnav talks to it by itself.

Exit codes: 0 done; 1 internal error, or a check or an index run failed;
2 bad arguments; 3 not found; 4 not allowed; 5 not ready, or in use;
6 no answer in time; 130 interrupted.`,
		Example: `  ragnav index ~/src/project
  ragnav search "parse an RFC 3339 timestamp" --level symbol
  ragnav file project internal/clock/parse.go:10-40`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return s.configure(cmd)
		},
	}
	root.SetFlagErrorFunc(usageError)
	globalFlags(root, s)
	root.AddCommand(newIndex(s), newSearch(s), newAsk(s), newChat(s), newPlan(s), newContext(s), newStructure(s), newFile(s), newOutline(s), newMap(s), newNav(s), newMCP(s), newInit(s), newRepos(s),
		newRemove(s), newCoverage(s), newJobs(s), newWatch(s), newDoctor(s), newBackup(s), newRestore(s), newSetup(s), newVersion(s))
	manPages(root)
	return root
}

func globalFlags(root *cobra.Command, s *session) {
	flags := root.PersistentFlags()
	addSettings(root, true, "store", "repos-dir", "embedder", "config")
	flags.StringVar(&s.server, "server", "", "`URL` of an api-server to use instead of the store [RAGNAV_SERVER]")
	flags.DurationVar(&s.timeout, "timeout", defaultTimeout, "limit for one operation")
	flags.BoolVar(&s.json, "json", false, "print the reply as the REST API gives it")
	flags.BoolVar(&s.text, "text", false, "print the reply as agents get it: Markdown of at most 8,000 tokens")
	flags.BoolVar(&s.quiet, "quiet", false, "print no progress and no hints")
}

// addSettings gives cmd a flag for each of the named settings.
func addSettings(cmd *cobra.Command, persistent bool, names ...string) {
	flags := cmd.Flags()
	if persistent {
		flags = cmd.PersistentFlags()
	}
	byName := map[string]config.Setting{}
	for _, setting := range config.Settings() {
		byName[setting.Flag] = setting
	}
	for _, name := range names {
		setting := byName[name]
		flags.String(name, setting.Default, fmt.Sprintf("%s [%s]", setting.Usage, setting.Env))
	}
}

// usageError is an error of the command line itself: exit code 2, with the
// command whose help explains it.
func usageError(cmd *cobra.Command, err error) error {
	hint := ""
	if strings.HasPrefix(err.Error(), "unknown shorthand flag") {
		hint = "; put -- before what begins with a dash and is no flag"
	}
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := filter.Nearest(name, names); len(near) > 0 {
			return fault.Wrap(fault.InvalidRequest, err, "%s; did you mean --%s?", err.Error(), strings.Join(near, ", --"))
		}
	}
	return fault.Wrap(fault.InvalidRequest, err, "%s%s; see `%s --help`", firstLine(err.Error()), hint, cmd.CommandPath())
}

// arguments wraps a check of positional arguments so that its error is a
// usageError that says which are wanted, unless the check says itself what is wrong.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		if fault.CodeOf(err) == fault.InvalidRequest {
			return usageError(cmd, err)
		}
		if _, want, _ := strings.Cut(cmd.Use, " "); want != "" {
			return usageError(cmd, fault.New(fault.InvalidRequest, "%s wants %s", cmd.CommandPath(), want))
		}
		cmd.SuggestionsMinimumDistance = 2
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return usageError(cmd, fault.New(fault.InvalidRequest, "%s has no command %q; did you mean %s?", cmd.CommandPath(), args[0], strings.Join(near, ", ")))
		}
		return usageError(cmd, fault.New(fault.InvalidRequest, "%s takes no argument %q", cmd.CommandPath(), args[0]))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
