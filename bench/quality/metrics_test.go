package main

import (
	"math"
	"testing"
)

func TestMeasure(t *testing.T) {
	q := query{Level: "symbol", Relevant: []judgment{
		{Path: "a.go", Symbol: "Client.do", Grade: 3}, {Path: "a.go", Symbol: "Client.Do", Grade: 2}, {Path: "b.go", Symbol: "send", Grade: 1},
	}}
	best := 7 + 3/math.Log2(3) + 1/math.Log2(4)
	for _, tt := range []struct {
		name string
		list []answer
		want figures
	}{
		{"nothing", nil, figures{}},
		{"ideal", []answer{{"a.go", "Client.do"}, {"a.go", "Client.Do"}, {"b.go", "send"}}, figures{ndcg: 1, recall: 1, hit: 1, mrr: 1}},
		{"second place", []answer{{"b.go", "Client.do"}, {"a.go", "Client.Do"}}, figures{ndcg: 3 / math.Log2(3) / best, recall: .5, hit: 1, mrr: .5}},
		{"same answer twice", []answer{{"a.go", "Client.do"}, {"a.go", "(*Client).do#2"}}, figures{ndcg: 7 / best, recall: .5, hit: 1, mrr: 1}},
		{"related only", []answer{{"b.go", "send"}}, figures{ndcg: 1 / best}},
		{"below five", []answer{{}, {}, {}, {}, {}, {"a.go", "Client.do"}}, figures{ndcg: 7 / math.Log2(7) / best, mrr: 1. / 6}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := measure(q, tt.list); !near(got, tt.want) {
				t.Errorf("measure = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func near(a, b figures) bool {
	for _, d := range []float64{a.ndcg - b.ndcg, a.recall - b.recall, a.hit - b.hit, a.mrr - b.mrr} {
		if math.Abs(d) > 1e-9 {
			return false
		}
	}
	return true
}

func TestSameSymbol(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "Client.do", "Client.do", true},
		{"receiver with a star", "Client.do", "(*Client).do", true},
		{"second of the name", "run", "run#2", true},
		{"name alone", "do", "Client.do", true},
		{"other type", "Client.do", "Server.do", false},
		{"case counts", "Client.Do", "Client.do", false},
		{"nested", "Outer.Inner.run", "Inner.run", true},
		{"group of constants", "A,B,C", "B", true},
		{"nothing", "", "Client.do", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sameSymbol(tt.a, tt.b); got != tt.want {
				t.Errorf("sameSymbol(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestQueriesAreWellFormed(t *testing.T) {
	queries, err := loadQueries("queries.json", "")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[3]string]bool{}
	for _, q := range queries {
		key := [3]string{q.Repo, q.Level, q.Query}
		if seen[key] {
			t.Errorf("%v twice", key)
		}
		seen[key] = true
		if _, right := ideal(q); right == 0 {
			t.Errorf("%v has no right answer", key)
		}
		if q.Split != "dev" && q.Split != "test" {
			t.Errorf("%v: split %q", key, q.Split)
		}
	}
}
