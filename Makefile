# Everything a user or an operator calls. `make` alone lists it.
.DEFAULT_GOAL := help
.PHONY: help setup build-data refresh watch serve demo doctor test unit check torture bench sql verify lake engines release clean clean-data forget

# A statement is handed on as it was written: a JSON path's $ is no variable of make.
override Q := $(value Q)
export Q
export FORMAT
export ASOF

PROGRAMS = dist/current
PIPELINE = node $(PROGRAMS)/pipeline/main.js

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing, compile what has changed
	@node --import ./.setup/install.mjs .setup/compile.mjs

build-data: setup ## crawl everything into artifacts/ (without configuration: the embedded sample campus)
	@$(PIPELINE) build

refresh: setup ## the hourly run: terms that are not over, new or changed grade exports
	@$(PIPELINE) refresh

watch: setup ## refresh every hour, never overlapping
	@$(PIPELINE) watch

serve: setup ## build what is missing, then serve on http://localhost:3000
	@exec node $(PROGRAMS)/server/main.js --build

demo: setup ## the sample campus, served, with an hour passing every few seconds [EVERY=5]; Ctrl-C ends it
	@exec $(PIPELINE) demo $(if $(EVERY),--every $(EVERY))

doctor: setup ## check machine, variables, addresses and published data, with a remedy for each fault
	@$(PIPELINE) doctor

test: setup ## every test
	npm test

unit: setup ## the tests without processes and databases: seconds
	npm run -s unit

check: setup ## what CI runs: format, lint, types, tests, the quickest first
	npm run -s format:check
	npm run -s lint
	npm run -s types
	npm run -s unit
	npm run -s system

torture: setup ## the long proofs: thousands of publishes under load, hundreds of kills
	npm run -s torture

bench: setup ## the benchmark table
	npm run -s bench

sql: setup ## read-only SQL: make sql Q="select count(*) from sections" [FORMAT=csv|json|line] [ASOF=2026-11-20]; without Q a prompt
	@$(PIPELINE) sql --format "$${FORMAT:-table}" --as-of "$$ASOF" -- "$$Q"

verify: setup ## compare every published file with its hash and the contract
	@$(PIPELINE) verify

lake: setup ## Delta Lake tables of the published data: make lake TO=<folder>
	@$(PIPELINE) export --delta -- "$(TO)"

engines: setup ## the Delta Lake tables and the documented examples in Spark, Trino, DuckDB, Polars and others
	@node --import tsx test/engines/main.ts

release: setup ## an archive that runs with node alone, on systems like this one, in dist/ [TO=<folder>]
	@node .setup/release.mjs "$(TO)"

forget: setup ## take a person or a withdrawn export down everywhere, after asking: NETID=…, NAME=… or FILE=… [DRY_RUN=1] [YES=1]
	@$(PIPELINE) forget --netid "$$GIVEN_NETID" --name "$$GIVEN_NAME" --file "$$GIVEN_FILE" \
	  $(if $(filter 1,$(DRY_RUN)),--dry-run) $(if $(filter 1,$(YES)),--yes)
# Only from the command line: a shell may have a NAME of its own.
forget: export GIVEN_NETID := $(if $(filter command,$(origin NETID)),$(value NETID))
forget: export GIVEN_NAME := $(if $(filter command,$(origin NAME)),$(value NAME))
forget: export GIVEN_FILE := $(if $(filter command,$(origin FILE)),$(value FILE))

clean: ## remove the packages, the compiled programs and the crawl's landing files; published data stays
	rm -rf node_modules .install-* dist "$${DATA_DIR:-data}/landing"

clean-data: setup ## delete the published data, after showing what is lost and asking [YES=1]
	@$(PIPELINE) clean-data $(if $(filter 1,$(YES)),--yes)
