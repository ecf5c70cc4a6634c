"""Which module may import which: the layers of the package, and what its parts keep away from."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

# A module imports from lines above its own only, never from its own line.
CORE = """
    types rng atomic
    zobrist
    position
    board
    history score ladder life pattern
    playout reading
    leaf cache
    recording spatial tree
    features move_features
    prior
    evaluator
    network findings
    search benchmark
"""
PACKAGE = """
    _version rules coords clock parameters console
    handicap symmetry arenas network prior
    diagram game local evaluators estimate
    settings
    fights kofights races
    status
    scoring sgf
    endgame report
    player
    gtp.protocol
    gtp.arguments gtp.loop
    gtp.table
    gtp.engine gtp.session
    gtp.graphics gtp.request
    gtp.genmove gtp.info
    gtp.position_commands gtp.score_commands gtp.setup_commands gtp.time_commands gtp.analysis
    gtp.gogui_commands gtp.parameter_commands
    gtp.commands
    match.faults match.jobs match.referee match.timing
    match.controller match.openings
    match.game
    match.cluster match.introduction match.schedule match.statistics match.records match.workers
    match.report
    match.progress
    match.cli
    match
    match.__main__
    cli
    gtp core __main__ gtpengine
"""
LINES = [[f"core.{word}" for word in line.split()] for line in CORE.splitlines()]
LINES += [line.split() for line in PACKAGE.splitlines()]
LEVEL = {name: level for level, line in enumerate(LINES) for name in line}

TO_MEND: set[str] = set()  # wrong today; an entry goes when its cause does
DEPENDENCIES = {"distributed", "numpy", "onnxruntime", "openvino", "sgfmill", "tomli"}


def sources() -> Iterator[tuple[str, Path]]:
    """(module, file) of all Python and Cython of the package; names without "gtpengine."."""
    for folder in (ROOT, ROOT / "src_cython"):
        for path in sorted((folder / "gtpengine").rglob("*.py*")):
            if path.suffix in (".py", ".pyi", ".pyx", ".pxd"):
                module = ".".join(path.relative_to(folder).with_suffix("").parts)
                yield module.removesuffix(".__init__").removeprefix("gtpengine."), path


def imported(path: Path) -> Iterator[str]:
    """Full names of the modules that a file imports or cimports, wherever in it that stands."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".pyx", ".pxd"):
        lines = re.findall(r"(?m)^\s*from\s+([\w.]+)\s+c?import\s+([\w, ]+|\()", text)
        found = [(module, names.split(", ")) for module, names in lines]
        found += [(name, []) for name in re.findall(r"(?m)^\s*c?import\s+([\w.]+)", text)]
    else:
        found = []
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: imports are absolute"
                found.append((node.module or "", [alias.name for alias in node.names]))
            elif isinstance(node, ast.Import):
                found += [(alias.name, []) for alias in node.names]
    for module, names in found:
        inner = [f"{module}.{name}" for name in names]
        yield from [name for name in inner if name.removeprefix("gtpengine.") in LEVEL] or [module]


def imports() -> Iterator[tuple[str, str]]:
    """(module, imported module) within the package; names without "gtpengine."."""
    for module, path in sources():
        for name in imported(path):
            if name.split(".")[0] == "gtpengine":
                yield module, name.removeprefix("gtpengine.")


def test_every_module_has_its_place():
    without = sorted({module for module, _ in sources()} - set(LEVEL))
    assert not without, f"put into the table of {Path(__file__).name}: {without}"


def test_imports_point_down():
    wrong = {
        f"{module} imports {name}"
        for module, name in imports()
        if module != name and LEVEL.get(name, len(LEVEL)) >= LEVEL.get(module, -1)
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_the_core_knows_nothing_else():
    for module, name in imports():
        assert not module.startswith("core.") or name.startswith("core.")


def test_protocol_and_match_stand_alone():
    """The protocol knows no Go; the match runner judges this engine with a board of its own."""
    for module, name in imports():
        assert module not in ("gtp.protocol", "gtp.loop") or name == "gtp.protocol"
        assert module.split(".")[0] != "match" or name.split(".")[0] == "match"


def test_only_the_command_line_knows_gtp():
    users = {module for module, name in imports() if name.startswith("gtp.")}
    assert {module for module in users if not module.startswith("gtp.")} <= {"cli"}


def test_foreign_modules_are_declared():
    """What is imported from elsewhere is the standard library or a dependency at run time."""
    known = (
        set(sys.stdlib_module_names)
        | DEPENDENCIES
        | {"gtpengine", "libc", "cython", "cpython", "tomllib"}
    )
    foreign = {name.split(".")[0] for _, path in sources() for name in imported(path)}
    assert foreign <= known
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"{name}>=' in declared for name in DEPENDENCIES)


def test_the_reader_sees_what_is_there():
    """A reader that finds nothing would let everything pass."""
    seen = set(imports())
    assert ("core.board", "core.types") in seen
    assert ("core.history", "core.board") in seen
    assert ("game", "core.history") in seen
    assert ("coords", "core.types") in seen
    assert len(seen) > 60
