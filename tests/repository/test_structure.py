"""The names of the package: one meaning a name, the field's words."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest
from code_figures import figures

PACKAGE = Path(__file__).parents[2] / "augkit"
MODULES = sorted(PACKAGE.rglob("*.py"))

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

PRIVATE_WORDS = re.compile(
    r"(?:^|_)(?:told|talking|draught|clerk|desk|foresee|foreseen|learnt|mended|mending|shall)(?:_|$)",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def trees():
    """The syntax tree of each module."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def test_a_name_has_one_meaning(trees):
    """No public class or function of that name stands in two modules."""
    homes = defaultdict(list)
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path.relative_to(PACKAGE)))
    twice = {name: found for name, found in homes.items() if len(found) > 1}
    assert not {name: found for name, found in twice.items() if name not in SAME_MEANING}


def test_names_are_the_fields(trees):
    """No variable, argument, attribute, function, class or module has a name of our own making."""
    found = set()
    for path, tree in trees.items():
        names = {path.stem}
        for node in ast.walk(tree):
            for part in ("id", "arg", "attr", "name"):
                if isinstance(name := getattr(node, part, None), str):
                    names.add(name)
        found |= {f"{path.name}: {name}" for name in names if PRIVATE_WORDS.search(name)}
    assert not found


def test_variables_say_what_they_hold():
    """Hardly any variable or argument is a pronoun, such as "one" or "found"."""
    measured = figures(MODULES)
    assert measured["pronouns, % of names"] < 1
