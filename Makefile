# Each target is one line over a script, so that a machine without make has the same commands.

.DEFAULT_GOAL := help
.PHONY: help run test check format lock

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
