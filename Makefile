# Each target is one line over a script, so that a machine without make has the same commands.

.DEFAULT_GOAL := help
.PHONY: help run test check format lock messages transcripts bench audit sbom fuzz screenshots icons

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1 \t/p' Makefile | expand -t 20

run:  ## start the site (HOST and PORT are settings)
	@scripts/run

test:  ## run the checks and all tests, on SQLite and PostgreSQL (ARGS="-k name" runs some)
	@scripts/test $(ARGS)

check:  ## style, types, floors, templates, migrations
	@scripts/check

format:  ## put the code into its form
	@scripts/format

lock:  ## write requirements*.txt from requirements*.in
	@scripts/lock

messages:  ## bring the translations up to date with the code (needs GNU gettext)
	@scripts/messages

transcripts:  ## write the golden transcripts anew; read the difference
	@scripts/transcripts

bench:  ## measure CPU time beside floors (ARGS="--help" lists the parts)
	@scripts/bench $(ARGS)

screenshots:  ## take pictures of every page into screenshots/ (ONLY=game, LANGUAGE_CODE=it)
	@scripts/screenshots $(ARGS)

icons:  ## make the icons of the installed site anew
	@scripts/icons

audit:  ## ask whether anything that is installed has a known hole (needs the network)
	@scripts/audit $(ARGS)

sbom:  ## write what a production site is made of, as a CycloneDX file (needs the network)
	@scripts/sbom $(ARGS)

fuzz:  ## send 5,000 strange requests of each kind, play 500 strange games (ARGS=20000: 2,000)
	@scripts/fuzz $(ARGS)
