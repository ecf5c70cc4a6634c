"""What may be written to stderr without waiting for anybody."""

import select
import sys
from contextlib import suppress


def is_read() -> bool:
    """Whether stderr takes more at once: a client that does not read it must not stop us."""
    try:
        return bool(select.select([], [sys.stderr], [], 0)[1])
    except (OSError, ValueError, TypeError):  # no stderr, or no pipe that can be asked
        return True


def tell(text: str) -> None:
    """Write to stderr, if it is there and takes the text."""
    if sys.stderr is not None and is_read():
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()
