#!/bin/sh
# Lines of the core that run without the GIL and yet touch Python ("yellow" in cython -a).
#
# Prints them with their function, and exits with 1 if there is one.  The annotated sources go to
# build/annotate/, the whole to be looked at in a browser.  Raising counts as cold and is left out.
set -eu
cd "$(dirname "$0")/.."
GTPENGINE_CHECKED=0 exec "${PYTHON:-python3}" - <<'END'
import html
import re
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path

import Cython.Build

TARGET = Path("build/annotate")
MEANT = {("network", "evaluate")}   # hands a whole batch to Python, once
cythonize = Cython.Build.cythonize


def annotate(modules, **options):
    return cythonize(modules, **options | {"annotate": True, "force": True, "build_dir": str(TARGET)})


def lines(page):
    """(score, number, text) of every source line of an annotated page."""
    for score, line in re.findall(r'class="cython line score-(\d+)"[^>]*>(.*?)</pre>', page):
        text = html.unescape(re.sub(r"<[^>]*>", "", line))
        number, code = re.match(r"[^\d]*(\d+): ?(.*)", text).groups()
        yield int(score), int(number), code


def hot(page):
    """(score, number, text, function) of every line in a function that needs no GIL."""
    signature, function, indent = "", "", 0
    for score, number, code in lines(page):
        if re.match(r"\s*(cdef|cpdef|def) [^=]*\(", code):
            signature, function, indent = " ", "", len(code) - len(code.lstrip())
        if signature:   # one line or several
            signature += code
            if code.endswith(":"):
                if signature.endswith("nogil:"):
                    function = re.search(r"(\w+)\s*\(", signature).group(1)
                signature = ""
        elif code.strip() and len(code) - len(code.lstrip()) <= indent:
            function = ""
        elif function:
            yield score, number, code, function


# The directives stand in setup.py and nowhere else, so it does the compiling.
Cython.Build.cythonize = annotate
sys.argv = ["setup.py", "--quiet", "--name"]
with redirect_stdout(sys.stderr):
    runpy.run_path("setup.py", run_name="__main__")


def is_raise(code, following):
    return code.startswith("raise ") or (code == "with gil:" and following.startswith("raise "))


n_functions = n_yellow = 0
for page in sorted(TARGET.rglob("*.html")):
    found = list(hot(page.read_text(encoding="utf-8")))
    n_functions += len({function for *_, function in found})
    codes = [code.strip() for _, _, code, _ in found] + [""]
    for i, (score, number, _, function) in enumerate(found):
        is_meant = (page.stem, function) in MEANT or is_raise(codes[i], codes[i + 1])
        if score > 0 and not is_meant:
            n_yellow += 1
            print(f"{page.stem}.pyx:{number}: {function}: score {score}: {codes[i]}")
print(f"{n_functions} functions without the GIL, {n_yellow} lines in them touch Python")
sys.exit(n_yellow > 0 or n_functions == 0)
END
