// Package api holds the description of the REST API.
package api

import _ "embed"

//go:embed openapi.yaml
var document string

// Document is the OpenAPI 3.1 document, as YAML.
func Document() string { return document }
