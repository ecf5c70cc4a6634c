.PHONY: build checked test slow lint format docs bench perft annotate clean

PYTHON ?= python3

build:
	GTPENGINE_CHECKED=0 $(PYTHON) setup.py -q build_ext --inplace
checked:
	GTPENGINE_CHECKED=1 $(PYTHON) setup.py -q build_ext --inplace
test:
	$(PYTHON) -m pytest -q
slow:
	$(PYTHON) -m pytest -q -m slow
lint:
	ruff check . && ruff format --check . && mypy && cython-lint src_cython
format:
	ruff format .
docs:
	$(PYTHON) scripts/gtp_docs.py
bench:
	$(PYTHON) scripts/bench.py
perft:
	$(PYTHON) scripts/perft.py 4 4
annotate:
	PYTHON=$(PYTHON) scripts/annotate.sh
clean:
	rm -rf build dist *.egg-info gtpengine/core/*.so
