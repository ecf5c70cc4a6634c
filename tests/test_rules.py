"""Rules: presets, KataGo's JSON, single settings, names other programs use."""

import json
from dataclasses import FrozenInstanceError

import pytest

from gtpengine.rules import DEFAULT, PRESETS, Rules

#   name           ko             scoring      suicide tax     bonus  friendly pass
TABLE = """
    chinese        SIMPLE         AREA         false   NONE    N      true
    japanese       SIMPLE         TERRITORY    false   SEKI    0      true
    korean         SIMPLE         TERRITORY    false   SEKI    0      true
    aga            SITUATIONAL    AREA         false   NONE    N-1    true
    new-zealand    SITUATIONAL    AREA         true    NONE    0      true
    tromp-taylor   POSITIONAL     AREA         true    NONE    0      false
    chinese-ogs    POSITIONAL     AREA         false   NONE    N      true
    chinese-kgs    POSITIONAL     AREA         false   NONE    N      true
"""
ROWS = {row.split()[0]: row.split()[1:] for row in TABLE.strip().splitlines()}


@pytest.mark.parametrize("name", ROWS)
def test_preset_is_what_katago_documents(name):
    ko, scoring, suicide, tax, bonus, friendly = ROWS[name]
    assert json.loads(Rules.from_name(name).to_json()) == {
        "friendlyPassOk": friendly == "true",
        "hasButton": False,
        "ko": ko,
        "scoring": scoring,
        "suicide": suicide == "true",
        "tax": tax,
        "whiteHandicapBonus": bonus,
    }


def test_presets_are_the_table_and_the_default_is_one():
    assert list(PRESETS) == list(ROWS)
    assert DEFAULT is PRESETS["chinese-ogs"]
    with pytest.raises(FrozenInstanceError):
        DEFAULT.ko = "simple"  # type: ignore[misc]


def test_json_has_katagos_shape():
    assert Rules.from_name("aga").to_json() == (
        '{"friendlyPassOk":true,"hasButton":false,"ko":"SITUATIONAL","scoring":"AREA",'
        '"suicide":false,"tax":"NONE","whiteHandicapBonus":"N-1"}'
    )


@pytest.mark.parametrize("name", PRESETS)
def test_json_comes_back(name):
    again = Rules.from_json(PRESETS[name].to_json())
    assert again.to_json() == PRESETS[name].to_json()
    assert again.name == {"korean": "japanese", "chinese-kgs": "chinese-ogs"}.get(name, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Japanese", "japanese"),
        ("new_zealand", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("NZ", "new-zealand"),
        ("TrompTaylor", "tromp-taylor"),
        ("chinese_ogs", "chinese-ogs"),
        (' {"ko":"SIMPLE","suicide":false,"whiteHandicapBonus":"N"}', "chinese"),
    ],
)
def test_parse(text, name):
    assert Rules.parse(text) is PRESETS[name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("japanese", "japanese"),
        ("chinese", "chinese-kgs"),
        ("aga", "aga"),
        ("new_zealand", "new-zealand"),
        ("Chinese", "chinese-kgs"),
    ],
)
def test_kgs_names(text, name):
    assert Rules.from_kgs(text) is PRESETS[name]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", "tromp-taylor"),
        ('{"friendlyPassOk":true}', "custom"),
        ('{"scoring":"territory","ko":"simple","suicide":false}', "japanese"),
        ('{"ko":"POSITIONAL","suicide":false,"whiteHandicapBonus":"N"}', "chinese-ogs"),
        ('{"ko":"SITUATIONAL","whiteHandicapBonus":0}', "new-zealand"),
        ('{"scoring":"TERRITORY","tax":"NONE"}', "custom"),
    ],
)
def test_json_with_keys_left_out(text, expected):
    assert Rules.from_json(text).name == expected


def test_territory_tax_can_be_lifted():
    lifted = Rules.from_name("japanese").with_setting("tax", "NONE")
    assert (lifted.name, lifted.scoring, lifted.seki_tax) == ("custom", "territory", False)
    assert lifted.with_setting("tax", "seki") == PRESETS["japanese"]


@pytest.mark.parametrize(
    ("start", "key", "value", "name"),
    [
        ("chinese-ogs", "ko", "SIMPLE", "chinese"),
        ("chinese-kgs", "suicide", "false", "chinese-kgs"),
        ("korean", "tax", "SEKI", "korean"),
        ("aga", "whiteHandicapBonus", "n", "custom"),
        ("aga", "hasButton", "false", "aga"),
        ("new-zealand", "suicide", "False", "custom"),
    ],
)
def test_single_setting(start, key, value, name):
    assert PRESETS[start].with_setting(key, value).name == name


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (Rules.from_name, "ing", "expected rules chinese|japanese|"),
        (Rules.from_name, "", "got ''"),
        (Rules.from_kgs, "korean", "expected rules japanese|chinese|aga|new_zealand, got 'korean'"),
        (Rules.from_json, '{"ko":', "expected rules as a JSON object, got '{\"ko\":'"),
        (Rules.from_json, "[1]", "expected rules as a JSON object"),
        (Rules.from_json, '{"ko":"SPIGHT"}', "expected ko SIMPLE|POSITIONAL|SITUATIONAL"),
        (Rules.from_json, '{"ko":null}', "got 'null'"),
        (Rules.from_json, '{"tax":"ALL"}', "expected tax NONE|SEKI, got 'ALL'"),
        (Rules.from_json, '{"hasButton":true}', "expected hasButton false, got 'true'"),
        (Rules.from_json, '{"komi":7}', "expected a setting friendlyPassOk|"),
        (Rules.from_json, '{"a":' * 9999, "expected rules as a JSON object"),
    ],
)
def test_refused(read, text, message):
    with pytest.raises(ValueError, match="expected") as error:
        read(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "points"),  # for 0, 1, 2, 9 stones
    [("chinese", [0, 0, 2, 9]), ("aga", [0, 0, 1, 8]), ("japanese", [0, 0, 0, 0])],
)
def test_handicap_bonus(name, points):
    assert [PRESETS[name].bonus(n) for n in (0, 1, 2, 9)] == points
