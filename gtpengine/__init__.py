"""gtpengine: a Go engine that speaks GTP, and a library to build on."""

from gtpengine._version import __version__

__all__ = ["__version__"]
