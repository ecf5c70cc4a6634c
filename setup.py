"""Build the compiled core; everything else about the package stands in pyproject.toml.

Environment: GTPENGINE_CHECKED=1 builds with bounds checks (for the tests),
GTPENGINE_NATIVE=1 for this machine's own processor only (not for wheels).
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE = Path("src_cython")
CHECKED = os.environ.get("GTPENGINE_CHECKED") == "1"
NATIVE = os.environ.get("GTPENGINE_NATIVE") == "1"

if sys.platform == "win32":
    flags = ["/O2"]
else:
    flags = ["-O3", "-fno-semantic-interposition"] + (["-march=native"] if NATIVE else [])

extensions = [
    Extension(
        ".".join(path.relative_to(SOURCE).with_suffix("").parts), [str(path)], extra_compile_args=flags
    )
    for path in sorted(SOURCE.rglob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=[str(SOURCE)],
        build_dir="build/checked" if CHECKED else "build/fast",
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "initializedcheck": CHECKED,
            "wraparound": False,
            "cdivision": True,
            "warn.maybe_uninitialized": True,
        },
    )
)
