package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ragnavSystem asks a running api-server.
type ragnavSystem struct{ server, mode string }

// envelope is the part of a reply that is measured.
type envelope struct {
	Meta struct {
		Message  *string `json:"message"`
		Warnings []struct {
			Message string `json:"message"`
		} `json:"warnings"`
	} `json:"meta"`
	Items []struct {
		DocumentID string  `json:"document_id"`
		FilePath   *string `json:"file_path"`
		SymbolName *string `json:"symbol_name"`
	} `json:"items"`
}

func (r ragnavSystem) search(ctx context.Context, q query) ([]answer, error) {
	body, err := json.Marshal(map[string]any{
		"query": q.Query, "level": q.Level, "repo_filter": q.Repo, "mode": r.mode, "limit": depth, "preview": true,
	})
	if err != nil {
		return nil, err
	}
	url := strings.TrimRight(r.server, "/") + "/api/rag/search"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var reply envelope
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return nil, fmt.Errorf("%q: %w", q.Query, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%q: %s: %s", q.Query, resp.Status, text(reply.Meta.Message))
	}
	if len(reply.Meta.Warnings) > 0 {
		return nil, errors.New("degraded reply, not measured: " + reply.Meta.Warnings[0].Message)
	}
	return answers(reply), nil
}

// answers takes a symbol's qualified name from the end of its document id
// "symbol:REPO:PATH:NAME".
func answers(reply envelope) []answer {
	var list []answer
	for _, item := range reply.Items {
		a := answer{path: text(item.FilePath), symbol: text(item.SymbolName)}
		if _, name, ok := strings.Cut(item.DocumentID, ":"+a.path+":"); ok && name != "" {
			a.symbol = name
		}
		list = append(list, a)
	}
	return list
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
