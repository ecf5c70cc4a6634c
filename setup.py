"""Build the compiled core; everything else about the package stands in pyproject.toml.

Environment: GTPENGINE_CHECKED=1 builds with bounds checks (for the tests),
GTPENGINE_NATIVE=1 for this machine's own processor only (not for wheels).
Each kind has its own folder under build/.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src_cython")
CHECKED = os.environ.get("GTPENGINE_CHECKED") == "1"
NATIVE = os.environ.get("GTPENGINE_NATIVE") == "1"
BUILD = f"build/{'checked' if CHECKED else 'fast'}{'-native' if NATIVE else ''}"

# Cython's own bounds checks leave C arrays alone: those are the C compiler's to check.
CHECKS = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
if sys.platform == "win32":
    flags = ["/O2"]
else:
    # No fused multiply-add: the same search on every machine.
    flags = ["-O3", "-g0", "-fno-semantic-interposition", "-ffp-contract=off"]
    flags += ["-march=native"] if NATIVE else []
    flags += ["-O1", *CHECKS] if CHECKED else []


class BuildExt(build_ext):
    """A build that may follow one of another kind."""

    def copy_extensions_to_source(self) -> None:
        """Replace the binaries beside the Python sources, newer ones of another kind too."""
        self.force = True
        super().copy_extensions_to_source()


extensions = [
    Extension(
        ".".join(path.relative_to(SOURCE).with_suffix("").parts),
        [str(path)],
        depends=["setup.py"],
        extra_compile_args=flags,
        extra_link_args=CHECKS if CHECKED and sys.platform != "win32" else [],
    )
    for path in sorted(SOURCE.rglob("*.pyx"))
]

setup(
    cmdclass={"build_ext": BuildExt},
    options={
        "build": {"build_base": BUILD, "parallel": os.cpu_count() or 1},
        # Its own folder each time: what an interrupted installation leaves would stop the next one.
        "bdist_wheel": {"bdist_dir": f"{BUILD}/wheel-{os.getpid()}"},
    },
    ext_modules=cythonize(
        extensions,
        include_path=[str(SOURCE)],
        build_dir=BUILD,
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "initializedcheck": CHECKED,
            "wraparound": False,
            "cdivision": True,
            "warn.maybe_uninitialized": True,
        },
    ),
)
