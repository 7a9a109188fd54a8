"""Language models from a folder or the hub, with the kind they are checked before they are used."""

from __future__ import annotations

from typing import Any, Literal

from augkit.core.errors import ConfigError, MissingExtra
from augkit.core.pretrained import checked_name, opened

Kind = Literal["masked", "causal", "encoder"]

_MARKS = {
    "masked": ("ForMaskedLM", "ForPreTraining"),
    "causal": ("ForCausalLM", "LMHeadModel"),
}
"""How the class that a checkpoint was saved from ends, by kind."""
_ASKED = {"masked": "a masked language model", "causal": "a causal language model"}


def kind_of(name: str) -> Kind | None:
    """The kind of language model that a checkpoint says it is; None where it says neither."""
    _need_torch()
    from transformers import AutoConfig

    config = opened(
        checked_name(name),
        lambda path, local: AutoConfig.from_pretrained(path, local_files_only=local),
    )
    for kind, ends in _MARKS.items():
        if any(saved.endswith(ends) for saved in config.architectures or ()):
            return kind  # type: ignore[return-value] # a key of _MARKS is a kind
    return None


def load_checkpoint(name: str, kind: Kind) -> tuple[Any, Any]:
    """The model, ready to read, and its tokenizer; refuses a checkpoint of another kind.

    A language model whose head is not in the checkpoint would get a random one: its scores would
    look like measurements and mean nothing, so that is refused too.
    """
    found = kind_of(name)
    if kind not in ("encoder", found):
        raise ConfigError(_wrong_kind(name, kind, found))
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    loaders = {
        "masked": transformers.AutoModelForMaskedLM,
        "causal": transformers.AutoModelForCausalLM,
        "encoder": transformers.AutoModel,
    }
    model, told = opened(
        checked_name(name),
        lambda path, local: loaders[kind].from_pretrained(
            path, local_files_only=local, dtype=torch.float32, output_loading_info=True
        ),
    )
    missing = sorted(key for key in told["missing_keys"] if "pooler" not in key)
    if missing:
        raise ConfigError(
            f"{name}: the checkpoint lacks weights that are needed ({', '.join(missing[:3])}"
            f"{' ...' if missing[3:] else ''}); random ones would give random scores. "
            "Give a model that was saved whole"
        )
    tokenizer = opened(
        checked_name(name),
        lambda path, local: transformers.AutoTokenizer.from_pretrained(
            path, local_files_only=local
        ),
    )
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return model.eval().to(device), tokenizer


def _wrong_kind(name: str, asked: Kind, found: Kind | None) -> str:
    is_a = _ASKED.get(found or "", "no language model")
    cure = {
        "masked": "Give a masked one (BERT, RoBERTa ...), or ask for a causal score by its name",
        "causal": "Give a causal one (GPT-2, Llama ...), or ask for a score of masked models",
        "encoder": "",
    }[asked]
    return f"{name}: this score needs {_ASKED[asked]}, and the checkpoint is {is_a}. {cure}"


def _need_torch() -> None:
    try:
        import torch  # noqa: F401 # only to say at once what is missing
        import transformers  # noqa: F401 # likewise
    except ImportError as error:
        raise MissingExtra("nn", "language models are read with torch and transformers") from error
