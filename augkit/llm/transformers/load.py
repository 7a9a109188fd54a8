"""Loading a model and its tokenizer: a folder or GGUF file on disk, or a name on the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from augkit.core.errors import MissingExtra
from augkit.core.pretrained import checked_name, identity, opened

GGUF = ".gguf"


class Loaded(NamedTuple):
    """A model in evaluation mode, its tokenizer (padding left), and what names both."""

    model: Any
    tokenizer: Any
    identity: str


def load_model(argument: str) -> Loaded:
    """The model that ``argument`` names, on the GPU where there is one."""
    file = Path(argument).expanduser()
    is_gguf = file.suffix.lower() == GGUF and file.is_file()
    name = str(file) if is_gguf else checked_name(argument)
    _check_packages(argument, is_gguf=is_gguf)
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, tokenizer = opened(name, _load_gguf if is_gguf else _load_saved)
    return Loaded(model.to(device).eval(), tokenizer, identity(name))


def _check_packages(argument: str, *, is_gguf: bool) -> None:
    try:
        import torch  # noqa: F401 - is it there?
        import transformers  # noqa: F401 - is it there?
    except ImportError as error:
        raise MissingExtra("nn", f"transformers:{argument}") from error
    if is_gguf:
        try:
            import gguf  # noqa: F401 - transformers needs it
        except ImportError as error:
            raise MissingExtra("local-llm", f"transformers:{argument}") from error


def _load_saved(name: str, local_only: bool) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(
        name, padding_side="left", local_files_only=local_only
    )
    dtype = torch.bfloat16 if torch.cuda.is_available() else "auto"
    model = AutoModelForCausalLM.from_pretrained(name, dtype=dtype, local_files_only=local_only)
    return model, tokenizer


def _load_gguf(name: str, _local_only: bool) -> tuple[Any, Any]:
    """Weights are unpacked once: kernels for packed ones serve single rows, not batches."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    folder, file = str(Path(name).parent), Path(name).name
    tokenizer = AutoTokenizer.from_pretrained(
        folder, gguf_file=file, padding_side="left", local_files_only=True
    )
    model = AutoModelForCausalLM.from_pretrained(
        folder,
        gguf_file=file,
        dtype=torch.bfloat16 if torch.cuda.is_available() else torch.float32,
        quantization_config=GgufConfig(dequantize=True),
        local_files_only=True,
    )
    return model, tokenizer
