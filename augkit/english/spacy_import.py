"""spaCy without the packages that it imports for nothing.

``thinc``, on which spaCy is built, imports torch and cupy where they are installed: twice as long
as spaCy itself. The bundled pipeline uses neither. A command of ours, and its worker processes,
leave them out; a program that imports augkit may use spaCy for more, and there nothing changes.
"""

from __future__ import annotations

import os
import sys
from functools import cache

_VARIABLE = "AUGKIT_SPACY_TORCH"
"""Set to 0 by the command line, for its worker processes too; 1 keeps torch in spaCy."""
_LEFT_OUT = ("torch", "cupy")


def leave_torch_out() -> None:
    """This process, and those it starts, use spaCy for the bundled pipeline alone."""
    os.environ.setdefault(_VARIABLE, "0")


@cache
def prepare_spacy() -> None:
    """To be called before spaCy is imported."""
    if os.environ.get(_VARIABLE) != "0" or "thinc" in sys.modules:
        return
    hidden = [name for name in _LEFT_OUT if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type] # None: cannot be imported
    try:
        import thinc.compat  # noqa: F401 - it looks for them once
    finally:
        for name in hidden:
            del sys.modules[name]
