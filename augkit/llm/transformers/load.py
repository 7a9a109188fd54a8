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
    from transformers import AutoModelForCausalLM, AutoTokenizer

    on_gpu = torch.cuda.is_available()
    dtype: Any = torch.bfloat16 if on_gpu else "auto"
    options: dict[str, Any] = {}
    weights: dict[str, Any] = {}
    if source.is_gguf:
        from transformers import GgufConfig

        options = {"gguf_file": Path(source.name).name}
        # Weights are unpacked once: kernels for packed ones serve single rows, not batches.
        weights = {"quantization_config": GgufConfig(dequantize=True)}
        dtype = dtype if on_gpu else torch.float32

    def load(name: str, local_only: bool) -> tuple[Any, Any]:
        place = str(Path(name).parent) if source.is_gguf else name
        shared = {**options, "local_files_only": local_only}
        tokenizer = AutoTokenizer.from_pretrained(place, padding_side="left", **shared)
        model = AutoModelForCausalLM.from_pretrained(place, dtype=dtype, **weights, **shared)
        return model, tokenizer

    model, tokenizer = opened(source.name, load)
    return model.to("cuda" if on_gpu else "cpu").eval(), tokenizer


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
