"""What workers are given: numbered jobs, and what plays them.

Matches play GameJobs by game.playing; other programs may bring jobs of their own.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias, TypeVar


class Numbered(Protocol):
    """A job as workers see it: something to be pickled that has a number to name it by."""

    @property
    def number(self) -> int: ...


Job = TypeVar("Job", bound=Numbered)
Result = TypeVar("Result")
Playing: TypeAlias = Callable[[], AbstractContextManager[Callable[[Job], Result]]]
"""Opened once by a worker, by its importable name: the function that jobs are given to."""
