"""spaCy and scikit-learn without the packages that they import for nothing.

``thinc``, on which spaCy is built, imports torch and cupy where they are installed, and spaCy its
own command line: twice as long as spaCy itself. scikit-learn imports pandas and ``scipy.stats``,
which takes longer than the rest of it. Nothing here uses them. A command of ours, and its worker
processes, leave them out; in a program that imports augkit nothing changes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

_VARIABLE = "AUGKIT_SPACY_TORCH"
"""Set to 0 by the command line, for its worker processes too; 1 leaves nothing out."""
_STATS = "scipy.stats"


def leave_torch_out() -> None:
    """This process, and those it starts, use spaCy and scikit-learn for our own models alone."""
    os.environ.setdefault(_VARIABLE, "0")


@cache
def prepare_spacy() -> None:
    """To be called before spaCy is imported."""
    if os.environ.get(_VARIABLE) != "0" or "thinc" in sys.modules:
        return
    with _in_place_of({"torch": None, "cupy": None}):
        import thinc.compat  # noqa: F401 - it looks for them once
    commands = ModuleType("spacy.cli.info")
    commands.info = None  # type: ignore[attr-defined] # all that spaCy takes of it
    with _in_place_of({"spacy.cli": ModuleType("spacy.cli"), "spacy.cli.info": commands}):
        import spacy  # noqa: F401 - with all that it imports


@cache
def import_lemminflect() -> Any:
    """lemminflect; without spaCy, to whose tokens it adds attributes that nothing here uses."""
    if os.environ.get(_VARIABLE) != "0" or not {"spacy", "lemminflect"}.isdisjoint(sys.modules):
        return import_module("lemminflect")
    spacy: Any = ModuleType("spacy")
    spacy.__version__ = "3"
    token = SimpleNamespace(set_extension=lambda *_, **__: None)
    spacy.tokens = SimpleNamespace(Token=token)
    with _in_place_of({"spacy": spacy}):
        return import_module("lemminflect")


@cache
def prepare_sklearn() -> None:
    """To be called before scikit-learn is imported."""
    names = {"sklearn", "pandas", _STATS}
    if os.environ.get(_VARIABLE) != "0" or not names.isdisjoint(sys.modules):
        return
    import scipy

    stats = scipy.stats = _Stats(_STATS)
    with _in_place_of({"pandas": None, _STATS: stats}):
        import sklearn.linear_model
        import sklearn.naive_bayes
        import sklearn.svm  # noqa: F401 - with all that they import
    del scipy.stats  # asked for again, it is imported


@contextmanager
def _in_place_of(modules: dict[str, ModuleType | None]) -> Iterator[None]:
    """Other modules under these names, None for one that cannot be imported; then none again."""
    modules = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(modules)  # type: ignore[arg-type] # None is meant
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]


class _Stats(ModuleType):
    """``scipy.stats`` whose functions are imported when they are called."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(_STATS) is not self:
            return getattr(import_module(_STATS), name)

        def call(*values: Any, **named: Any) -> Any:
            return getattr(import_module(_STATS), name)(*values, **named)

        return call
