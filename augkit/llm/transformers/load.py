"""Loading a model and its tokenizer: a folder or GGUF file on disk, or a name on the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from augkit.core.errors import MissingExtra
from augkit.core.pretrained import checked_name, identity, opened

GGUF = ".gguf"


class Source(NamedTuple):
    """Where a model is: a name that is checked, and a digest that distinguishes its weights."""

    name: str
    is_gguf: bool
    identity: str


def find_model(argument: str) -> Source:
    """The folder, GGUF file or hub name that ``argument`` is; nothing is loaded yet."""
    file = Path(argument).expanduser()
    is_gguf = file.suffix.lower() == GGUF and file.is_file()
    name = str(file) if is_gguf else checked_name(argument)
    _check_packages(argument, is_gguf=is_gguf)
    return Source(name, is_gguf, identity(name))


def load_model(source: Source) -> tuple[Any, Any]:
    """The model in evaluation mode, on the GPU where there is one, and its tokenizer."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, tokenizer = opened(source.name, _load_gguf if source.is_gguf else _load_saved)
    return model.to(device).eval(), tokenizer


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
