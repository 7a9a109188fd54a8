"""Loading transformers models: a folder or a hub id, in float32, on the GPU where there is one."""

from __future__ import annotations

from typing import Any

from augkit.core.errors import MissingExtra
from augkit.core.pretrained import checked_name, opened


def import_transformers(purpose: str) -> Any:
    """The transformers package, without its progress bars; ``purpose`` is for the error."""
    try:
        import torch  # noqa: F401 - checked before any work
        import transformers
    except ImportError as error:
        raise MissingExtra("nn", purpose) from error
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def load_pretrained(name: str, auto_class: str, purpose: str, **options: Any) -> tuple[Any, Any]:
    """What ``auto_class`` loads with these options, and the tokenizer.

    Weights are in float32: those saved in half precision could not be trained further.
    """
    checked = checked_name(name)
    transformers = import_transformers(purpose)
    import torch

    def load(path: str, local_only: bool) -> tuple[Any, Any]:
        model = getattr(transformers, auto_class).from_pretrained(
            path, local_files_only=local_only, dtype=torch.float32, **options
        )
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            path, padding_side="right", local_files_only=local_only
        )
        return model, tokenizer

    return opened(checked, load)


def to_best_device(model: Any) -> Any:
    """The model in evaluation mode, on the GPU where there is one."""
    import torch

    return model.eval().to("cuda" if torch.cuda.is_available() else "cpu")
