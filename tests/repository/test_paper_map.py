"""The map of the papers: what it names exists and is reachable, and each "full" has its check."""

import ast
import re
from functools import reduce
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from reference_papers import FOLDER, papers

from augkit.core import registry

ROOT = Path(__file__).parents[2]
PARTS = [part for paper in papers().values() for part in paper.parts]
CHECKS = sorted({check for part in PARTS for check in part.check})
PYTHON_NAME = re.compile(r"[a-z][\w.]+:[\w.]+")
FILE = re.compile(r"[\w./-]+\.(?:py|md|yaml)")
MODULE = re.compile(r"python -m ([\w.]+)")


def test_what_a_part_names_exists():
    """Functions, classes and methods can be imported; files and modules are there."""
    for name in sorted({name for part in PARTS for name in part.by}):
        if PYTHON_NAME.fullmatch(name):
            module, _, path = name.partition(":")
            assert reduce(getattr, path.split("."), import_module(module)) is not None
        elif FILE.fullmatch(name):
            assert (ROOT / name).is_file(), name
        elif name.startswith("python -m benchmarks."):
            assert name.endswith(" (at d3341e1c)"), name  # the commit that still had it
        elif module := MODULE.match(name):
            assert (ROOT / f"{module[1].replace('.', '/')}.py").is_file(), name
        else:  # a command, whose options are compared by test_docs.py
            assert name.startswith("augkit "), name


def test_settings_are_taken():
    """What is to be set can be set, and what is said to be a default is the default."""
    for part in PARTS:
        for title, settings in part.settings.items():
            config = config_of(title)
            for key, value in settings.items():
                assert same(getattr(config(**settings), key), value), (part.part, title, key)
        for title, settings in part.defaults.items():
            fields = config_of(title).model_fields
            for key, value in settings.items():
                assert same(fields[key].default, value), (part.part, title, key)


def config_of(title):
    """The settings of a method, of ``finder NAME``, or of the class MODULE:NAME."""
    if ":" in title:
        module, _, name = title.partition(":")
        return getattr(import_module(module), name)
    if title.startswith("finder "):
        return registry.find("finders", title.removeprefix("finder ")).Config
    return registry.find("augmenters", title).Config


def same(actual, wanted):
    """Lists may be tuples, mappings settings of their own, and paths texts."""
    if isinstance(wanted, list):
        return list(actual) == wanted
    if isinstance(wanted, dict) and not isinstance(actual, dict):
        return all(same(getattr(actual, key), value) for key, value in wanted.items())
    return actual == wanted or (isinstance(actual, Path) and str(actual) == wanted)


def test_every_numbered_part_has_an_entry():
    """No equation, algorithm, definition, lemma, table or figure of a paper is missing."""
    for name, paper in papers().items():
        for kind, count in paper.numbered.items():
            listed = set()
            for part in paper.parts:
                for match in re.finditer(rf"\b{kind}s?\.? ([\d\u2013, ]+)", part.part):
                    for first, last in re.findall(r"(\d+)(?:\u2013(\d+))?", match[1]):
                        listed |= set(range(int(first), int(last or first) + 1))
            assert listed >= set(range(1, count + 1)), (name, kind)


def test_every_file_is_read():
    """A file of the folder belongs to a paper, and no two parts of a paper have one name."""
    assert {path.stem for path in FOLDER.iterdir()} == set(papers())
    for paper in papers().values():
        names = [part.part for part in paper.parts]
        assert len(names) == len(set(names)), {name for name in names if names.count(name) > 1}


@pytest.mark.slow
def test_every_check_is_a_test():
    """It is a function of its file that asserts something, and nothing marks it to be skipped."""
    trees = {path: ast.parse((ROOT / path).read_text("utf-8")) for path in map(path_of, CHECKS)}
    faults = []
    for check in CHECKS:
        found = {}
        for node in trees[path_of(check)].body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign):
                found[ast.unparse(node.targets[0])] = node
        nodes = [found[name] for name in (name_of(check), "pytestmark") if name in found]
        code = "\n".join(map(ast.unparse, nodes))
        if name_of(check) not in found:
            faults.append(f"{check}: there is no such test")
        elif not re.search(r"\bassert|\braises\b|\bcheck\w*\(", code):
            faults.append(f"{check}: asserts nothing")
        elif re.search(r"(?<!importor)skip(?:if)?\(", code):
            faults.append(f"{check}: may be skipped")
        elif not all(map(find_spec, re.findall(r"pytest\.importorskip\('([\w.]+)'\)", code))):
            faults.append(f"{check}: needs a package that is not there")
    assert not faults, "\n".join(faults)


def path_of(check):
    """The file of a check."""
    return check.partition("::")[0]


def name_of(check):
    """The name of the function of a check."""
    return check.partition("::")[2]
