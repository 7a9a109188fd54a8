"""Models from a folder or the hub, in float32, on the GPU where there is one."""

from __future__ import annotations

from typing import Any, Literal

from augkit.core.errors import ConfigError, MissingExtra
from augkit.core.pretrained import checked_name, opened

CheckpointKind = Literal["masked", "causal", "encoder"]

_CLASS_ENDINGS = {
    "masked": ("ForMaskedLM", "ForPreTraining"),
    "causal": ("ForCausalLM", "LMHeadModel"),
}
"""How the name of the class that a checkpoint was saved from ends, by kind."""
_AUTO_CLASSES = {
    "masked": "AutoModelForMaskedLM",
    "causal": "AutoModelForCausalLM",
    "encoder": "AutoModel",
}
_PURPOSE = "reading a local model with torch"
_KIND_NAMES = {"masked": "a masked language model", "causal": "a causal language model"}
_KIND_ADVICE = {
    "masked": "Give a masked one (BERT, RoBERTa ...), or choose a causal score by its name",
    "causal": "Give a causal one (GPT-2, Llama ...), or choose a score of masked models",
}


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


def model_kind(name: str) -> CheckpointKind | None:
    """The kind of language model that a checkpoint holds; None where it is neither."""
    auto_config = import_transformers(_PURPOSE).AutoConfig

    config = opened(
        checked_name(name),
        lambda path, local: auto_config.from_pretrained(path, local_files_only=local),
    )
    for kind, ends in _CLASS_ENDINGS.items():
        if any(saved.endswith(ends) for saved in config.architectures or ()):
            return kind  # type: ignore[return-value] # a key of _CLASS_ENDINGS is a kind
    return None


def load_checkpoint(name: str, kind: CheckpointKind) -> tuple[Any, Any]:
    """The model in evaluation mode and its tokenizer; a checkpoint of another kind is an error.

    A language model whose head is not in the checkpoint would get a random one, and its scores
    would mean nothing: that is an error too.
    """
    saved_kind = model_kind(name)
    if kind not in ("encoder", saved_kind):
        saved_name = _KIND_NAMES.get(saved_kind or "", "no language model")
        raise ConfigError(
            f"{name}: this score needs {_KIND_NAMES[kind]}, and the checkpoint is {saved_name}. "
            f"{_KIND_ADVICE[kind]}"
        )
    (model, loading), tokenizer = load_pretrained(
        name, _AUTO_CLASSES[kind], _PURPOSE, output_loading_info=True
    )
    missing = sorted(key for key in loading["missing_keys"] if "pooler" not in key)
    if missing:
        raise ConfigError(
            f"{name}: the checkpoint lacks weights that are needed ({', '.join(missing[:3])}"
            f"{' ...' if missing[3:] else ''}); random ones would give random scores. "
            "Give a model that was saved with all weights"
        )
    return to_best_device(model), tokenizer
