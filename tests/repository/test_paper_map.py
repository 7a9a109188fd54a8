"""The map of the papers: what it names exists and is reachable, and each "full" has its check."""

import ast
import re
import subprocess
import sys
from functools import reduce
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from reference_papers import FOLDER, papers  # noqa: E402

from augkit.core import registry  # noqa: E402

PARTS = [(name, part) for name, paper in papers().items() for part in paper.parts]
IDS = [f"{name}: {part.part}" for name, part in PARTS]
EACH = pytest.mark.parametrize("part", [part for _, part in PARTS], ids=IDS)
PYTHON_NAME = re.compile(r"[a-z][\w.]+:[\w.]+")
FILE = re.compile(r"[\w./-]+\.(?:py|md|yaml)")
MODULE = re.compile(r"python -m ([\w.]+)")


@EACH
def test_what_a_part_names_exists(part):
    """Functions, classes and methods can be imported; files and modules are there."""
    for name in part.by:
        if PYTHON_NAME.fullmatch(name):
            module, _, path = name.partition(":")
            assert reduce(getattr, path.split("."), import_module(module)) is not None
        elif FILE.fullmatch(name):
            assert (ROOT / name).is_file(), name
        elif module := MODULE.match(name):
            assert (ROOT / f"{module[1].replace('.', '/')}.py").is_file(), name
        else:  # a command, whose options are compared by test_docs.py
            assert name.startswith("augkit "), name


@EACH
def test_settings_are_taken(part):
    """What is to be set can be set, and what is said to be a default is the default."""
    for title, settings in part.settings.items():
        config = config_of(title)
        for key, value in settings.items():
            assert same(getattr(config(**settings), key), value), (title, key)
    for title, settings in part.defaults.items():
        fields = config_of(title).model_fields
        for key, value in settings.items():
            assert same(fields[key].default, value), (title, key)


def config_of(title):
    """The settings of a method, of ``finder NAME``, or of the class MODULE:NAME."""
    if ":" in title:
        module, _, name = title.partition(":")
        return getattr(import_module(module), name)
    group, name = ("finders", title[7:]) if title.startswith("finder ") else ("augmenters", title)
    return registry.find(group, name).Config


def same(actual, wanted):
    """Lists may be tuples, mappings settings of their own, and paths texts."""
    if isinstance(wanted, list):
        return list(actual) == wanted
    if isinstance(wanted, dict) and not isinstance(actual, dict):
        return all(same(getattr(actual, key), value) for key, value in wanted.items())
    return actual == wanted or (isinstance(actual, Path) and str(actual) == wanted)


@pytest.mark.parametrize("name", papers())
def test_every_numbered_part_has_an_entry(name):
    """No equation, algorithm, definition, lemma, table or figure of a paper is missing."""
    paper = papers()[name]
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


CHECKS = sorted({check for _, part in PARTS for check in part.check})


@pytest.mark.slow
def test_the_checks_are_collected():
    """Pytest finds every named test, and none has a mark to be skipped."""
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-m", "not skip and not skipif"]
    command = [sys.executable, "-m", "pytest", *options, *CHECKS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = (line for line in done.stdout.splitlines() if "::" in line)
    assert {line.partition("[")[0] for line in lines} == set(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_a_check_asserts_something(check):
    """It skips itself only where a package is missing that is there."""
    path, name = check.split("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    (test,) = (node for node in ast.walk(tree) if getattr(node, "name", "") == name)
    code = ast.unparse(test)
    for package in re.findall(r"pytest\.importorskip\('([\w.]+)'\)", code):
        assert find_spec(package), f"{check} needs {package}"
    assert "skip(" not in re.sub(r"importorskip\('[\w.]+'\)", "", code), check
    assert "assert" in code or "raises" in code, check
