"""The stubs of the core say what the compiled modules have: names, parameters, defaults, values.

mypy asks for a stub wherever Python imports a compiled module; the others need none.
"""

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType

import pytest

import gtpengine.core
from gtpengine.core import types

CORE = Path(gtpengine.core.__path__[0])
STUBS = sorted(path.stem for path in CORE.glob("*.pyi"))
SPECIAL = {"__init__", "__str__", "__len__"}  # stubbed where they have a use; no signature to see


def compiled(name: str) -> ModuleType:
    return importlib.import_module(f"gtpengine.core.{name}")


def stubbed(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    """The public names that a module or class body declares."""
    found: dict[str, ast.stmt] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = node
    return {n: node for n, node in found.items() if not n.startswith("_") or n in SPECIAL}


def has(owner: object) -> set[str]:
    """The public names that a compiled module or class has of its own."""
    if inspect.ismodule(owner):
        return {
            name
            for name, value in vars(owner).items()
            if not name.startswith("_")
            and (isinstance(value, int) or getattr(value, "__module__", "") == owner.__name__)
        }
    return {name for name in vars(owner) if not name.startswith("_")}


def parameters(node: ast.FunctionDef, module: ModuleType) -> list[tuple[str, object]]:
    """(name, default) of every parameter of a stub; names of the module stand for their values."""
    arguments = node.args.args + node.args.kwonlyargs
    required = [None] * (len(node.args.args) - len(node.args.defaults))
    defaults = [*required, *node.args.defaults, *node.args.kw_defaults]
    known = vars(types) | vars(module)
    return [
        (arg.arg, inspect.Parameter.empty if d is None else eval(ast.unparse(d), dict(known)))
        for arg, d in zip(arguments, defaults, strict=True)
    ]


def expect_same(node: ast.stmt, value: object, module: ModuleType) -> None:
    """A stub's declaration fits what the compiled module has under that name."""
    if isinstance(node, ast.AnnAssign):
        if node.value:
            assert value == ast.literal_eval(node.value)
    elif isinstance(node, ast.ClassDef):
        assert inspect.isclass(value)
        bases = [ast.unparse(base) for base in node.bases]
        if bases == ["NamedTuple"]:
            assert list(stubbed(node.body)) == list(value._fields)
            return
        assert [base.__name__ for base in value.__bases__] == (bases or ["object"])
        members = stubbed(node.body)
        assert set(members) - SPECIAL == has(value)
        for name, member in members.items():
            expect_same(member, vars(value)[name], module)
    elif isinstance(node, ast.FunctionDef):
        if any(ast.unparse(decorator) == "property" for decorator in node.decorator_list):
            assert inspect.isdatadescriptor(value)
        elif node.name not in SPECIAL:
            signature = inspect.signature(value)
            theirs = [(p.name, p.default) for p in signature.parameters.values()]
            assert parameters(node, module) == theirs


@pytest.mark.parametrize("name", STUBS)
def test_stub(name):
    module = compiled(name)
    assert module.__file__.endswith((".so", ".pyd"))
    declared = stubbed(ast.parse((CORE / f"{name}.pyi").read_text(encoding="utf-8")).body)
    assert set(declared) == has(module)
    for public, node in declared.items():
        expect_same(node, getattr(module, public), module)
