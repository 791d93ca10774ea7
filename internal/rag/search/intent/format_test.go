package intent

import "testing"

func TestFormats(t *testing.T) {
	for text, want := range map[string]Formats{
		"helm value for replicas of the server":            FormatCluster,
		"Pod Disruption Budgets of the adapter":            FormatCluster,
		"network policies":                                 FormatCluster,
		"terraform resource of the bucket":                 FormatTerraform,
		"the task that installs nginx":                     FormatPlaybook,
		"Dockerfile of the checkout service":               FormatContainer,
		"GitHub workflow that runs the end to end tests":   FormatWorkflow,
		"which workflow publishes charts":                  FormatWorkflow,
		"which workflow is cancelled when its parent ends": 0,
		"rpc that signs a certificate":                     FormatSchema,
		"an RPC client that retries":                       0,
		"SQL function that adds a job":                     FormatSQL,
		"which port does the service expose":               0,
		"how are routes matched":                           0,
	} {
		if got := Of(text); got.Formats.Files() != want {
			t.Errorf("%q asks for formats %b, want %b", text, got.Formats.Files(), want)
		}
	}
}

func TestConfigurationMayBeText(t *testing.T) {
	for text, want := range map[string]bool{
		"which port does the service expose": true, "which port is parsed": false, "healthcheck of the database": true,
		"environment variables of wireguard": true, "default of the timeout": false,
	} {
		if got := Of(text).WantsTexts; got != want {
			t.Errorf("%q wants texts: %v, want %v", text, got, want)
		}
	}
}
