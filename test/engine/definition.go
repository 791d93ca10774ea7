package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// A definition is an index definition that the server takes.
type definition struct {
	sent sentDefinition

	full       string // bucket.scope.name
	collection string // scope.collection of its documents
	previous   string // uuid of the index to update, "" to create, "*" for either
	typeField  string // the field that has the type of a document, "" for none
	mapping    *indexMapping
}

// A sentDefinition is the body of a PUT. Keys that are not here are ignored, as
// on the server, but for those inside of the mapping, which are refused.
type sentDefinition struct {
	Type         string          `json:"type"`
	Name         string          `json:"name"`
	UUID         string          `json:"uuid"`
	SourceType   string          `json:"sourceType"`
	SourceName   string          `json:"sourceName"`
	SourceUUID   string          `json:"sourceUUID,omitempty"`
	SourceParams json.RawMessage `json:"sourceParams,omitempty"`
	PlanParams   map[string]any  `json:"planParams,omitempty"`
	Params       params          `json:"params"`
}

type params struct {
	DocConfig docConfig       `json:"doc_config"`
	Mapping   json.RawMessage `json:"mapping"`
	Store     map[string]any  `json:"store"`
}

type docConfig struct {
	Mode             string `json:"mode"`
	TypeField        string `json:"type_field"`
	DocIDPrefixDelim string `json:"docid_prefix_delim"`
	DocIDRegexp      string `json:"docid_regexp"`
}

const (
	maxFullName      = 209
	sourcePartitions = 1024 // vBuckets, from which the server computes partitions
)

var indexName = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z_\-]*$`)

// parseDefinition reads a definition and checks it in the order, and with the
// words, of the server.
func parseDefinition(bucket, scope string, body []byte, o Options) (*definition, error) {
	sent := sentDefinition{Params: params{
		DocConfig: docConfig{Mode: "type_field", TypeField: "type"},
		Mapping:   json.RawMessage("{}"),
		Store:     map[string]any{"indexType": "scorch"},
	}}
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, fmt.Errorf("could not unmarshal json, indexName: %s, err: %w", sent.Name, err)
	}
	d := &definition{sent: sent, full: fullName(bucket, scope, sent.Name), previous: sent.UUID}
	switch {
	case sent.Name == "":
		return nil, errors.New("index name is required")
	case sent.Type == "":
		return nil, fmt.Errorf("index type is required, indexName: %s", sent.Name)
	case sent.SourceType == "":
		return nil, fmt.Errorf("sourceType is required, indexName: %s", sent.Name)
	}
	for _, check := range []func() error{
		d.checkName,
		func() error { return d.prepare(bucket, scope, o) },
		d.validate,
		func() error { return d.checkPlan(max(o.Nodes, 1)) },
	} {
		if err := check(); err != nil {
			return nil, creating(d.full, err)
		}
	}
	return d, nil
}

func (d *definition) checkName() error {
	switch {
	case d.previous == "" && !indexName.MatchString(d.sent.Name):
		return fmt.Errorf("manager_api: CreateIndex, indexName is invalid, indexName: %q", d.sent.Name)
	case len(d.full) > maxFullName:
		return fmt.Errorf("manager_api: CreateIndex, chosen index name is too long, consider one that is less than %d "+
			"characters", maxFullName)
	case d.sent.Type != "fulltext-index":
		return fmt.Errorf("manager_api: CreateIndex, unknown indexType: %s", d.sent.Type)
	}
	return nil
}

// prepare carries out the first half of the server's checks.
func (d *definition) prepare(bucket, scope string, o Options) error {
	m, err := newMapping(d.sent.Params.Mapping, o)
	if err == nil {
		err = d.sent.Params.DocConfig.check()
	}
	if err != nil {
		return fmt.Errorf("manager_api: CreateIndex, Prepare failed, err: bleve: Prepare, err: %w", err)
	}
	d.mapping = m
	err = d.checkCollections(bucket, scope)
	if err == nil {
		err = m.checkFeatures(o)
	}
	if err == nil {
		err = d.prepareStore()
	}
	if err != nil {
		return fmt.Errorf("manager_api: CreateIndex, Prepare failed, err: %w", err)
	}
	d.sent.SourceType = "gocbcore"
	return nil
}

// validate carries out the second half.
func (d *definition) validate() error {
	if kind := d.sent.Params.Store["indexType"]; kind != "scorch" {
		return fmt.Errorf("manager_api: CreateIndex, invalid, err: ValidateIndex, err: ValidateIndex, index validation "+
			"failed:"+
			" indexType: %v not supported on all nodes in cluster", kind)
	}
	if err := d.mapping.Validate(); err != nil {
		return fmt.Errorf("manager_api: CreateIndex, invalid, err: ValidateIndex, Mapping err: %w", err)
	}
	return nil
}

// checkPlan checks replicas, each of which needs a node.
func (d *definition) checkPlan(nodes int) error {
	replicas, ok := d.sent.PlanParams["numReplicas"].(float64)
	if ok && int(replicas) >= nodes {
		return fmt.Errorf("manager_api: CreateIndex failed, cluster needs %.0f search nodes to support the requested "+
			"replica count of %.0f",
			replicas+1, replicas)
	}
	partitions, ok := d.sent.PlanParams["indexPartitions"].(float64)
	if ok && partitions > sourcePartitions {
		return fmt.Errorf("cannot create index with %.0f partitions, source bucket '%s' has %d vbuckets", partitions,
			d.sent.SourceName, sourcePartitions)
	}
	return nil
}

// json is the definition as the server gives it back.
func (d *definition) json(uuid string) json.RawMessage {
	sent := d.sent
	sent.UUID = uuid
	sent.Params.Mapping = d.mapping.json
	data, _ := json.Marshal(sent)
	return data
}
