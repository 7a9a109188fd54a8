"""Cells of the lattice inside Triton kernels: numbers, splits and leaves computed on the fly.

``cells`` packs (i, a, j, b) into four bytes, ``sizes`` holds (N, M, first cell, first slot) of each
pair.
"""

# mypy: ignore-errors
# Triton's language is not Python's: its tensors have no types that mypy knows.
# ruff: noqa: ANN001, ANN201, PLR0913, PLR0917, N806

from __future__ import annotations

import triton
import triton.language as tl

LOG_ZERO = tl.constexpr(-1e30)


@triton.jit
def span_number(start, width, length):
    """The number of a span, 0 for an empty one."""
    return tl.where(width > 0, 1 + ((width - 1) * (2 * length - width + 2) >> 1) + start, 0)


@triton.jit
def cell_position(cells, pair_of, sizes, pos):
    """(i, a, j, b, N, M, first cell, first slot) of the cell at a row of the table."""
    packed = tl.load(cells + pos)
    pair = tl.load(pair_of + pos)
    n = tl.load(sizes + pair * 4)
    m = tl.load(sizes + pair * 4 + 1)
    base = tl.load(sizes + pair * 4 + 2)
    slot = tl.load(sizes + pair * 4 + 3)
    i = packed & 255
    a = (packed >> 8) & 255
    j = (packed >> 16) & 255
    b = (packed >> 24) & 255
    return i, a, j, b, n, m, base, slot


@triton.jit
def split_children(z, i, a, j, b, n, m, base):
    """The children of split number z and whether both are internal symbols."""
    u = z // (b + 1)
    v = z - u * (b + 1)
    edge = ((u == 0) | (u == a)) & ((v == 0) | (v == b))
    ok = (u <= a) & (edge == 0) & (tl.maximum(u, v) > 1) & (tl.maximum(a - u, b - v) > 1)
    spans = 1 + (m * (m + 1) >> 1)
    left = base + span_number(i, u, n) * spans + span_number(j, v, m)
    right = base + span_number(i + u, a - u, n) * spans + span_number(j + v, b - v, m)
    return left, right, ok


@triton.jit
def leaf_option(option: tl.constexpr, i, a, j, b, n, m, base, slot_base):
    """A leaf at one end of a cell: its slot, the rest, and what the rest can be.

    Options 0 to 2 are w/empty, empty/w and w/w on the left, 3 to 5 the same on the right. Returns
    the slot, the rest's cell, whether that is an internal symbol's, the rest's slot, and whether
    it is a leaf's.
    """
    U: tl.constexpr = 0 if option % 3 == 1 else 1
    V: tl.constexpr = 0 if option % 3 == 0 else 1
    ra = a - U
    rb = b - V
    # w/empty beside empty/w is no cell of its own: a rest of one side only needs that side again.
    if V == 0:
        fits = (ra > 0) & (rb >= 0)
    elif U == 0:
        fits = (ra >= 0) & (rb > 0)
    else:
        fits = (ra >= 0) & (rb >= 0) & (ra + rb > 0)
    if option < 3:
        si = i
        sj = j
        ri = i + U
        rj = j + V
    else:
        si = i + ra
        sj = j + rb
        ri = i
        rj = j
    slot = slot_base + (si + 1) * U * (m + 1) + (sj + 1) * V
    spans = 1 + (m * (m + 1) >> 1)
    rest = base + span_number(ri, ra, n) * spans + span_number(rj, rb, m)
    other = slot_base + (ri + 1) * ra * (m + 1) + (rj + 1) * rb
    widest = tl.maximum(ra, rb)
    symbol = fits & (widest > 1)
    return slot, rest, symbol, other, fits & (widest == 1)


@triton.jit
def leaf_scales(scale, leaf_scale, i, a, j, b, n, m, base, slot_base):
    """The largest log scale of the options with a leaf."""
    ref = tl.full((), LOG_ZERO, tl.float32)
    for option in tl.static_range(6):
        slot, rest, symbol, other, two = leaf_option(option, i, a, j, b, n, m, base, slot_base)
        sums = tl.load(leaf_scale + slot, mask=symbol, other=LOG_ZERO)
        ref = tl.maximum(ref, sums + tl.load(scale + rest, mask=symbol, other=0.0))
        if option < 3:
            sums = tl.load(leaf_scale + slot, mask=two, other=LOG_ZERO)
            ref = tl.maximum(ref, sums + tl.load(leaf_scale + other, mask=two, other=0.0))
    return ref


@triton.jit
def cell_beside_slot(
    z, right: tl.constexpr, x, y, n, m, base,
):  # fmt: skip
    """The z-th cell with the leaf of a slot at one end: its number, the rest's, whether it is one.

    The slot has source word ``x`` and target word ``y``, counted from 1, 0 for none; the leaf is on
    the left, or on the ``right``. Cells whose rest an internal symbol cannot span are none.
    """
    spans_a = 1 + (n * (n + 1) >> 1)
    spans_b = 1 + (m * (m + 1) >> 1)
    # The words from the leaf's on, towards the rest. A side without a leaf may have any span.
    along_a = x if right else n - x + 1
    along_b = y if right else m - y + 1
    both = (x > 0) & (y > 0)
    columns = tl.where(both, along_b, tl.where(x > 0, spans_b, spans_a))
    first = z // tl.maximum(columns, 1)
    second = z - first * columns
    a = tl.where(both, 1 + first, 2 + first)
    b = tl.where(both, 1 + second, a)
    start_a = x - a if right else x - 1
    start_b = y - b if right else y - 1
    cell_a = tl.where(x > 0, span_number(start_a, a, n), second)
    cell_b = tl.where(y > 0, span_number(start_b, b, m), second)
    if not right:
        start_a += 1
        start_b += 1
    rest_a = tl.where(x > 0, span_number(start_a, a - 1, n), second)
    rest_b = tl.where(y > 0, span_number(start_b, b - 1, m), second)
    longest = tl.where(x > 0, along_a, along_b)
    fits = (a <= longest) & (b <= tl.where(both, along_b, longest))
    # A span is wider than one word where its number is above those of single words.
    fits = fits & ((rest_a > n) | (rest_b > m))
    return base + cell_a * spans_b + cell_b, base + rest_a * spans_b + rest_b, fits


@triton.jit
def count_beside_slot(right: tl.constexpr, x, y, n, m):
    """How many z ``cell_beside_slot`` has."""
    along_a = x if right else n - x + 1
    along_b = y if right else m - y + 1
    spans_a = 1 + (n * (n + 1) >> 1)
    spans_b = 1 + (m * (m + 1) >> 1)
    one_side = tl.where(x > 0, (along_a - 1) * spans_b, (along_b - 1) * spans_a)
    return tl.where((x > 0) & (y > 0), along_a * along_b, tl.where(x + y > 0, one_side, 0))
