.PHONY: build checked test slow lint bench perft annotate clean

PYTHON ?= python3

build:
	GTPENGINE_CHECKED=0 $(PYTHON) setup.py -q build_ext --inplace --force
checked:
	GTPENGINE_CHECKED=1 $(PYTHON) setup.py -q build_ext --inplace --force
test:
	$(PYTHON) -m pytest -q
slow:
	$(PYTHON) -m pytest -q -m slow
lint:
	ruff check . && mypy && cython-lint src_cython
bench:
	$(PYTHON) scripts/bench.py
perft:
	$(PYTHON) scripts/perft.py
annotate:
	scripts/annotate.sh
clean:
	rm -rf build dist *.egg-info gtpengine/core/*.so
