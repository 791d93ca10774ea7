package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/config"
)

var quoted = regexp.MustCompile("`([^`]+)`")

// The table of docs/configuration.md has every setting, by flag, variable and
// default, and no other.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{} // cells by variable
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && strings.Contains(cells[2], "RAGNAV_") {
			for _, name := range variables(cells[2]) {
				rows[name] = cells
			}
		}
	}
	for _, s := range config.Settings() {
		cells := rows[s.Env]
		switch {
		case cells == nil:
			t.Errorf("docs/configuration.md has no row for %s", s.Name())
		case s.Flag != "" && !strings.Contains(cells[1], "`--"+s.Flag+"`"):
			t.Errorf("docs/configuration.md does not name the flag of %s", s.Name())
		case s.Default != "" && !strings.Contains(cells[3], "`"+s.Default+"`"):
			t.Errorf("docs/configuration.md has%sas the default of %s, want %s", cells[3], s.Name(), s.Default)
		}
		delete(rows, s.Env)
	}
	for name := range rows {
		t.Errorf("docs/configuration.md has %s, which is no setting", name)
	}
}

// variables are the names in a cell, where "_MODEL" behind `RAGNAV_LLM_URL`
// stands for RAGNAV_LLM_MODEL.
func variables(cell string) []string {
	var names []string
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		name := m[1]
		if strings.HasPrefix(name, "_") {
			name = strings.Join(strings.SplitN(names[0], "_", 3)[:2], "_") + name
		}
		names = append(names, name)
	}
	return names
}
