"""What the package imports: declared dependencies only, and no circles among its own modules."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "augkit").rglob("*.py"))
DISTRIBUTIONS = {
    "harper": "harper-py",
    "mlflow": "mlflow-skinny",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
"""Import names that differ from the name of their distribution in more than case and hyphens."""


@cache
def project() -> dict:
    """The ``[project]`` table of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def distribution(requirement: str) -> str:
    """The normalised name of a requirement or of an import."""
    name = re.match(r"[\w.-]+", requirement)[0]
    return re.sub(r"[-_.]+", "-", DISTRIBUTIONS.get(name, name)).lower()


@cache
def imports(path: Path) -> tuple[tuple[str, ...], ...]:
    """The modules that a file imports anywhere: of ``from a import b`` ``a.b``, then ``a``."""
    found: list[tuple[str, ...]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name,) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            found += [(f"{node.module}.{alias.name}", node.module) for alias in node.names]
    return tuple(found)


def third_party() -> dict[str, str]:
    """Normalised distribution → one file of the package that imports it."""
    found = {}
    for path in MODULES:
        for candidates in imports(path):
            top = candidates[-1].partition(".")[0]
            if top != "augkit" and top not in sys.stdlib_module_names:
                found[distribution(top)] = str(path.relative_to(ROOT))
    return found


@pytest.mark.slow
def test_every_import_is_declared():
    """Each distribution that the package imports is a dependency or in an extra that users get."""
    extras = project()["optional-dependencies"]
    listed = list(project()["dependencies"])
    listed += [requirement for name in extras if name != "test" for requirement in extras[name]]
    declared = {distribution(requirement) for requirement in listed}
    assert {name: path for name, path in third_party().items() if name not in declared} == {}


def test_every_dependency_is_imported():
    """No core dependency is installed for nothing."""
    declared = {distribution(requirement) for requirement in project()["dependencies"]}
    assert sorted(declared - set(third_party())) == []


@cache
def graph() -> dict[str, set[str]]:
    """Module → modules of the package that it imports, also inside functions and for types only."""
    paths = {module_name(path): path for path in MODULES}
    found = {}
    for name, path in paths.items():
        own = (next((one for one in some if one in paths), None) for some in imports(path))
        found[name] = {one for one in own if one not in (None, name)}
    return found


def module_name(path: Path) -> str:
    """The dotted name of a module file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circles() -> list[list[str]]:
    """The strongly connected components with more than one module (Tarjan's algorithm)."""
    edges, index, low = graph(), {}, {}
    stack, found = [], []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(edges[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            component = stack[at:]
            del stack[at:]
            if len(component) > 1:
                found.append(sorted(component))

    for name in sorted(edges):
        if name not in index:
            visit(name)
    return found


def test_no_import_circles():
    """No two modules import each other, directly or through others."""
    assert circles() == []
