package ollama

import (
	"os"
	"testing"
)

func TestGen(t *testing.T) {
	m := newModel()
	m.chain("<|turn0|>", `{"name": "search_code", `, `"parameters": {"query": "retry", `, `"level": "symbol"}}`)
	m.chain("<|turn1|>", `{"name": "get_file", `, `"parameters": {"repo_id": "app", "file_path": "client.go"}}`)
	m.chain("<|turn2|>", "Sending is tried ", "three times ", "[app/client.go:4]. ", "It never gives up ", "[app/client.go:400-410].")
	os.WriteFile("/tmp/llm/scripted.gguf", m.file(), 0o644)
}
