# What can be done here. 'make' alone lists it; everything else is in scripts/.

SWIFT ?= swift
PREFIX ?= /usr/local
MINUTES ?= 10
ROUNDS ?= 2000
FIGURES ?=
export SWIFT PREFIX

.DEFAULT_GOAL := help
.PHONY: help demo gallery test check kotlin build install bench fuzz soak clean

help:
	@echo 'make demo      build everything, record the bundled example, show what was found'
	@echo 'make gallery   open the example in a window (installs GTK when missing)'
	@echo 'make test      build and run every test'
	@echo
	@echo 'make build     build the tool, for use from .build/release/mainstay'
	@echo 'make install   build it and install it below PREFIX ($(PREFIX))'
	@echo 'make check     what must hold before a merge: format, no warnings, tests, fresh documents, no new finding'
	@echo 'make bench     measure what recording costs here (FIGURES="job start" for some)'
	@echo 'make fuzz      damage a recording in ROUNDS ($(ROUNDS)) ways and sources in 1000, and have them read'
	@echo 'make soak      record the example for MINUTES ($(MINUTES)), compare every run, and try to break the wallet; judge tests 40 times'
	@echo 'make kotlin    test the boundary against Kotlin coroutines on a JVM (fetches 81 MB, needs a JDK)'
	@echo 'make clean     remove what was built'
	@echo
	@echo 'Needs Swift 6.3. What else is missing is installed with apt-get when run as root, and named otherwise.'

demo:
	@scripts/demo

gallery:
	@scripts/gallery

test:
	@scripts/test

check:
	@scripts/check

build:
	@scripts/setup
	$(SWIFT) build --configuration release --product mainstay

install:
	@scripts/install

bench:
	@scripts/bench $(FIGURES)

fuzz:
	@scripts/fuzz $(ROUNDS)
	@scripts/fuzz-audit

soak:
	@scripts/soak $(MINUTES)
	@scripts/soak-wallet
	@scripts/judge-budgets

kotlin:
	@scripts/kotlin

clean:
	rm -rf .build Examples/.build Examples/Desktop/.build Benchmarks/.build Examples/Data
