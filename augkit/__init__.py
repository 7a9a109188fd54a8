"""augkit finds the shortcuts in a labelled text dataset, breaks them, and measures the effect."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augkit.augmenters.adapters.as_map import as_map, augment_frame
    from augkit.augmenters.adapters.from_callable import from_callable
    from augkit.augmenters.adapters.text_transformer import TextResampler, TextTransformer
    from augkit.augmenters.compose import chain, gated, limit, one_of, sometimes, union
    from augkit.augmenters.create import create
    from augkit.commands.in_python import audit, check, evaluate, export, fix, shortcuts, split
    from augkit.core.edits import Edit, LabelledSpan
    from augkit.core.protocols import Tools
    from augkit.core.types import Example, Pair, example
    from augkit.datasets.load import load_dataset
    from augkit.evaluation.bias.weat import weat
    from augkit.runs.execute import augment_dataset
    from augkit.shortcuts.fit import fit_finder

__version__ = "0.1.0"

_MODULES = {
    "Edit": "augkit.core.edits",
    "Example": "augkit.core.types",
    "Pair": "augkit.core.types",
    "Variant": "augkit.core.types",
    "LabelledSpan": "augkit.core.edits",
    "Tools": "augkit.core.protocols",
    "TextResampler": "augkit.augmenters.adapters.text_transformer",
    "TextTransformer": "augkit.augmenters.adapters.text_transformer",
    "as_map": "augkit.augmenters.adapters.as_map",
    "audit": "augkit.commands.in_python",
    "augment_dataset": "augkit.runs.execute",
    "augment_frame": "augkit.augmenters.adapters.as_map",
    "chain": "augkit.augmenters.compose",
    "check": "augkit.commands.in_python",
    "create": "augkit.augmenters.create",
    "evaluate": "augkit.commands.in_python",
    "example": "augkit.core.types",
    "export": "augkit.commands.in_python",
    "fit_finder": "augkit.shortcuts.fit",
    "fix": "augkit.commands.in_python",
    "from_callable": "augkit.augmenters.adapters.from_callable",
    "gated": "augkit.augmenters.compose",
    "limit": "augkit.augmenters.compose",
    "load_dataset": "augkit.datasets.load",
    "one_of": "augkit.augmenters.compose",
    "shortcuts": "augkit.shortcuts",
    "sometimes": "augkit.augmenters.compose",
    "split": "augkit.commands.in_python",
    "union": "augkit.augmenters.compose",
    "weat": "augkit.evaluation.bias.weat",
}
"""Public name → its module, imported on first use."""

__all__ = [
    "Edit",
    "Example",
    "LabelledSpan",
    "Pair",
    "TextResampler",
    "TextTransformer",
    "Tools",
    "Variant",
    "as_map",
    "audit",
    "augment_dataset",
    "augment_frame",
    "chain",
    "check",
    "create",
    "evaluate",
    "example",
    "export",
    "fit_finder",
    "fix",
    "from_callable",
    "gated",
    "limit",
    "load_dataset",
    "one_of",
    "shortcuts",
    "sometimes",
    "split",
    "union",
    "weat",
]


def __getattr__(name: str) -> object:
    """Import a public name's module on first use, so that ``import augkit`` stays cheap."""
    if name not in _MODULES:
        raise AttributeError(f"module 'augkit' has no attribute '{name}'")
    module = import_module(_MODULES[name])
    # The package augkit.shortcuts, which can be called, is the function of that name.
    return module if module.__name__ == f"{__name__}.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    """The names for completion."""
    return [*__all__, "__version__"]
