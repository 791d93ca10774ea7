// Package openai makes vectors by a server that speaks OpenAI's embeddings API:
// Ollama, LM Studio, llama.cpp, vLLM, TEI, OpenAI and others.
//
// From the bottom up:
//
//   - decode.go reads a reply, whose vectors may be numbers or base64, in any
//     order, and refuses what is none: too few, of another size, not finite.
//   - call.go sends a request, through package modelserver.
//   - batch.go gathers the texts of all callers into requests of few sizes.
//   - chunk.go cuts texts that are too long for the model, and pools the vectors.
//   - beside.go puts the vector of another embedder beside the model's.
//   - openai.go is the client; it remembers the vectors of queries, and asks for each
//     once.
//   - model.go knows what models were trained with.
//
// Vectors are brought to length 1 here, whatever the server does. Errors are
// fault.EmbedderUnavailable; embed.ErrRefused is in those of a text that the server
// won't take however often it is asked.
package openai
