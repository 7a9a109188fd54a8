"""The generated reference: it can be written, and everything public has its description."""

import inspect

import reference
from reference_python import is_called, methods_of, public_things
from reference_tables import described_arguments

CLEAR = {"examples", "texts", "copies", "original", "variant", "provenance"}
"""Arguments that need no description."""


def test_the_pages_are_written():
    """Each page has its title and more; a key of a run's files without a meaning is an error."""
    pages = dict(reference.pages())
    assert list(pages) == reference.names()
    for name, text in pages.items():
        assert text.startswith("# "), name
        assert len(text) > 500, name


def test_public_names_are_documented():
    """A public name has a docstring, and its arguments are described unless all are clear."""
    faults = []
    for title, thing in public_things():
        named = [(f"{title}.{method.__name__}", method) for method in methods_of(thing)]
        if is_called(thing):
            named.append((title, thing))
        elif not inspect.getdoc(thing):
            faults.append(f"{title} has no docstring")
        for name, called in named:
            described = list(described_arguments(inspect.getdoc(called) or ""))
            if described != expected_arguments(called):
                faults.append(f"{name} describes {described}, not {expected_arguments(called)}")
    assert not faults, "\n".join(faults)


def expected_arguments(called):
    """The arguments that must be described: all of them, or none."""
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}
    parameters = inspect.signature(called).parameters.values()
    names = [stars.get(one.kind.name, "") + one.name for one in parameters if one.name != "self"]
    return [] if CLEAR.issuperset(names) else names
