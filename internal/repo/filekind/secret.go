package filekind

import (
	"fmt"
	"path"
	"strings"
)

// secretBases are the names of files that hold credentials by convention.
var secretBases = map[string]bool{
	".env": true, "id_rsa": true, "id_dsa": true, "id_ecdsa": true, "id_ed25519": true,
	".netrc": true, "_netrc": true, ".npmrc": true, ".pypirc": true, ".htpasswd": true, ".pgpass": true,
	".git-credentials": true, ".dockercfg": true, ".vault-token": true, ".s3cfg": true, ".boto": true,
	"credentials": true, "credentials.json": true,
	"api-token":   true, // of this program's own data directory, which may be within a repository
	"secrets.yml": true, "secrets.yaml": true, "secrets.json": true, "secrets.toml": true,
}

var secretExtensions = map[string]bool{
	".pem": true, ".key": true, ".p12": true, ".pfx": true, ".jks": true, ".keystore": true, ".kdbx": true,
	".env": true, ".ppk": true, ".tfstate": true, ".kubeconfig": true,
}

// secretPaths are names that only mean something in their folder.
var secretPaths = map[string]bool{
	".docker/config.json": true, ".kube/config": true,
}

// dataExtensions in a folder named credentials are credentials; code is not.
var dataExtensions = map[string]bool{
	".json": true, ".yml": true, ".yaml": true, ".ini": true, ".toml": true, ".csv": true, ".properties": true,
}

// Secret reports whether a file looks like a store of secrets by its path, and
// by which rule. Content is judged by Examine.
func Secret(p string) (rule string, ok bool) {
	p = strings.ToLower(p)
	base := path.Base(p)
	dir := path.Base(path.Dir(p))
	ext := path.Ext(base)
	switch {
	case secretBases[base]:
		return "named " + base, true
	case secretPaths[dir+"/"+base]:
		return fmt.Sprintf("named %s/%s", dir, base), true
	case strings.HasPrefix(base, ".env.") && ext != ".example" && ext != ".sample" && ext != ".template":
		return "named .env.*", true
	case secretExtensions[ext], strings.HasSuffix(base, ".tfstate.backup"):
		return "named *" + ext, true
	case ext == ".json" && (strings.HasPrefix(base, "service-account") || strings.HasPrefix(base, "service_account")):
		return "named service-account*.json", true
	case dir == "credentials" && dataExtensions[ext]:
		return "data in a folder named credentials", true
	}
	return "", false
}
