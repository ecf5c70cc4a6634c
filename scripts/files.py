"""Files that are whole or not there."""

import os
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    draft = path.with_suffix(".new")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)
