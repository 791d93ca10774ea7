module github.com/blevesearch/go-faiss

go 1.26.0
