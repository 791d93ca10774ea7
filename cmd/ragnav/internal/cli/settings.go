package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/config"
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
