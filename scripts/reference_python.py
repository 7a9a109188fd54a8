"""The page of public Python names, for ``reference.py``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from reference_tables import prose, signature

import augkit
from augkit import testing
from augkit.augmenters.base import Augmenter
from augkit.core.types import Provenance

USED = ("augment", "__call__", "outcomes", "fit", "with_copies")
"""Methods of an augmenter that its users call."""
TESTING = ("check_augmenter", "check_finder", "check_dataset")


def python_page() -> Iterator[str]:
    """Every public name with its signature, its docstring and its arguments."""
    yield "Names of `augkit`, imported on first use. Everything else may change without notice."
    for title, thing in public_things():
        yield f"## {title}"
        if title in _ABOUT:
            yield _ABOUT[title]
        else:
            yield _entry(title.rpartition(".")[2], thing)
        for method in methods_of(thing):
            yield f"### {thing.__name__}.{method.__name__}"
            yield _entry(method.__name__, method)


_ABOUT = {
    "Augmenter": "What `create` and `from_callable` return. A composition has the same methods.",
}


def public_things() -> Iterator[tuple[str, Any]]:
    """Title and object of all that is public: names of ``augkit``, and what these return."""
    for name in augkit.__all__:
        # ``augkit.runs`` is also the name of a package.
        yield f"augkit.{name}", augkit.__getattr__(name)
    yield "Augmenter", Augmenter
    yield "Provenance", Provenance
    for name in TESTING:
        yield f"augkit.testing.{name}", getattr(testing, name)


def methods_of(thing: Any) -> list[Callable[..., Any]]:
    """The public methods of a class that have a docstring of their own."""
    if thing is Augmenter:
        return [vars(Augmenter)[name] for name in USED]
    if not inspect.isclass(thing):
        return []
    return [
        member
        for name, member in vars(thing).items()
        if inspect.isfunction(member) and not name.startswith("_") and inspect.getdoc(member)
    ]


def _entry(name: str, thing: Any) -> str:
    return f"```text\n{name}{signature(thing)}\n```\n\n{prose(thing)}"
