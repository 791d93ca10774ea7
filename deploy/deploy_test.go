// Package deploy_test checks the files of this folder as far as that goes
// without Docker: their form, and what must be true of every container.
package deploy_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/ragnav/ragnav/internal/config"
)

// A service is what the tests look at of one.
type service struct {
	Image       string            `yaml:"image"`
	Build       map[string]any    `yaml:"build"`
	Environment map[string]string `yaml:"environment"`
	Ports       []string          `yaml:"ports"`
	Restart     string            `yaml:"restart"`
	HealthCheck struct {
		Test    []string `yaml:"test"`
		Disable bool     `yaml:"disable"`
	} `yaml:"healthcheck"`
	DependsOn map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// services are those of the compose file, with the defaults of its variables.
func services(t *testing.T) map[string]service {
	t.Helper()
	variable := regexp.MustCompile(`\$\{[A-Z_]+:-([^}]*)\}`)
	text := variable.ReplaceAllString(read(t, "docker-compose.yml"), "$1")
	if rest := regexp.MustCompile(`\$\{?\w+`).FindString(text); rest != "" {
		t.Errorf("the variable %s… has no default", rest)
	}
	var file struct {
		Services map[string]service `yaml:"services"`
	}
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(yaml.FormatError(err, false, true))
	}
	want := []string{"api-server", "cluster-init", "couchbase", "ollama", "setup"}
	if got := slices.Sorted(maps.Keys(file.Services)); !slices.Equal(got, want) {
		t.Fatalf("services %q, want %q", got, want)
	}
	return file.Services
}

// What runs on says when it is healthy; what ends does not start again.
func TestServicesAreWatched(t *testing.T) {
	all := services(t)
	ends := map[string]bool{}
	for name, s := range all {
		for on, d := range s.DependsOn {
			switch d.Condition {
			case "service_completed_successfully":
				ends[on] = true
			case "service_healthy":
				if len(all[on].HealthCheck.Test) == 0 {
					t.Errorf("%s waits until %s is healthy, which never says so", name, on)
				}
			default:
				t.Errorf("%s depends on %s: %q waits for nothing", name, on, d.Condition)
			}
		}
	}
	for name, s := range all {
		switch {
		case ends[name] && (s.Restart != "no" || len(s.HealthCheck.Test) > 0):
			t.Errorf("%s ends, so it must not start again, nor be healthy", name)
		case !ends[name] && (s.Restart != "unless-stopped" || len(s.HealthCheck.Test) == 0 || s.HealthCheck.Disable):
			t.Errorf("%s runs on, so it needs a health check and restart: unless-stopped", name)
		}
	}
}

// Nothing changes under us when somebody pushes an image.
func TestImagesArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`:(\w+-)?\d+\.\d+(\.\d+)?(-[\w.]+)?$`)
	images := map[string]string{}
	for name, s := range services(t) {
		if s.Image != "ragnav:local" {
			images[name] = s.Image
		}
	}
	for _, line := range regexp.MustCompile(`(?m)^FROM (?:--\S+ )?(\S+)`).FindAllStringSubmatch(read(t, "Dockerfile"),
		-1) {
		images["Dockerfile, "+line[1]] = line[1]
	}
	if len(images) < 4 {
		t.Fatalf("only %d images found", len(images))
	}
	for where, image := range images {
		if !pinned.MatchString(image) {
			t.Errorf("%s: image %q has no version", where, image)
		}
	}
}

func TestPortsAreLoopback(t *testing.T) {
	n := 0
	for name, s := range services(t) {
		for _, port := range s.Ports {
			n++
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s: port %s can be reached from the network", name, port)
			}
		}
	}
	if n == 0 {
		t.Error("no ports found")
	}
}

// A variable that no program reads would be a setting without effect.
func TestVariablesAreSettings(t *testing.T) {
	known := map[string]bool{}
	for _, s := range config.Settings() {
		known[s.Env] = true
	}
	for _, name := range []string{"docker-compose.yml", ".env.example", "Dockerfile", "up.sh", "init-cluster.sh"} {
		for _, v := range regexp.MustCompile(`\bRAGNAV_[A-Z_]+`).FindAllString(read(t, name), -1) {
			if !known[v] {
				t.Errorf("%s: %s is not a setting", name, v)
			}
		}
	}
}

// The programs take the environment that the compose file gives them.
func TestEnvironmentIsAccepted(t *testing.T) {
	for _, name := range []string{"setup", "api-server"} {
		env := services(t)[name].Environment
		getenv := func(key string) string {
			if key == "XDG_DATA_HOME" { // as in the image
				return "/var/lib"
			}
			return env[key]
		}
		c, err := config.Resolve(nil, getenv)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Couchbase.ConnStr != "couchbase://couchbase" || c.Couchbase.Bucket != "ragnav" || c.Couchbase.Scope != "code" {
			t.Errorf("%s: store %+v", name, c.Couchbase)
		}
		if name == "api-server" && slices.Contains(c.AllowedHosts, "*") {
			t.Errorf("%s answers under any name", name)
		}
	}
}

// Every variable of the compose file is explained where people look for it.
func TestExampleNamesEveryVariable(t *testing.T) {
	example := read(t, ".env.example")
	byScript := []string{"VERSION", "RAGNAV_ALLOWED_HOSTS", "OLLAMA_IMAGE"}
	for _, v := range regexp.MustCompile(`\$\{([A-Z_]+):-([^}]*)\}`).FindAllStringSubmatch(read(t, "docker-compose.yml"),
		-1) {
		if !strings.Contains(example, "\n#"+v[1]+"="+v[2]+"\n") && !slices.Contains(byScript, v[1]) {
			t.Errorf(".env.example has no line #%s=%s", v[1], v[2])
		}
	}
}

// The server of the image starts as the head of its file says that it is run.
func TestImageIsRunAsItSays(t *testing.T) {
	text := read(t, "Dockerfile")
	run := regexp.MustCompile(`(?m)^# +docker run (.*) ragnav:local$`).FindStringSubmatch(text)
	if run == nil {
		t.Fatal("it does not say how it is run")
	}
	env := map[string]string{}
	for _, v := range regexp.MustCompile(`(?m)^(?:ENV| +)\s*([A-Z_]+)=([^\s\\]+)`).FindAllStringSubmatch(text, -1) {
		env[v[1]] = v[2]
	}
	for _, v := range regexp.MustCompile(`-e ([A-Z_]+)=(\S+)`).FindAllStringSubmatch(run[1], -1) {
		env[v[1]] = v[2]
	}
	c, err := config.Load(nil, func(key string) string { return env[key] })
	if err != nil || c.Addr != "0.0.0.0:8080" {
		t.Errorf("the server listens on %q: %v", c.Addr, err)
	}
	if c.APIToken == "" && !strings.Contains(run[1], "-p 127.0.0.1:") {
		t.Errorf("whoever comes is served: %s", run[0])
	}
}

func TestFinalImage(t *testing.T) {
	text := read(t, "Dockerfile")
	final := text[strings.LastIndex(text, "\nFROM "):]
	for _, want := range []string{
		`\nUSER [1-9]\d*:[1-9]\d*\n`, `\nHEALTHCHECK [^\n]*\\\n +CMD wget .*/healthz`, `\nEXPOSE 8080\n`,
		`\nVOLUME /var/lib/ragnav\n`,
		`RAGNAV_ADDR=0\.0\.0\.0:8080`, `\nENTRYPOINT \["api-server"\]\n`, `apk add .*\bgit\b`,
	} {
		if !regexp.MustCompile(want).MatchString(final) {
			t.Errorf("the final stage has no %s", want)
		}
	}
	for _, want := range []string{"CGO_ENABLED=1", "apk add --no-cache build-base", "-extldflags -static"} {
		if !strings.Contains(text, want) {
			t.Errorf("the build has no %s: grammars need cgo, and the programs are static", want)
		}
	}
	if strings.Contains(text, "BUILDPLATFORM") {
		t.Error("it is built on another platform than it is for, for which there is no C compiler")
	}
}
