"""Rules: the switches in which rule sets differ; a frozen value without board size and komi.

Presets, and the JSON that ``kata-set-rules`` reads and ``kata-get-rules`` prints, mean what KataGo
documents (Wu, KataGo's Supported Go Rules; KataGo, GTP Extensions).  Single-stone suicide is
illegal under all of them.
"""

import json
from dataclasses import dataclass, replace
from typing import Literal

DEFAULT_KOMI = 7.0

# KataGo's key -> our field, and each value KataGo writes -> ours.  A button and the tax on all
# groups are missing: they are not supported.
_SETTINGS: dict[str, tuple[str, dict[str, str | bool]]] = {
    "friendlyPassOk": ("friendly_pass", {"false": False, "true": True}),
    "hasButton": ("", {"false": False}),
    "ko": ("ko", {"SIMPLE": "simple", "POSITIONAL": "positional", "SITUATIONAL": "situational"}),
    "scoring": ("scoring", {"AREA": "area", "TERRITORY": "territory"}),
    "suicide": ("suicide", {"false": False, "true": True}),
    "tax": ("seki_tax", {"NONE": False, "SEKI": True}),
    "whiteHandicapBonus": ("handicap_bonus", {"0": "none", "N-1": "n-1", "N": "n"}),
}


@dataclass(frozen=True)
class Rules:
    """One rule set; ``name`` is the preset it equals, or "custom"."""

    name: str
    scoring: Literal["area", "territory"]
    ko: Literal["simple", "positional", "situational"]
    suicide: bool  # of two stones or more
    seki_tax: bool  # an eye inside a seki counts nothing
    handicap_bonus: Literal["none", "n", "n-1"]  # points to White for n handicap stones
    friendly_pass: bool  # dead stones are taken off; False: all stones on the board count as alive

    @classmethod
    def from_name(cls, text: str) -> "Rules":
        """The preset of that name; case, blanks, "-" and "_" do not matter, and NZ is known."""
        rules = _BY_PLAIN_NAME.get(_plain(text))
        if rules is None:
            raise ValueError(f"expected rules {'|'.join(PRESETS)}, got '{text}'")
        return rules

    @classmethod
    def from_kgs(cls, text: str) -> "Rules":
        """The preset for a name of ``kgs-rules``; there, chinese has the superko."""
        name = _KGS_NAMES.get(text.lower())
        if name is None:
            raise ValueError(f"expected rules {'|'.join(_KGS_NAMES)}, got '{text}'")
        return PRESETS[name]

    @classmethod
    def from_json(cls, text: str) -> "Rules":
        """Read KataGo's JSON object.

        A key left out stands as in tromp-taylor, except: the seki tax follows the scoring, and
        only complete tromp-taylor leaves dead stones on the board.
        """
        try:
            settings = json.loads(text)
        except (ValueError, RecursionError):
            settings = None
        if not isinstance(settings, dict):
            raise ValueError(f"expected rules as a JSON object, got '{text}'")
        rules = tromp_taylor = PRESETS["tromp-taylor"]
        for key, value in settings.items():
            rules = rules.with_setting(key, value if isinstance(value, str) else json.dumps(value))
        if "tax" not in settings:
            rules = rules.with_setting("tax", "NONE" if rules.scoring == "area" else "SEKI")
        if "friendlyPassOk" not in settings and rules != tromp_taylor:
            rules = rules.with_setting("friendlyPassOk", "true")
        return rules

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Read a JSON object or the name of a preset."""
        return cls.from_json(text) if text.lstrip().startswith("{") else cls.from_name(text)

    def to_json(self) -> str:
        """KataGo's JSON object, on one line."""
        values: dict[str, str | bool] = {}
        for key, (field, choices) in _SETTINGS.items():
            ours = getattr(self, field) if field else False
            word = next(word for word, value in choices.items() if value == ours)
            values[key] = ours if word in ("false", "true") else word
        return json.dumps(values, separators=(",", ":"))

    def with_setting(self, key: str, value: str) -> "Rules":
        """Change one setting by KataGo's key and value ("ko", "SIMPLE"); the value in any case."""
        if key not in _SETTINGS:
            raise ValueError(f"expected a setting {'|'.join(_SETTINGS)}, got '{key}'")
        field, choices = _SETTINGS[key]
        for word, ours in choices.items():
            if word.lower() == value.lower():
                return _named(replace(self, **{field: ours})) if field else self  # type: ignore[arg-type]
        raise ValueError(f"expected {key} {'|'.join(choices)}, got '{value}'")

    def bonus(self, n_handicap: int) -> int:
        """Points White gets for the handicap; one stone is no handicap."""
        if n_handicap < 2 or self.handicap_bonus == "none":
            return 0
        return n_handicap if self.handicap_bonus == "n" else n_handicap - 1


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in " -_")


def _named(rules: Rules) -> Rules:
    """The same rules under the name of the preset they equal, their own name first."""
    for name in (rules.name, *PRESETS):
        if name in PRESETS and replace(rules, name=name) == PRESETS[name]:
            return PRESETS[name]
    return replace(rules, name="custom")


PRESETS: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        #     name            scoring      ko             suicide seki_tax bonus  friendly_pass
        Rules("chinese", "area", "simple", False, False, "n", True),
        Rules("japanese", "territory", "simple", False, True, "none", True),
        Rules("korean", "territory", "simple", False, True, "none", True),
        Rules("aga", "area", "situational", False, False, "n-1", True),
        Rules("new-zealand", "area", "situational", True, False, "none", True),
        Rules("tromp-taylor", "area", "positional", True, False, "none", False),
        Rules("chinese-ogs", "area", "positional", False, False, "n", True),
        Rules("chinese-kgs", "area", "positional", False, False, "n", True),
    )
}
DEFAULT = PRESETS["chinese-ogs"]

_BY_PLAIN_NAME = {_plain(name): rules for name, rules in PRESETS.items()}
_BY_PLAIN_NAME["nz"] = PRESETS["new-zealand"]  # so the SGF property RU calls it
_KGS_NAMES = {
    "japanese": "japanese",
    "chinese": "chinese-kgs",
    "aga": "aga",
    "new_zealand": "new-zealand",
}
