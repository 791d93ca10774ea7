package openai_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/parallel"
)

const (
	benchDims  = 768
	benchBatch = 32
	benchWays  = 4
)

// slowServer answers every request after the same time, with the same vectors, so
// that what is measured beside it is the client.
func slowServer(b *testing.B, latency time.Duration) string {
	b.Helper()
	replies := map[int][]byte{}
	for _, n := range []int{1, benchBatch} {
		row := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, benchDims))
		var reply bytes.Buffer
		for i := range n {
			fmt.Fprintf(&reply, `%s{"object":"embedding","index":%d,"embedding":%q}`, map[bool]string{true: ","}[i > 0], i, row)
		}
		replies[n] = fmt.Appendf(nil, `{"object":"list","data":[%s],"model":"m"}`, reply.Bytes())
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		n := 1
		if len(body) > 4000 {
			n = benchBatch
		}
		if err != nil {
			return
		}
		time.Sleep(latency)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(replies[n])
	}))
	b.Cleanup(server.Close)
	return server.URL + "/v1"
}

// ask is what any client has to do: send a request and read the reply.
func ask(b *testing.B, client *http.Client, url string, body []byte) {
	resp, err := client.Post(url+"/embeddings", "application/json", bytes.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		b.Error(err)
	}
}

func bodyOf(b *testing.B, texts []string) []byte {
	body, err := json.Marshal(map[string]any{"model": "m", "input": texts, "encoding_format": "base64"})
	if err != nil {
		b.Fatal(err)
	}
	return body
}

// BenchmarkThroughput has a server that takes 50 ms for 32 texts, asked four at a
// time: texts a second bare, through the client, and their ratio.
func BenchmarkThroughput(b *testing.B) {
	url := slowServer(b, 50*time.Millisecond)
	const batches = 40
	inputs := make([]embed.Input, batches*benchBatch)
	for i := range inputs {
		inputs[i].Text = fmt.Sprintf(
			"func f%d(a, b int) int {\n\tif a > b {\n"+
				"\t\treturn a - %d // and some more words of a function of a usual length, so that there is something to send\n"+
				"\t}\n\treturn b\n}", i, i)
	}
	c := openai.New(openai.Options{URL: url, Model: "m", Dims: benchDims, Batch: benchBatch, Concurrency: benchWays})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchWays}}
	var bare, through time.Duration
	for b.Loop() {
		began := time.Now()
		g, _ := parallel.NewGroup(b.Context())
		g.SetLimit(benchWays)
		for at := range batches {
			texts := make([]string, benchBatch)
			for i := range texts {
				texts[i] = inputs[at*benchBatch+i].Text
			}
			g.Go(func() error { ask(b, client, url, bodyOf(b, texts)); return nil })
		}
		_ = g.Wait()
		bare += time.Since(began)
		began = time.Now()
		if _, err := c.Documents(b.Context(), inputs); err != nil {
			b.Fatal(err)
		}
		through += time.Since(began)
	}
	texts := float64(b.N * len(inputs))
	b.ReportMetric(texts/bare.Seconds(), "bare-texts/s")
	b.ReportMetric(texts/through.Seconds(), "texts/s")
	b.ReportMetric(bare.Seconds()/through.Seconds(), "of-bare")
}

// BenchmarkQuery has a server that answers at once.
func BenchmarkQuery(b *testing.B) {
	url := slowServer(b, 0)
	c := openai.New(openai.Options{URL: url, Model: "m", Dims: benchDims})
	n := 0
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			ask(b, http.DefaultClient, url, bodyOf(b, []string{"where is it"}))
		}
	})
	b.Run("through", func(b *testing.B) {
		for b.Loop() {
			n++
			if _, err := c.Queries(b.Context(), []string{fmt.Sprint("where is number ", n)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("asked-before", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Queries(b.Context(), []string{"where is number 1"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
