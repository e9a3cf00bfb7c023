# Every verb does its own set-up and is one or two lines; `make` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.PHONY: help run install wasm test check api docs bench fuzz pictures metrics sentences format lint image dist
FUZZ_SECONDS ?= 600
export KILLS
BENCHMARKS := run serving features registry fetching predicates.py interfaces.py resources.py widgets.py documents.py pages.py live.py cells.py
PREFIX ?= /usr/local

help:  ## this list
	@sed -nE 's/^([a-z]+):[^#]*## (.*)/make \1	\2/p' Makefile | expand -t 14

run:  ## build for release, start the server in the foreground with the samples
	@.ci/setup build -- swift build -c release --product widgetd
	@.ci/wasm beside $$$$ & exec .build/release/widgetd serve --seed Bundles

wasm:  ## build the engine that browsers and node run, into .build/wasm; does nothing while its sources stay
	@.ci/setup wasm -- .ci/wasm

install:  ## build both programs for release; put them, and sources for packages of Swift, into PREFIX=/usr/local
	@.ci/setup build -- swift build -c release --static-swift-stdlib --product widgetd
	@.ci/setup build -- swift build -c release --static-swift-stdlib --product widget
	@install -D -t $(DESTDIR)$(PREFIX)/bin .build/release/widgetd .build/release/widget
	@rm -rf $(DESTDIR)$(PREFIX)/share/widgetd && install -d $(DESTDIR)$(PREFIX)/share/widgetd
	@cp -RL Package.swift Sources $(DESTDIR)$(PREFIX)/share/widgetd
	@.ci/wasm install $(DESTDIR)$(PREFIX)/share/widgetd

test:  ## what a change can break, about 12 minutes from nothing; SANITIZE=thread or address runs it under that sanitizer
	@.ci/setup build test s3 contract browser -- .ci/tiers test $(SANITIZE)

check:  ## everything that passes or fails, an hour; PART=browser runs one part; KILLS=2000 is a long form
	@.ci/setup build test -- .ci/tiers check $(PART)

bench:  ## measure against nginx, unzip and GNUstep, print ratios; then the registry and its store
	@failed=; for one in $(BENCHMARKS); do \
		BENCHES=1 .ci/setup build bench -- Tests/Benchmarks/$$one || failed="$$failed $$one ($$?)"; \
	done; \
	[ -z "$$failed" ] || { echo "error: a goal was missed (3), or could not be measured:$$failed" >&2; exit 1; }

fuzz:  ## feed the parsers, and the server by its contract, for FUZZ_SECONDS=600 each; FUZZ=name runs one, or Contract
ifneq ($(FUZZ),Contract)
	@.ci/setup build -- Tests/Fuzz/run $(FUZZ_SECONDS) $(FUZZ)
endif
ifneq ($(filter Contract,$(or $(FUZZ),Contract)),)
	@.ci/setup build contract -- swift build --quiet --product widgetd
	@.ci/setup build contract -- Tests/Contract/run $(FUZZ_SECONDS) $$RANDOM
endif

pictures:  ## draw every screen of Bundles in Chromium, and the picture of README, into docs/pictures
	@.ci/setup build browser -- swift build --quiet --product widget
	@.ci/setup build browser -- Tests/Browser/run pictures

docs:  ## build the documentation of the libraries, with their articles, into .build/docs
	@.ci/setup build -- .ci/docs

api:  ## write the public interface of the libraries into docs/api, from the compiler's symbol graphs
	@.ci/setup build -- env WIDGET_WRITE_CORPUS=1 ONLY=PublicSurface swift test --filter 'A library has the interface' --quiet
	@git diff --stat -- docs/api

metrics:  ## write the table of text widths anew, from Debian's fonts-inter
	@.ci/setup browser -- .build/browser-tools/bin/python Tests/Metrics/make

sentences:  ## list the sentences of the documents over WORDS=40 words
	@Tests/House/sentences $(WORDS)

format:  ## rewrite the sources as .swift-format says
	@.ci/setup build -- swift format --in-place --parallel --recursive Sources Tests Package.swift

lint:  ## check format and shell scripts
	@.ci/setup build test -- .ci/lint

image:  ## build the container image `widgetd`
	@.ci/setup image -- .ci/image

dist:  ## make all that users are given, into .build/dist: a tarball, Debian packages, images, for npm, sources, sums
	@.ci/setup build wasm dist -- .ci/dist
