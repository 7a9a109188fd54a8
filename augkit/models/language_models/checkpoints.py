"""Language models from a folder or the hub, whose kind is checked before they are used."""

from __future__ import annotations

from typing import Any, Literal

from augkit.core.errors import ConfigError
from augkit.core.pretrained import checked_name, opened
from augkit.models.pretrained import import_transformers, load_pretrained, to_best_device

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
_PURPOSE = "language models are read with torch and transformers"
_KIND_NAMES = {"masked": "a masked language model", "causal": "a causal language model"}


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
    found = model_kind(name)
    if kind not in ("encoder", found):
        raise ConfigError(_wrong_kind(name, kind, found))
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


def _wrong_kind(name: str, needed: CheckpointKind, found: CheckpointKind | None) -> str:
    is_a = _KIND_NAMES.get(found or "", "no language model")
    advice = {
        "masked": "Give a masked one (BERT, RoBERTa ...), or choose a causal score by its name",
        "causal": "Give a causal one (GPT-2, Llama ...), or choose a score of masked models",
        "encoder": "",
    }[needed]
    return f"{name}: this score needs {_KIND_NAMES[needed]}, and the checkpoint is {is_a}. {advice}"
