package search

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// pipelines are folders and files of what runs when something is pushed.
var pipelines = strings.Fields(
	".github/workflows/ .github/actions/ .gitlab-ci .circleci/ .travis. azure-pipelines cloudbuild. Jenkinsfile")

func isPipeline(file string) bool {
	return slices.ContainsFunc(pipelines, func(p string) bool {
		at := strings.Index(file, p)
		return at == 0 || at > 0 && (file[at-1] == '/' || file[at-1] == '.')
	})
}

// asksFormat reports whether a query asks for the kind of file that a document is of.
func asksFormat(q goal, h *models.Header) bool {
	switch {
	case h.Type != models.TypeSymbol && h.Type != models.TypeFile:
		return false
	case q.Parts != nil && asksPart(q, h):
		return true
	case q.Formats.Files() != 0:
		return q.Formats.Files()&formatOf(h) != 0
	}
	return q.Asks && q.WantsBuilds && isPipeline(h.FilePath)
}

// asksPart reports whether a query asks for parts of configuration like a symbol.
func asksPart(q goal, h *models.Header) bool {
	return texts[h.Language] && slices.ContainsFunc(q.Parts, func(p intent.Part) bool {
		return h.Kind == p.Kind && (p.Names == nil || slices.ContainsFunc(p.Names, func(name string) bool {
			return hasFolded(h.SymbolName, name)
		}))
	})
}

// formatOf is what a document may be asked for as.
func formatOf(h *models.Header) intent.Formats {
	if isPipeline(h.FilePath) {
		return intent.FormatWorkflow
	}
	switch h.Language {
	case "YAML":
		switch base := path.Base(h.FilePath); {
		case h.Kind == "step", h.Kind == "stage":
			return intent.FormatWorkflow
		case strings.Contains(base, "compose"):
			return intent.FormatContainer
		case strings.Contains(base, "openapi"), strings.Contains(base, "swagger"):
			return intent.FormatSchema
		}
		return intent.FormatCluster | intent.FormatPlaybook
	case "Jinja":
		return intent.FormatPlaybook
	case "HCL":
		return intent.FormatTerraform | intent.FormatCluster
	case "Dockerfile":
		return intent.FormatContainer
	case "Protocol Buffer", "GraphQL":
		return intent.FormatSchema
	case "SQL", "PLpgSQL", "PLSQL", "TSQL", "SQLPL":
		return intent.FormatSQL
	}
	return 0
}

// ofModule is the factor of a document for its part in a module of Terraform or a chart of
// Helm: what it takes and gives is declared in files of their own, and what settles a
// thing has its words once more.
func ofModule(q goal, h *models.Header) float64 {
	switch h.Language {
	case "HCL":
		switch base := path.Base(h.FilePath); {
		case q.Formats&intent.FormatOutputs == 0 && (h.Kind == "output" || base == "outputs.tf" || base == "output.tf"):
			return penaltyBulk
		case q.Formats&intent.FormatInputs == 0 && base == "variables.tf":
			return penaltyProto
		}
	case "YAML":
		const asked = intent.FormatCluster | intent.FormatInputs
		switch base := path.Base(h.FilePath); {
		case strings.HasSuffix(path.Dir(h.FilePath), "/ci") && strings.Contains(base, "values"):
			return penaltyTest // chart-testing installs a chart with each
		case q.Formats&asked == asked && (base == "values.yaml" || base == "values.yml"):
			return weightKind
		}
	}
	return 1
}
