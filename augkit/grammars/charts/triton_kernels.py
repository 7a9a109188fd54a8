"""Triton kernels of the charts: one program per cell, without index lists.

The torch path (``inside``, ``outside``, ``viterbi``) computes the same and is the check. Names are
those of the torch path: A internal symbols, T pre-terminals, ``beside`` and ``two`` the rules with
leaves folded in.
"""

# mypy: ignore-errors
# Triton's language is not Python's: its tensors have no types that mypy knows.
# ruff: noqa: ANN001, ANN201, ARG001, PLR0913, PLR0917, N803, SIM102

from __future__ import annotations

import triton
import triton.language as tl

from augkit.grammars.charts.triton_cells import (
    LOG_ZERO,
    cell_beside_slot,
    cell_position,
    count_beside_slot,
    leaf_option,
    leaf_scales,
    span_number,
    split_children,
)


@triton.jit(do_not_specialize=["slots", "first", "last"])
def inside_products(
    value, scale, leaf, leaf_scale, beside, two_rules,
    cells, pair_of, sizes, own, products, extra, ref_out,
    slots, first, last,
    A: tl.constexpr, T: tl.constexpr, BK: tl.constexpr,
    PRECISION: tl.constexpr,
):  # fmt: skip
    """P and the leaves' part of X of one cell, relative to its largest log scale."""
    pos = first + tl.program_id(0)
    i, a, j, b, n, m, base, slot_base = cell_position(cells, pair_of, sizes, pos)
    symbols = tl.arange(0, A)
    ref = leaf_scales(scale, leaf_scale, i, a, j, b, n, m, base, slot_base)
    total = tl.zeros((A, A), tl.float32)
    for start in range(0, (a + 1) * (b + 1), BK):
        left, right, ok = split_children(start + tl.arange(0, BK), i, a, j, b, n, m, base)
        sums = tl.load(scale + left, mask=ok, other=LOG_ZERO)
        sums += tl.load(scale + right, mask=ok, other=0.0)
        most = tl.maximum(ref, tl.max(sums, 0))
        weight = tl.exp(sums - most)
        at = ok[:, None]
        lefts = tl.load(value + left[:, None] * A + symbols[None, :], mask=at, other=0.0)
        rights = tl.load(value + right[:, None] * A + symbols[None, :], mask=at, other=0.0)
        total = total * tl.exp(ref - most)
        lefts = tl.trans(lefts * weight[:, None])
        total = tl.dot(lefts, rights, total, input_precision=PRECISION)
        ref = most
    square = symbols[:, None] * A + symbols[None, :]
    vector = tl.zeros((A,), tl.float32)
    for option in tl.static_range(6):
        slot, rest, symbol, other, two = leaf_option(option, i, a, j, b, n, m, base, slot_base)
        if symbol:
            weight = tl.exp(tl.load(leaf_scale + slot) + tl.load(scale + rest) - ref)
            row = slot if option < 3 else slot + slots
            rules = tl.load(beside + row.to(tl.int64) * (A * A) + square)
            rests = tl.load(value + rest * A + symbols) * weight
            vector += tl.sum(rules * rests[:, None], 0)
        if option < 3:
            if two:
                weight = tl.exp(tl.load(leaf_scale + slot) + tl.load(leaf_scale + other) - ref)
                leaves = tl.arange(0, T)
                tile = leaves[:, None] * A + symbols[None, :]
                rules = tl.load(two_rules + slot.to(tl.int64) * (T * A) + tile)
                seconds = tl.load(leaf + other * T + leaves) * weight
                vector += tl.sum(rules * seconds[:, None], 0)
    tl.store(products + pos.to(tl.int64) * (A * A) + square, total)
    tl.store(extra + pos * A + symbols, vector)
    spans = 1 + (m * (m + 1) >> 1)
    cell = base + span_number(i, a, n) * spans + span_number(j, b, m)
    tl.store(own + pos, cell)
    tl.store(ref_out + cell, ref)


@triton.jit(do_not_specialize=["first", "last"])
def inside_finish(
    products, extra, ref, inner, own, value, scale, inverse, first, last,
    A: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """X = P : R + leaves of a tile of cells, scaled to a largest value of 1."""
    rows = first + tl.program_id(0) * BM + tl.arange(0, BM)
    ok = rows < last
    symbols = tl.arange(0, A)
    total = tl.zeros((BM, A), tl.float32)
    wide = rows.to(tl.int64)[:, None] * (A * A)
    for start in range(0, A * A, BK):
        at = start + tl.arange(0, BK)
        part = tl.load(products + wide + at[None, :], mask=ok[:, None], other=0.0)
        rules = tl.load(inner + at[:, None] * A + symbols[None, :])
        total = tl.dot(part, rules, total, input_precision=PRECISION)
    tile = rows[:, None] * A + symbols[None, :]
    total += tl.load(extra + tile, mask=ok[:, None], other=0.0)
    most = tl.max(total, 1)
    some = most > 0
    safe = tl.where(some, most, 1.0)
    cells = tl.load(own + rows, mask=ok, other=0)
    refs = tl.load(ref + cells, mask=ok, other=0.0)
    tl.store(inverse + cells, tl.where(some, 1 / safe, 0.0), mask=ok)
    tl.store(scale + cells, tl.where(some, refs + tl.log(safe), LOG_ZERO), mask=ok)
    values = total / safe[:, None]
    tl.store(value + cells[:, None] * A + symbols[None, :], values, mask=ok[:, None])


@triton.jit(do_not_specialize=["first", "last"])
def outside_down(
    gradient, inverse, own, inner, scaled, down, first, last,
    A: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """The gradient of X of a tile of cells, and from it that of P."""
    rows = first + tl.program_id(0) * BM + tl.arange(0, BM)
    ok = rows < last
    symbols = tl.arange(0, A)
    cells = tl.load(own + rows, mask=ok, other=0)
    part = tl.load(gradient + cells[:, None] * A + symbols[None, :], mask=ok[:, None], other=0.0)
    part = part * tl.load(inverse + cells, mask=ok, other=0.0)[:, None]
    tl.store(scaled + rows[:, None] * A + symbols[None, :], part, mask=ok[:, None])
    wide = (rows - first).to(tl.int64)[:, None] * (A * A)
    for start in range(0, A * A, BK):
        at = start + tl.arange(0, BK)
        rules = tl.load(inner + at[:, None] * A + symbols[None, :])
        result = tl.dot(part, tl.trans(rules), input_precision=PRECISION)
        tl.store(down + wide + at[None, :], result, mask=ok[:, None])


@triton.jit(do_not_specialize=["slots", "first", "last"])
def outside_parts(
    value, scale, leaf, leaf_scale, beside, two_rules,
    cells, pair_of, sizes, own, ref_in, scaled, down,
    to_cells, to_leaf, to_two,
    slots, first, last,
    A: tl.constexpr, T: tl.constexpr, BK: tl.constexpr,
    PRECISION: tl.constexpr,
):  # fmt: skip
    """Add the gradient of one cell to those of its parts; ``outside_beside`` does the rules'."""
    pos = first + tl.program_id(0)
    i, a, j, b, n, m, base, slot_base = cell_position(cells, pair_of, sizes, pos)
    symbols = tl.arange(0, A)
    square = symbols[:, None] * A + symbols[None, :]
    ref = tl.load(ref_in + tl.load(own + pos))
    by_pair = tl.load(down + (pos - first).to(tl.int64) * (A * A) + square)
    turned = tl.trans(by_pair)
    for start in range(0, (a + 1) * (b + 1), BK):
        left, right, ok = split_children(start + tl.arange(0, BK), i, a, j, b, n, m, base)
        sums = tl.load(scale + left, mask=ok, other=LOG_ZERO)
        sums += tl.load(scale + right, mask=ok, other=0.0)
        weight = tl.exp(sums - ref)[:, None]
        at = ok[:, None]
        to_left = left[:, None] * A + symbols[None, :]
        to_right = right[:, None] * A + symbols[None, :]
        lefts = tl.load(value + to_left, mask=at, other=0.0)
        rights = tl.load(value + to_right, mask=at, other=0.0)
        on_left = tl.dot(rights, turned, input_precision=PRECISION) * weight
        on_right = tl.dot(lefts, by_pair, input_precision=PRECISION) * weight
        tl.atomic_add(to_cells + to_left, on_left, mask=at, sem="relaxed")
        tl.atomic_add(to_cells + to_right, on_right, mask=at, sem="relaxed")
    gradient = tl.load(scaled + pos * A + symbols)
    for option in tl.static_range(6):
        slot, rest, symbol, other, two = leaf_option(option, i, a, j, b, n, m, base, slot_base)
        if symbol:
            weight = tl.exp(tl.load(leaf_scale + slot) + tl.load(scale + rest) - ref)
            row = slot if option < 3 else slot + slots
            tile = row.to(tl.int64) * (A * A) + square
            part = tl.sum(tl.load(beside + tile) * gradient[None, :], 1) * weight
            tl.atomic_add(to_cells + rest * A + symbols, part, sem="relaxed")
        if option < 3:
            if two:
                weight = tl.exp(tl.load(leaf_scale + slot) + tl.load(leaf_scale + other) - ref)
                leaves = tl.arange(0, T)
                tile = slot.to(tl.int64) * (T * A) + leaves[:, None] * A + symbols[None, :]
                part = tl.sum(tl.load(two_rules + tile) * gradient[None, :], 1) * weight
                tl.atomic_add(to_leaf + other * T + leaves, part, sem="relaxed")
                seconds = tl.load(leaf + other * T + leaves) * weight
                tl.atomic_add(to_two + tile, seconds[:, None] * gradient[None, :], sem="relaxed")


@triton.jit(do_not_specialize=["slots"])
def outside_beside(
    value, scale, leaf_scale, sizes, ref, inverse, gradient, to_beside, slots,
    A: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """The gradient of one slot's rules, its leaf on the left and on the right."""
    pair = tl.program_id(1)
    n = tl.load(sizes + pair * 4)
    m = tl.load(sizes + pair * 4 + 1)
    base = tl.load(sizes + pair * 4 + 2)
    slot = tl.program_id(0)
    x = slot // (m + 1)
    y = slot - x * (m + 1)
    if x <= n:
        slot += tl.load(sizes + pair * 4 + 3)
        symbols = tl.arange(0, A)
        leaf = tl.load(leaf_scale + slot)
        for right in tl.static_range(2):
            total = tl.zeros((A, A), tl.float32)
            for start in range(0, count_beside_slot(right, x, y, n, m), BK):
                cell, rest, ok = cell_beside_slot(start + tl.arange(0, BK), right, x, y, n, m, base)
                sums = leaf + tl.load(scale + rest, mask=ok, other=LOG_ZERO)
                weight = tl.exp(sums - tl.load(ref + cell, mask=ok, other=0.0))
                weight *= tl.load(inverse + cell, mask=ok, other=0.0)
                at = ok[:, None]
                rests = value + rest[:, None] * A + symbols[None, :]
                rests = tl.load(rests, mask=at, other=0.0) * weight[:, None]
                whole = gradient + cell[:, None] * A + symbols[None, :]
                whole = tl.load(whole, mask=at, other=0.0)
                total = tl.dot(tl.trans(rests), whole, total, input_precision=PRECISION)
            row = (slot + right * slots).to(tl.int64)
            tile = row * (A * A) + symbols[:, None] * A + symbols[None, :]
            tl.store(to_beside + tile, total)


@triton.jit(do_not_specialize=["slots", "first", "last"])
def best_pairs(
    score, emissions, beside, two_rules,
    cells, pair_of, sizes, own, best, extra,
    slots, first, last,
    A: tl.constexpr, T: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """The best pair of children over all splits of one cell, and its best option with a leaf."""
    pos = first + tl.program_id(0)
    i, a, j, b, n, m, base, slot_base = cell_position(cells, pair_of, sizes, pos)
    symbols = tl.arange(0, A)
    square = symbols[:, None] * A + symbols[None, :]
    total = tl.full((A, A), 2 * LOG_ZERO, tl.float32)
    for start in range(0, (a + 1) * (b + 1), BK):
        left, right, ok = split_children(start + tl.arange(0, BK), i, a, j, b, n, m, base)
        at = ok[:, None]
        lefts = tl.load(score + left[:, None] * A + symbols[None, :], mask=at, other=LOG_ZERO)
        rights = tl.load(score + right[:, None] * A + symbols[None, :], mask=at, other=LOG_ZERO)
        total = tl.maximum(total, tl.max(lefts[:, :, None] + rights[:, None, :], 0))
    vector = tl.full((A,), LOG_ZERO, tl.float32)
    for option in tl.static_range(6):
        slot, rest, symbol, other, two = leaf_option(option, i, a, j, b, n, m, base, slot_base)
        if symbol:
            row = slot if option < 3 else slot + slots
            rules = tl.load(beside + row.to(tl.int64) * (A * A) + square)
            rests = tl.load(score + rest * A + symbols)
            vector = tl.maximum(vector, tl.max(rules + rests[:, None], 0))
        if option < 3:
            if two:
                leaves = tl.arange(0, T)
                tile = leaves[:, None] * A + symbols[None, :]
                rules = tl.load(two_rules + slot.to(tl.int64) * (T * A) + tile)
                seconds = tl.load(emissions + other * T + leaves)
                vector = tl.maximum(vector, tl.max(rules + seconds[:, None], 0))
    tl.store(best + pos.to(tl.int64) * (A * A) + square, total)
    tl.store(extra + pos * A + symbols, vector)
    spans = 1 + (m * (m + 1) >> 1)
    tl.store(own + pos, base + span_number(i, a, n) * spans + span_number(j, b, m))


@triton.jit(do_not_specialize=["first", "last"])
def best_finish(
    best, extra, inner, own, score, first, last,
    A: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """The score of each symbol over a tile of cells; ``inner`` is float[A, A*A]."""
    rows = first + tl.program_id(0) * BM + tl.arange(0, BM)
    ok = rows < last
    symbols = tl.arange(0, A)
    tile = rows[:, None] * A + symbols[None, :]
    total = tl.load(extra + tile, mask=ok[:, None], other=LOG_ZERO)
    wide = rows.to(tl.int64)[:, None] * (A * A)
    for start in range(0, A * A, BK):
        at = start + tl.arange(0, BK)
        part = tl.load(best + wide + at[None, :], mask=ok[:, None], other=LOG_ZERO)
        rules = tl.load(inner + symbols[:, None] * (A * A) + at[None, :])
        total = tl.maximum(total, tl.max(part[:, None, :] + rules[None, :, :], 2))
    cells = tl.load(own + rows, mask=ok, other=0)
    tl.store(score + cells[:, None] * A + symbols[None, :], total, mask=ok[:, None])


@triton.jit(do_not_specialize=["slots", "columns"])
def best_leaves(
    emissions, rules, result, slots, columns,
    T: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """The max over t of emissions[slot, t] + rules[t, column]."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    at = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = rows < slots
    fits = at < columns
    total = tl.full((BM, BN), 2 * LOG_ZERO, tl.float32)
    for leaf in range(T):
        first = tl.load(emissions + rows * T + leaf, mask=ok, other=LOG_ZERO)
        second = tl.load(rules + leaf * columns + at, mask=fits, other=LOG_ZERO)
        total = tl.maximum(total, first[:, None] + second[None, :])
    where = rows.to(tl.int64)[:, None] * columns + at[None, :]
    tl.store(result + where, total, mask=ok[:, None] & fits[None, :])


@triton.jit(do_not_specialize=["states", "words"])
def row_log_sums(scores, banned, sums, states, words, columns, BK: tl.constexpr):
    """The log of the sum of exp over a row, without its type's banned word."""
    row = tl.program_id(0).to(tl.int64)
    out = tl.load(banned + row // states)
    most = tl.full((), LOG_ZERO, tl.float32)
    total = tl.zeros((), tl.float32)
    for start in range(0, words, BK):
        at = start + tl.arange(0, BK)
        ok = (at < words) & (at != out)
        part = tl.load(scores + row * columns + at, mask=ok, other=LOG_ZERO)
        new = tl.maximum(most, tl.max(part, 0))
        total = total * tl.exp(most - new) + tl.sum(tl.exp(part - new), 0)
        most = new
    tl.store(sums + row, most + tl.log(total))


@triton.jit(do_not_specialize=["states", "words"])
def row_gradients(scores, banned, sums, totals, states, words, columns, BK: tl.constexpr):
    """A row of scores becomes minus its total times its probabilities, in place."""
    row = tl.program_id(0).to(tl.int64)
    out = tl.load(banned + row // states)
    log_sum = tl.load(sums + row)
    total = -tl.load(totals + row)
    for start in range(0, columns, BK):
        at = start + tl.arange(0, BK)
        part = tl.load(scores + row * columns + at, mask=at < words, other=LOG_ZERO)
        part = tl.where((at == out) | (at >= words), 0.0, tl.exp(part - log_sum) * total)
        tl.store(scores + row * columns + at, part, mask=at < columns)
