"""Finders of shortcuts: token statistics, attribution, grammars, RAZOR's definition.

A finder is a ``RegisteredFinder`` of ``augkit.core.protocols``, registered under the entry point
group ``augkit.finders``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """This package is also the function ``augkit.shortcuts``."""

    def __call__(self, *args: Any, **settings: Any) -> Any:
        """``augkit shortcuts`` for Python: what gives the label of a dataset away."""
        return import_module("augkit.commands.in_python").shortcuts(*args, **settings)


sys.modules[__name__].__class__ = CallablePackage
