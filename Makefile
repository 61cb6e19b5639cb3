# wsandbox: every target needs only Go (and git for the checkout).
# "make guests" fills guests/built, which git ignores and which takes the place
# of the prebuilt images.

GO ?= go
FUZZTIME ?= 5s
BENCHTIME ?= 1s

.PHONY: all demo test race lint check guests prebuilt guests-verify fuzz bench cover clean

all: guests ## build the guests and the command into bin/
	$(GO) build -o bin/ ./cmd/wsandbox

guests: ## build the guest images from source
	$(GO) run ./guests/internal/mkguests

demo: all ## run the main job on a real workspace: this source tree
	./bin/wsandbox version
	./bin/wsandbox exec --workspace . 'echo "Go files: $$(find . -name "*.go" | wc -l)"; find . -name "*.go" -print0 | xargs -0 cat | wc -l; grep -rhoE "^func [A-Z][A-Za-z]*" engine | sed "s/func //" | sort | uniq -c | sort -rn | head -n 5'
	./bin/wsandbox exec --workspace . --mode read-only 'ls; rm README.md' || true
	./bin/wsandbox exec --workspace . --timeout 1s 'while :; do :; done' || echo "ended with status $$?"

test: guests ## all tests, of the host and natively of the guests
	$(GO) test ./...
	cd guests/src && $(GO) test ./...

race: guests ## the host's tests under the race detector (needs cgo)
	$(GO) test -race -short -timeout 30m ./engine/... ./hostfs/... ./ptyemu/... ./wasishell/... ./tools/...

lint: ## gofmt, vet on every supported system
	@out=$$(gofmt -s -l engine hostfs wasishell ptyemu tools guests cmd internal *.go); test -z "$$out" || { echo "gofmt -s would change:"; echo "$$out"; exit 1; }
	$(GO) vet ./...
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...
	GOOS=windows GOARCH=amd64 $(GO) vet ./...
	cd guests/src && $(GO) vet ./... && GOOS=wasip1 GOARCH=wasm $(GO) vet ./...

check: lint ## lint and the cross-builds: pure packages must also build for the web, for WASI and with 32 bits
	GOOS=js GOARCH=wasm $(GO) build ./engine/abi ./engine/vfs/... ./engine/kernel/...
	GOOS=wasip1 GOARCH=wasm $(GO) build ./engine/abi ./engine/vfs/... ./engine/kernel/...
	GOOS=linux GOARCH=386 $(GO) vet ./engine/abi ./engine/vfs/... ./engine/kernel/...
	GOOS=linux GOARCH=arm64 $(GO) build ./...
	GOOS=darwin GOARCH=amd64 $(GO) build ./...
	GOOS=windows GOARCH=arm64 $(GO) build ./...

prebuilt: ## build the compressed images that are committed with a release
	$(GO) run ./guests/internal/mkguests -z -o guests/prebuilt

guests-verify: ## rebuild the guests and compare with guests/prebuilt
	$(GO) run ./guests/internal/mkguests -verify guests/prebuilt

fuzz: ## a short pass of every fuzz target
	@set -e; for dir in . guests/src; do ( cd $$dir; \
	  grep -rlE '^func Fuzz' --include='*_test.go' . | grep -v '^./guests/src/' | while read -r f; do \
	    for t in $$(grep -oE '^func Fuzz[A-Za-z0-9_]*' $$f | cut -c6-); do \
	      echo "fuzz $$(dirname $$f) $$t"; $(GO) test -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZTIME) $$(dirname $$f); done; done ); done

bench: all ## medians beside native tools, in one run
	$(GO) run ./internal/bench

cover: guests
	$(GO) test -coverprofile=cover.prof ./... && $(GO) tool cover -func=cover.prof | tail -n 1

clean:
	rm -rf bin guests/built/*.wasm guests/built/manifest.json cover.prof
