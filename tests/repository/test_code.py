"""What the style guide says of the package and no linter checks: names, imports, what prints."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from code_figures import PRONOUNS

import augkit

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MACHINE_PATH = re.compile(rb"(?<![\w.\x80-\xff])/(?:root|work|home)/")
"""An absolute path, not the folder ``work`` of a run."""

SAME_MEANING = {
    "command",  # each command of the command line
    "connect",  # each LLM back end
    "audit",  # what a command does, and the function of Python around it
    "check",
    "evaluate",
    "shortcuts",
    "split",
    "causal_score",  # each benchmark, by a causal language model
    "llm_score",  # each benchmark, by an LLM that answers questions
    "masked_score",  # each benchmark, by a masked language model
    "read",  # each benchmark, its published files
    "register",  # each component of the bundled spaCy pipeline
    "run_inside",  # by torch and by Triton
    "run_outside",
    "run_viterbi",
}
"""Functions that several modules define on purpose, because they do the same for each."""

DISTRIBUTIONS = {
    "harper": "harper-py",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
"""Import names that differ from the name of their distribution in more than case and hyphens."""


@pytest.fixture(scope="module")
def nodes():
    """The nodes of the syntax tree of each module, by its dotted name."""
    found = {}
    for path in sorted((ROOT / "augkit").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found[name] = list(ast.walk(ast.parse(path.read_bytes())))
    return found


@pytest.fixture(scope="module")
def imports(nodes):
    """The modules that each module imports anywhere: of ``from a import b`` ``a.b``, then ``a``."""
    found = defaultdict(list)
    for name, its in nodes.items():
        for node in its:
            if isinstance(node, ast.Import):
                found[name] += [(alias.name,) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{name}: a relative import"
                found[name] += [(f"{node.module}.{each.name}", node.module) for each in node.names]
    return found


def test_no_import_circles(nodes, imports):
    """No two modules import each other, also not through others, inside functions or for types."""
    graph = {}
    for name, imported in imports.items():
        own = [next((each for each in names if each in nodes), name) for names in imported]
        graph[name] = {other for other in own if other != name}
    TopologicalSorter(graph).prepare()  # CycleError names them


def test_imports_and_dependencies_agree(imports):
    """What is imported is a dependency or in an extra for users; no core dependency is unused."""
    used = set()
    for imported in imports.values():
        used |= {names[-1].partition(".")[0] for names in imported}
    third_party = {distribution(top) for top in used - {"augkit", *sys.stdlib_module_names}}
    core = {distribution(requirement) for requirement in PROJECT["dependencies"]}
    extras = {
        distribution(requirement)
        for name, requirements in PROJECT["optional-dependencies"].items()
        for requirement in requirements
        if name != "test"
    }
    assert third_party - core - extras == set()
    assert core - third_party == set()


def distribution(requirement):
    """The normalised name of a requirement or of an import."""
    name = re.match(r"[\w.-]+", requirement)[0]
    return re.sub(r"[-_.]+", "-", DISTRIBUTIONS.get(name, name)).lower()


def test_a_name_has_one_meaning(nodes):
    """No public class or function of that name stands in two modules."""
    homes = defaultdict(set)
    for path, its in nodes.items():
        for node in its[0].body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                homes[node.name].add(path)
    twice = {name: paths for name, paths in homes.items() if len(paths) > 1}
    assert not {name: paths for name, paths in twice.items() if name not in SAME_MEANING}


def test_variables_say_what_they_hold(nodes):
    """Hardly any variable or argument is a pronoun, such as "one" or "found"."""
    names = []
    for its in nodes.values():
        names += [node.arg for node in its if isinstance(node, ast.arg)]
        stored = [node for node in its if isinstance(node, ast.Name)]
        names += [node.id for node in stored if isinstance(node.ctx, ast.Store)]
    assert sum(name in PRONOUNS for name in names) < len(names) / 100


def test_one_module_prints(nodes):
    """It writes control characters out, so that no dataset steers a terminal."""
    calls = set()
    for path, its in nodes.items():
        for node in its:
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in {"print", "Console", "show_error", "echo", "write"}:
                    calls.add((path, ast.unparse(node.func)))
    printing = {"print", "Console", "typer.echo", "sys.stdout.write", "sys.stderr.write"}
    assert ("augkit.cli.terminal", "show_error") in calls
    assert [call for call in calls if call[1] in printing] == []


def test_the_public_surface():
    """``__all__`` is sorted and complete; a name is one documented thing, whatever is imported."""
    assert augkit.__all__ == sorted(augkit.__all__, key=lambda name: (not name[0].isupper(), name))
    assert set(dir(augkit)) == {*augkit.__all__, "__version__"}
    with pytest.raises(AttributeError):
        _ = augkit.nothing_of_that_name
    code = (
        "import augkit\n"
        "first = {name: getattr(augkit, name) for name in augkit.__all__}\n"
        "import augkit.cli.app, augkit.runs.settings, augkit.testing\n"
        "changed = [name for name, thing in first.items() if getattr(augkit, name) is not thing]\n"
        "assert not changed, f'became something else: {changed}'\n"
        "assert all(callable(thing) and thing.__doc__ for thing in first.values())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_path_of_a_machine():
    """No tracked file names a folder of the machine it was written on."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    assert not [str(p) for p in paths if p.is_file() and MACHINE_PATH.search(p.read_bytes())]
