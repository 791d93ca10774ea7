package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/config"
)

func TestLLM(t *testing.T) {
	for name, tc := range map[string]struct {
		env  map[string]string
		want string // in the error
	}{
		"none": {},
		"both": {env: map[string]string{
			"RAGNAV_LLM_URL": "http://127.0.0.1:11434", "RAGNAV_LLM_MODEL": "m",
			"RAGNAV_LLM_API_KEY": "k", "RAGNAV_LLM_TIMEOUT": "2m",
		}},
		"no model": {
			env:  map[string]string{"RAGNAV_LLM_URL": "http://a:1"},
			want: "RAGNAV_LLM_URL and RAGNAV_LLM_MODEL: a language model needs both",
		},
		"no URL": {env: map[string]string{"RAGNAV_LLM_MODEL": "m"}, want: "needs both"},
		"no URL of a web": {
			env:  map[string]string{"RAGNAV_LLM_URL": "a:1", "RAGNAV_LLM_MODEL": "m"},
			want: "RAGNAV_LLM_URL: not the URL of a server",
		},
		"a tiny window": {
			env:  map[string]string{"RAGNAV_LLM_CONTEXT": "100"},
			want: "RAGNAV_LLM_CONTEXT: not a number in range",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := config.Load(nil, env(t.TempDir(), tc.env))
			switch {
			case tc.want != "":
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("got %v, want %q", err, tc.want)
				}
			case err != nil:
				t.Error(err)
			case name == "both" &&
				(c.LLM.URL != "http://127.0.0.1:11434/v1" || c.LLM.Timeout != 2*time.Minute || c.LLM.APIKey.String() != "***"):
				t.Errorf("got %+v", c.LLM)
			}
		})
	}
}
