package ask

import "github.com/ragnav/ragnav/internal/rag/models"

// A Request is a question about the indexed code.
type Request struct {
	Query      string `json:"query" validate:"required,max=8000"`
	RepoFilter string `json:"repo_filter,omitempty" validate:"max=200"`
	// Level is where to look; by default the question decides. Summaries of modules
	// and repositories have no lines to quote: what is in them is quoted too.
	Level   models.Level `json:"level,omitempty" validate:"omitempty,oneof=symbol file module repo doc auto"`
	History []Message    `json:"history,omitempty" validate:"max=50,dive"`
	Budget  *Budget      `json:"budget,omitempty" validate:"omitempty"`
}

// A Message is one earlier turn of the conversation.
type Message struct {
	Role    string `json:"role" validate:"required,oneof=user assistant"`
	Content string `json:"content" validate:"required,max=20000"`
}

// A Budget bounds what an answer may cost. Nil fields mean the defaults. The last
// three are of answers of a language model: what the server allows is the most.
type Budget struct {
	// default: what the work takes
	MaxSteps *int `json:"max_steps,omitempty" validate:"omitempty,gte=1,lte=50"`
	// default 10; of an extractive answer
	MaxCitations *int `json:"max_citations,omitempty" validate:"omitempty,gte=1,lte=20"`
	// of an extractive answer, as text; default 1,200
	MaxReplyTokens *int `json:"max_reply_tokens,omitempty" validate:"omitempty,gte=200,lte=10000"`
	MaxCalls       *int `json:"max_calls,omitempty" validate:"omitempty,gte=1,lte=100"`
	MaxTokens      *int `json:"max_tokens,omitempty" validate:"omitempty,gte=2000,lte=500000"`
	MaxSeconds     *int `json:"max_seconds,omitempty" validate:"omitempty,gte=1,lte=3600"`
}

// A Response has exactly one item.
type Response struct {
	models.Result[models.Answer]

	Query string `json:"query"`
}
