# Two commands do all set-up: `make up` runs the service, `make test` passes the tests.

PYTHON ?= python3
BIN := .venv/bin
SERVICE := .venv/service-installed
TOOLS := .venv/tools-installed
JOBS ?= 2
# Tests of one module run beside each other as long as can be, so that they share its browser and its matches.
SPREAD := -n $(JOBS) --dist worksteal
MOVES ?= 1000000
RUNS ?= 200
ATTEMPTS ?=

# What must be covered branch by branch: rules, links, the reading of mail, and who may move by it.
WHOLE := pbem/games/**,pbem/play/core/tokens.py,emails/parsing/reader.py,emails/parsing/body.py,emails/parsing/quotes_and_signatures.py,emails/parsing/limits.py,emails/parsing/auto_submitted.py,emails/parsing/fingerprint.py,emails/parsing/auth_results.py,pbem/play/submissions/sender_policy.py,pbem/play/accounts/email_confirmation.py,pbem/web/account/confirmations.py,emails/parsing/html_text.py,emails/parsing/headers.py,emails/parsing/description.py,emails/parsing/languages.py,emails/parsing/reply_marker.py,emails/parsing/delivery_reports.py

# Images for containers forbid Python to keep what it has compiled, as it runs there once; here it starts a thousand times.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: bench-duplicates bench-lookbacks gauntlet help setup up docs dist test test-unit test-e2e test-slow test-api test-attempts test-package audit check lint types imports coverage format words lengths pictures diagram constraints bench-backup bench-service bench-engines bench-history bench-mails bench-mail-parts bench-pages bench-peers bench-ratings bench-replays bench-tick bench-scaling bench-tallies bench-up bench-verify bench-watching smoke simulate simulate-events test-faults test-planted clean

help: ## List these commands
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(TOOLS) ## Make .venv with the service and the tools to work on it

up: $(SERVICE) ## Run the whole service on this machine: http://127.0.0.1:8000
	$(BIN)/pbem up

test: $(TOOLS) ## Pass the tests, with a database and a broker of their own; COVERAGE=1 holds what they cover too
ifdef COVERAGE
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(SPREAD) -q
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --include='$(WHOLE)' --fail-under=100
	$(BIN)/coverage report --fail-under=95
else
	$(BIN)/pytest $(SPREAD)
endif

test-unit: $(TOOLS) ## Pass the tests that need no database, no program and no socket
	$(BIN)/pytest $(SPREAD) tests/unit

test-e2e: $(TOOLS) ## Pass the tests of the running service, by mail, by browser and as programs; COVERAGE=1 adds what they cover
ifdef COVERAGE
	$(BIN)/coverage run -m pytest $(SPREAD) -q tests/end_to_end
	$(BIN)/coverage combine -q --append
	$(BIN)/coverage report --fail-under=98
else
	$(BIN)/pytest $(SPREAD) tests/end_to_end
endif

test-slow: $(TOOLS) ## Pass the tests that take minutes, and print their figures
	$(BIN)/pytest -s -o faulthandler_timeout=0 tests/slow

test-api: $(TOOLS) ## Send ten thousand requests to the API, and hold each answer against its description
	$(BIN)/pytest -s -o faulthandler_timeout=0 tests/slow/web/api/test_explored.py

test-attempts: $(TOOLS) ## Try to break each promise from outside, and count what held (ATTEMPTS="not full" for fewer)
	$(BIN)/pytest -q -n 0 -m "$(ATTEMPTS)" tests/slow/attempts

test-package: $(TOOLS) ## Build the package, install it in empty places, and play matches there
	$(BIN)/pytest -n $(JOBS) --dist loadfile -o faulthandler_timeout=0 tests/slow/package

audit: $(TOOLS) ## Ask whether a pinned library has a known vulnerability
	$(BIN)/python -m tests.audit

test-planted: $(TOOLS) ## Plant faults one by one, and print which test notices each (SMOKE=--smoke for one of them)
	$(BIN)/python -m tests.planted $(SMOKE)

test-faults: $(TOOLS) ## Kill, starve and cut off the running service in 200 ways, and print what came of it
	$(BIN)/python -m tests.faults --runs $(RUNS)
	$(BIN)/pytest -s -o faulthandler_timeout=0 tests/slow/faults/test_disk.py

check: lint types imports coverage ## Everything that must hold before a change lands

lint: $(TOOLS)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(TOOLS)
	$(BIN)/mypy

imports: $(TOOLS)
	$(BIN)/lint-imports

coverage:
	$(MAKE) test COVERAGE=1

format: $(TOOLS) ## Put the code into its form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

words: $(TOOLS) ## Bring the catalogs of other languages up to what the code says in English
	$(BIN)/python -m tests.catalogs

docs: $(TOOLS) ## Build the documentation site: build/docs/index.html
	$(BIN)/sphinx-build -E -W --keep-going -n -q docs build/docs

pictures: $(TOOLS) ## Take the pictures in README and docs from the running program
	$(BIN)/python docs/take_pictures.py

dist: $(TOOLS) ## Build the package for other machines in dist, and check its metadata
	rm -rf dist
	$(BIN)/pyproject-build
	$(BIN)/twine check --strict dist/*

diagram: $(TOOLS) ## Draw who imports whom, for the page about the architecture, from the code
	$(BIN)/python -m tests.diagram

bench-service: $(TOOLS) ## Measure what a move costs beside other systems that mail people
	$(BIN)/python -m benchmarks.service

bench-peers: $(TOOLS) ## Install Mailman and Roundup for bench-service, in environments of their own
	$(BIN)/python -m benchmarks.systems.install

gauntlet: $(TOOLS) ## Measure how strong robots are, and write what pages say of them (hours)
	$(BIN)/python -m benchmarks.gauntlet

bench-duplicates: $(TOOLS) ## Measure how many deals set strong robots apart from fair ones, in fields and else (hours)
	$(BIN)/python -m benchmarks.duplicates

bench-lookbacks: $(TOOLS) ## Measure how good looking back on matches is (hours)
	$(BIN)/python -m benchmarks.lookbacks

bench-engines: $(TOOLS) ## Measure the rules beside other projects' engines, which it installs
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks.engines

bench-mails: $(TOOLS) ## Measure how quickly mails are written and sent
	$(BIN)/python -m benchmarks.mails

bench-mail-parts: $(TOOLS) ## Measure pictures, HTML, signatures and sending beside other libraries
	$(BIN)/python -m benchmarks.mail_parts

lengths: $(TOOLS) ## Measure how long matches are, for those who choose one
	$(BIN)/python -m benchmarks.lengths

bench-pages: $(TOOLS) ## Measure what pages cost with 100,000 matches in the database, beside a plain one
	$(BIN)/python -m benchmarks.pages

bench-ratings: $(TOOLS) ## Measure how well ratings follow strength, and what rating 100,000 matches costs
	$(BIN)/python -m benchmarks.ratings

bench-replays: $(TOOLS) ## Measure what replays cost beside the SELECT of their rows
	$(BIN)/python -m benchmarks.replays

bench-watching: $(TOOLS) ## Measure what lines in logs, figures and /metrics cost
	$(BIN)/python -m benchmarks.watching

bench-verify: $(TOOLS) ## Measure how long records take to be verified
	$(BIN)/python -m benchmarks.verifying

bench-backup: $(TOOLS) ## Measure what backups cost, and bringing one back
	$(BIN)/python -m benchmarks.backup

bench-tick: $(TOOLS) ## Measure how quickly due deadlines are claimed among 100,000 running matches
	$(BIN)/python -m benchmarks.tick

simulate: $(TOOLS) ## Live through 1,000 matches of people who sleep, travel, vanish and come back
	$(BIN)/python -m benchmarks.simulation

simulate-events: $(TOOLS) ## Simulate two years of leagues and a ladder of 1,000 people
	$(BIN)/python -m benchmarks.events

bench-history: $(TOOLS) ## Measure ways to keep moves, with up to 1,000,000 of them (MOVES=10000000 for more)
	$(BIN)/python -m benchmarks.history --moves $(MOVES)

bench-tallies: $(TOOLS) ## Measure what the statistics cost
	$(BIN)/python -m benchmarks.tallies

bench-scaling: $(TOOLS) ## Measure what one move costs, and reckon what so many players cost
	$(BIN)/python -m benchmarks.scaling

smoke: $(TOOLS) ## Take every step of the commands that measure, with small numbers: that none of them rots
	$(BIN)/python -m benchmarks.smoke --jobs $(JOBS)

bench-up: $(TOOLS) ## Measure how quickly the one command starts and answers, and its memory
	$(BIN)/python -m benchmarks.up

constraints: ## Pin the newest versions that the project allows
	rm -rf .venv-new && $(PYTHON) -m venv .venv-new
	.venv-new/bin/pip install --upgrade pip
	.venv-new/bin/pip install '.[local,dev,bench]'
	.venv-new/bin/pip freeze --exclude pbem --exclude pip | grep -v '@' > constraints.txt
	rm -rf .venv-new

clean: ## Remove what was installed and built, but no data
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

.venv/bin/python:
	$(PYTHON) -m venv .venv

$(SERVICE): pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --disable-pip-version-check -c constraints.txt -e '.[local]'
	touch $@

$(TOOLS): pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --disable-pip-version-check -c constraints.txt -e '.[local,dev]'
	touch $(SERVICE) $@
