"""In how many bits a model multiplies, and which devices have units for that."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Literal

Precision = Literal["float32", "tf32", "bfloat16"]
"""Both others are several times as fast as float32 where the hardware supports them. bfloat16 moves
a log-probability by some thousandths to hundredths, tf32, which only GPUs have, by less."""

_BFLOAT16_UNITS = ("avx512_bf16", "amx_bf16", "bf16", "sve_bf16")
"""Names of torch for the instructions of x86 and of ARM processors that multiply bfloat16."""

_TF32_SINCE = (8, 0)
"""The first generation of GPUs that multiplies tf32 (Ampere)."""


def supports(precision: Precision, device: str) -> bool:
    """Whether a kind of device has units for a precision."""
    import torch

    if precision == "tf32":
        return device == "cuda" and torch.cuda.get_device_capability() >= _TF32_SINCE
    return precision == "float32" or supports_bfloat16(device)


@cache
def supports_bfloat16(device: str) -> bool:
    """Whether a kind of device has units for bfloat16; elsewhere it would only be slower.

    Without them torch computes in float32 and rounds, or warns: this is tested with a small product
    where torch is too old to name the units of a CPU.
    """
    import torch

    if device == "cpu" and hasattr(torch.cpu, "get_capabilities"):
        units = torch.cpu.get_capabilities()
        return any(units.get(name) for name in _BFLOAT16_UNITS)
    factor = torch.ones(64, 64, device=device)
    with warnings.catch_warnings(), torch.autocast(device, torch.bfloat16):
        warnings.simplefilter("error")
        try:
            torch.nn.functional.linear(factor, factor)
        except (RuntimeError, UserWarning):
            return False
    return True


@contextmanager
def float32_products(precision: str) -> Iterator[None]:
    """Set the precision of float32 products on a GPU: ``highest``, or ``high`` for tf32."""
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(precision)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
