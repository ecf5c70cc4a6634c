"""The version, read by the build and by the GTP command ``version``."""

__version__ = "0.1.0"
