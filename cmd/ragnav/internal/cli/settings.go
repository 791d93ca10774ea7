package cli

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

// DefaultTimeout is the limit for one operation; an index run has none.
const DefaultTimeout = 30 * time.Second

// IndexOnly are the settings that only an index run in this process needs.
var IndexOnly = []string{"max-file-size", "workers", "content"}

// AddSettings gives cmd a flag for each of the named settings.
func AddSettings(cmd *cobra.Command, persistent bool, names ...string) {
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

// UsageError is an error of the command line itself: exit code 2, with the
// command whose help explains it.
func UsageError(cmd *cobra.Command, err error) error {
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

// Arguments wraps a check of positional arguments so that its error is a
// usageError that says which are wanted, unless the check says itself what is wrong.
func Arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		if fault.CodeOf(err) == fault.InvalidRequest {
			return UsageError(cmd, err)
		}
		if _, want, _ := strings.Cut(cmd.Use, " "); want != "" {
			return UsageError(cmd, fault.New(fault.InvalidRequest, "%s wants %s", cmd.CommandPath(), want))
		}
		cmd.SuggestionsMinimumDistance = 2
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return UsageError(cmd,
				fault.New(fault.InvalidRequest, "%s has no command %q; did you mean %s?", cmd.CommandPath(), args[0],
					strings.Join(near, ", ")))
		}
		return UsageError(cmd, fault.New(fault.InvalidRequest, "%s takes no argument %q", cmd.CommandPath(), args[0]))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
