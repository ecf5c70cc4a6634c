"""Settings that may change while the engine runs; each change counts from the next move on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.protocol import GtpError
from gtpengine.gtp.session import Session
from gtpengine.gtp.table import command
from gtpengine.settings import BOUNDS, LEVEL_VISITS, check_memory


class _Kind(Protocol):
    """How values of a parameter are written; ``label`` tells GoGui how to edit them."""

    @property
    def label(self) -> str: ...
    def read(self, args: Arguments, name: str) -> object: ...
    def format(self, value: object) -> str: ...


@dataclass(frozen=True)
class _Number:
    """A number within its BOUNDS; ``none`` is the word for no number."""

    convert: type[int] | type[float]
    none: str = ""
    label: str = "string"

    def read(self, args: Arguments, name: str) -> object:
        if self.none and args and args.peek() == self.none:
            args.word(name)
            return None
        low, high = BOUNDS[name]
        what = f"{name}, if not {self.none}," if self.none else name
        if self.convert is int:
            return args.integer(int(low), int(high), what)
        return args.number(what, low, high)

    def format(self, value: object) -> str:
        if value is None:
            return self.none
        return f"{value:.12g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class _Flag:
    label: str = "bool"

    def read(self, args: Arguments, name: str) -> object:
        return args.choice(("0", "1", "false", "true"), name) in ("1", "true")

    def format(self, value: object) -> str:
        return "1" if value else "0"


@dataclass(frozen=True)
class _Words:
    words: tuple[str, ...]

    @property
    def label(self) -> str:
        return "/".join(["list", *self.words])

    def read(self, args: Arguments, name: str) -> object:
        return args.choice(self.words, name)

    def format(self, value: object) -> str:
        return str(value)


_OF_SESSION = ("lenient", "live_gfx")
PARAMETERS: dict[str, _Kind] = {
    "time_per_move": _Number(float),
    "visits": _Number(int, none="none"),
    "threads": _Number(int),
    "level": _Words(tuple(LEVEL_VISITS)),
    "resign": _Number(float, none="never"),
    "ponder": _Flag(),
    "cleanup": _Flag(),
    "scoring": _Words(("estimated", "proven")),
    "memory": _Number(int),
    "seed": _Number(int, none="none"),
    "lenient": _Flag(),
    "live_gfx": _Flag(),
}


class ParameterCommands:
    """Settings, with the meaning that the options of the command line have.

    - time_per_move SECONDS: for a move when no clock runs
    - visits N or none: decide a move after so many visits of the root
    - threads N: that search
    - level easy, normal or hard
    - resign RATE or never: win rate, 0..1, below which to give up
    - ponder 0 or 1: think in the opponent's time
    - cleanup 0 or 1: capture dead stones before passing
    - scoring estimated or proven: which stones come off at the end
    - memory MIB: for the search tree
    - seed N or none
    - lenient 0 or 1: accept moves that only superko forbids
    - live_gfx 0 or 1: draw on the board of GoGui while genmove thinks (on stderr)
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @command("gtpengine-param")
    def param(self, args: Arguments) -> str:
        """gtpengine-param [NAME [VALUE]]

        Without words all parameters, "[type] NAME VALUE" a line, as GoGui edits them; with a name
        its value; with a value an empty answer, and the change holds from the next move on.
        """
        if not args:
            return "\n".join(
                f"[{kind.label}] {name} {self._value(name)}" for name, kind in PARAMETERS.items()
            )
        name = args.choice(tuple(PARAMETERS), "parameter")
        if not args:
            return self._value(name)
        self._set(name, args)
        return ""

    @command("kata-list-params")
    def kata_list_params(self, args: Arguments) -> str:
        """kata-list-params

        The names, on one line; they are those of gtpengine-param.
        """
        args.done()
        return " ".join(PARAMETERS)

    @command("kata-get-param")
    def kata_get_param(self, args: Arguments) -> str:
        """kata-get-param NAME

        The value of one setting.
        """
        name = args.choice(tuple(PARAMETERS), "parameter")
        args.done()
        return self._value(name)

    @command("kata-set-param")
    def kata_set_param(self, args: Arguments) -> None:
        """kata-set-param NAME VALUE

        Changes one setting, from the next move on.
        """
        self._set(args.choice(tuple(PARAMETERS), "parameter"), args)

    def _owner(self, name: str) -> object:
        return self._session if name in _OF_SESSION else self._session.player.settings

    def _value(self, name: str) -> str:
        return PARAMETERS[name].format(getattr(self._owner(name), name))

    def _set(self, name: str, args: Arguments) -> None:
        value = PARAMETERS[name].read(args, name)
        args.done()
        if name == "memory" and isinstance(value, int):
            try:
                check_memory(value)
            except ValueError as error:
                raise GtpError(str(error)) from None
        setattr(self._owner(name), name, value)
        if name == "ponder" and not value:
            self._session.player.stop_ponder()
