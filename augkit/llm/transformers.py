"""``transformers:PATH``: a causal language model on this machine, with its own chat template.

Greedy requests (temperature 0) run in batches with left padding. Sampled ones run one by one, each
from its own seed, so that a reply does not depend on the other requests of its batch. For greedy
ones that holds up to rounding: padding can decide a near tie.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augkit.core.errors import ConfigError, MissingExtra
from augkit.core.model_types import Message, Reply, Request
from augkit.core.pretrained import checked_name, identity, opened
from augkit.core.protocols import LLM
from augkit.core.types import Cost, digest
from augkit.llm.faults import TOO_LONG, failed
from augkit.llm.settings import ConnectOptions
from augkit.llm.structured_output import read_answer, with_schema

if TYPE_CHECKING:
    from torch import Tensor

BATCH = 16


def connect(argument: str, options: ConnectOptions) -> LLM:  # noqa: ARG001 - the signature of all back ends
    """Load the model in the folder ``argument``, or with that name on the hub."""
    name = checked_name(argument)
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("nn", f"transformers:{argument}") from error

    def load(name: str, local_only: bool) -> tuple[Any, Any]:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            name, padding_side="left", local_files_only=local_only
        )
        model = transformers.AutoModelForCausalLM.from_pretrained(
            name, dtype="auto", local_files_only=local_only
        )
        return model, tokenizer

    model, tokenizer = opened(name, load)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return LocalChat(model.to(device).eval(), tokenizer, identity(name))


@dataclass(frozen=True)
class _Prompt:
    """A tokenised request: ``limit`` is the most tokens the reply may have."""

    request: Request
    ids: list[int]
    limit: int

    @property
    def greedy(self) -> bool:
        return self.request.temperature == 0.0


class LocalChat:
    """A model and its tokenizer. Threads take turns: they share the model and torch's generator."""

    batch_size = BATCH
    local = True

    def __init__(self, model: Any, tokenizer: Any, identity: str) -> None:
        """Use a model in evaluation mode and a tokenizer with a chat template, padding left."""
        if not tokenizer.chat_template:
            raise ConfigError(
                f"{identity}: this model has no chat template. Use an instruction-tuned one (its "
                "name often ends in -Instruct or -it)"
            )
        self.model = self.identity = identity
        self._model = model
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._ends = _end_tokens(model, tokenizer)
        self._pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else self._ends[0]
        self._context = getattr(model.config, "max_position_embeddings", None) or 2**31

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request, in order."""
        prompts = [self._prompt(request) for request in requests]
        replies: dict[int, Reply] = {}
        for indices in _batches(prompts):
            batch = [prompts[index] for index in indices]
            if batch[0].limit < 1:
                too_long = f"{len(batch[0].ids)} tokens, and the model takes {self._context}"
                replies |= {index: failed(TOO_LONG, too_long) for index in indices}
                continue
            with self._lock:
                outputs = self._decode(batch)
            for index, prompt, output in zip(indices, batch, outputs, strict=True):
                replies[index] = self._read(prompt, output)
        return [replies[index] for index in range(len(requests))]

    def _prompt(self, request: Request) -> _Prompt:
        messages = with_schema(request, "prompt")
        text = self._templated(messages)
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return _Prompt(request, ids, min(request.max_tokens, self._context - len(ids)))

    def _templated(self, messages: Sequence[Message]) -> str:
        from jinja2 import TemplateError

        def fill(messages: Sequence[Message]) -> str:
            plain = [{"role": each.role, "content": each.content} for each in messages]
            filled: str = self._tokenizer.apply_chat_template(
                plain, tokenize=False, add_generation_prompt=True
            )
            return filled

        try:
            return fill(messages)
        except TemplateError:
            # Some templates have no system role: its text then starts the first user message.
            return fill(_without_system(messages))

    def _decode(self, batch: Sequence[_Prompt]) -> list[list[int]]:
        import torch

        width = max(len(prompt.ids) for prompt in batch)
        padded = [[self._pad] * (width - len(p.ids)) + p.ids for p in batch]
        mask = [[0] * (width - len(p.ids)) + [1] * len(p.ids) for p in batch]
        device = self._model.device
        with torch.random.fork_rng(), torch.inference_mode():
            torch.manual_seed(_seed(batch[0].request))
            output: Tensor = self._model.generate(
                input_ids=torch.tensor(padded, device=device),
                attention_mask=torch.tensor(mask, device=device),
                generation_config=self._generation_config(batch[0]),
            )
        return [row[width:] for row in output.tolist()]

    def _generation_config(self, prompt: _Prompt) -> Any:
        from transformers import GenerationConfig

        request = prompt.request
        sampling = {
            "do_sample": True,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "top_k": 0,
        }
        return GenerationConfig(
            max_new_tokens=prompt.limit,
            eos_token_id=list(self._ends),
            pad_token_id=self._pad,
            **({"do_sample": False} if prompt.greedy else sampling),
        )

    def _read(self, prompt: _Prompt, output: list[int]) -> Reply:
        end = next((i for i, token in enumerate(output) if token in self._ends), None)
        written = output if end is None else output[:end]
        text: str = self._tokenizer.decode(written, skip_special_tokens=True).strip()
        cost = Cost(1, len(prompt.ids), len(written) + (end is not None))
        return read_answer(prompt.request, Reply(text, cost=cost), truncated=end is None)


def _end_tokens(model: Any, tokenizer: Any) -> tuple[int, ...]:
    configured = model.generation_config.eos_token_id
    listed = configured if isinstance(configured, list) else [configured]
    ends = [token for token in [tokenizer.eos_token_id, *listed] if token is not None]
    if not ends:
        raise ConfigError(
            "transformers: the model has no end-of-text token, so it would never stop"
        )
    return tuple(dict.fromkeys(ends))


def _batches(prompts: Sequence[_Prompt]) -> list[list[int]]:
    """Indices of prompts that can run together: greedy ones with the same limit."""
    groups: dict[int, list[int]] = {}
    batches: list[list[int]] = []
    for index, prompt in enumerate(prompts):
        if prompt.greedy and prompt.limit > 0:
            groups.setdefault(prompt.limit, []).append(index)
        else:
            batches.append([index])
    for indices in groups.values():
        batches += [indices[start : start + BATCH] for start in range(0, len(indices), BATCH)]
    return batches


def _seed(request: Request) -> int:
    """The request's seed, or one that its messages determine."""
    if request.seed is not None:
        return request.seed
    return int(digest(*(message.content for message in request.messages))[:8], 16)


def _without_system(messages: Sequence[Message]) -> list[Message]:
    system = "\n\n".join(m.content for m in messages if m.role == "system")
    rest = [m for m in messages if m.role != "system"] or [Message("user", "")]
    first = Message(rest[0].role, f"{system}\n\n{rest[0].content}".strip())
    return [first, *rest[1:]]
