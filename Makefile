# The commands of users and operators. `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup setup-tests build-data refresh watch serve demo doctor test unit check torture bench sql verify lake engines release clean clean-data forget

# Pass statements on unchanged: the $ of a JSON path is not a make variable.
override Q := $(value Q)
export Q
export FORMAT
export ASOF

PROGRAMS = dist/current
PIPELINE = node $(PROGRAMS)/pipeline/main.js

help: ## list the commands
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the packages for serving and compile, if needed
	@node --import ./.setup/install.mjs .setup/compile.mjs

# The same, with the packages of the tests.
setup-tests:
	@node --import ./.setup/install.mjs .setup/compile.mjs --all

build-data: setup ## crawl everything and publish it to artifacts/ (by default from the built-in sample campus)
	@$(PIPELINE) build

refresh: setup ## update terms that are not over, and new or changed grade exports; run it hourly
	@$(PIPELINE) refresh

watch: setup ## refresh every hour; runs never overlap
	@$(PIPELINE) watch

serve: setup ## serve on http://localhost:3000; builds missing data, the newest terms first
	@exec node $(PROGRAMS)/server/main.js --build

demo: setup ## serve the sample campus, where an hour passes every few seconds [EVERY=5]; Ctrl-C stops it
	@exec $(PIPELINE) demo $(if $(EVERY),--every $(EVERY))

doctor: setup ## check the machine, settings, addresses and published data, and suggest fixes
	@$(PIPELINE) doctor

test: setup-tests ## run all tests
	npm test

unit: setup-tests ## run the unit tests (seconds)
	npm run -s unit

check: setup-tests ## run what CI runs: format, lint, types, tests
	npm run -s format:check
	npm run -s lint
	npm run -s types
	npm run -s unit
	npm run -s system

torture: setup-tests ## run the stress tests: thousands of publishes under load, hundreds of kills
	npm run -s torture

bench: setup-tests ## run the benchmarks
	npm run -s bench

sql: setup ## run read-only SQL: make sql Q="select count(*) from sections" [FORMAT=csv|json|line] [ASOF=2026-11-20]; without Q, open a prompt
	@$(PIPELINE) sql --format "$${FORMAT:-table}" --as-of "$$ASOF" -- "$$Q"

verify: setup ## check every published file against its hash and the contract
	@$(PIPELINE) verify

lake: setup ## export the published data as Delta Lake tables: make lake TO=<folder>
	@$(PIPELINE) export --delta -- "$(TO)"

engines: setup-tests ## test the Delta Lake tables and the documented examples in Spark, Trino, DuckDB, Polars and others
	@node --import tsx test/engines/main.ts

release: setup ## build an archive that needs only Node, for systems like this one, in dist/ [TO=<folder>]
	@node .setup/release.mjs "$(TO)"

forget: setup ## delete a person or a withdrawn export from all data, after asking: NETID=…, NAME=… or FILE=… [DRY_RUN=1] [YES=1]
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
