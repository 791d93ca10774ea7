package config

import (
	"path/filepath"
	"testing"
)

func TestUserDataDir(t *testing.T) {
	root, err := filepath.Abs(string(filepath.Separator))
	if err != nil {
		t.Fatal(err)
	}
	xdg := filepath.Join(root, "xdg")
	for _, test := range []struct {
		name, goos string
		env        map[string]string
		want       string
	}{
		{name: "linux", goos: "linux", env: map[string]string{"HOME": "/h"}, want: "/h/.local/share/ragnav"},
		{
			name: "XDG", goos: "linux", env: map[string]string{"HOME": "/h", "XDG_DATA_HOME": xdg},
			want: filepath.Join(xdg, "ragnav"),
		},
		{
			name: "XDG must be absolute", goos: "linux", env: map[string]string{"HOME": "/h", "XDG_DATA_HOME": "x"},
			want: "/h/.local/share/ragnav",
		},
		{
			name: "macOS", goos: "darwin", env: map[string]string{"HOME": "/h", "XDG_DATA_HOME": xdg},
			want: "/h/Library/Application Support/ragnav",
		},
		{name: "Windows", goos: "windows", env: map[string]string{"LocalAppData": "/l"}, want: "/l/ragnav"},
		{name: "no home", goos: "linux", want: ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := userDataDir(test.goos, func(name string) string { return test.env[name] })
			if want := filepath.FromSlash(test.want); got != want {
				t.Errorf("userDataDir = %q, want %q", got, want)
			}
		})
	}
}
