"""Inside and outside on a CPU, beside a plain log-space implementation with autograd.

    python -m benchmarks.speed.grammar_speed [--cases "20,0x16" "40,0x16" "8,8x1" "12,12x1"]

A case is the length of the source, of the target (0: sentences), and the batch. The plain one is
what one writes first: a loop over spans, every split added in log space, the log-sum-exp over
splits and then over the rules' (B, C) as tensors, and autograd for the gradient. Both get the
same random potentials (32 + 64 symbols, float32), and both results are compared. Each run is a
process of its own with one thread: CPU seconds of forward and backward (ours with its plan), and
the peak of memory above what the process had before. The plain one takes sentences in batches of
``--plain-batch`` one after another where the whole batch would not fit in memory; its memory is
then that of one part times the number of parts. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

import torch

from benchmarks.command_line import print_line

SYMBOLS, LEAVES = 32, 64
BOTH = SYMBOLS + LEAVES


def main() -> None:
    """Measure all cases and print, or one run where ``--run`` says so."""
    parser = argparse.ArgumentParser(description=__doc__)
    cases = ["20,0x16", "40,0x16", "8,8x1", "12,12x1"]
    parser.add_argument("--cases", nargs="+", default=cases)
    parser.add_argument("--plain-batch", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=3, help="runs of ours; the median counts")
    parser.add_argument("--run", choices=["ours", "plain"])
    options = parser.parse_args()
    if options.run:
        print_line(measure(options.run, options.cases[0], options.plain_batch))
        return
    rows = {case: compare(case, options) for case in options.cases}
    print_line({"benchmark": "grammar_speed", "threads": 1, "cases": rows})


def compare(case: str, options: argparse.Namespace) -> dict[str, float]:
    """Both implementations on one case, each in a process of its own."""
    ours = sorted((start("ours", case, options) for _ in range(options.repeats)), key=cpu)
    ours = ours[len(ours) // 2]
    plain = start("plain", case, options)
    return {
        "ours_cpu_seconds": round(ours["seconds"], 3),
        "plain_cpu_seconds": round(plain["seconds"], 2),
        "times_faster": round(plain["seconds"] / ours["seconds"], 1),
        "ours_mb": round(ours["mb"], 1),
        "plain_mb": round(plain["mb"]),
        "times_smaller": round(plain["mb"] / ours["mb"], 1),
        "plain_parts": plain["parts"],
        "log_likelihood_differs": max(
            abs(a - b) for a, b in zip(ours["found"], plain["found"], strict=True)
        ),
        "gradient_norms": [round(ours["norm"], 4), round(plain["norm"], 4)],
    }


def cpu(run: dict) -> float:
    """What runs are ranked by."""
    return run["seconds"]


def start(which: str, case: str, options: argparse.Namespace) -> dict:
    """One run in a fresh process."""
    command = [sys.executable, "-m", __spec__.name, "--run", which, "--cases", case]
    command += ["--plain-batch", str(options.plain_batch)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def measure(which: str, case: str, plain_batch: int) -> dict:
    """CPU seconds and the rise of the peak memory of one forward and backward."""
    torch.set_num_threads(1)
    sizes, batch = case.split("x")
    n, m = map(int, sizes.split(","))
    lengths = [(n, m)] * int(batch)
    run = {"ours": run_ours, "plain": run_plain}[which]
    generator = torch.Generator().manual_seed(0)
    rules = torch.randn(SYMBOLS, BOTH * BOTH, generator=generator).log_softmax(1)
    rules = rules.view(SYMBOLS, BOTH, BOTH)
    root = torch.randn(SYMBOLS, generator=generator).log_softmax(0)
    own = (n + 1) * (m + 1)
    emissions = 2 * torch.randn(own * len(lengths), LEAVES, generator=generator) - 8
    step = len(lengths) if which == "ours" else plain_batch
    parts = [slice(k, min(k + step, len(lengths))) for k in range(0, len(lengths), step)]
    run(rules, root, torch.zeros(3, LEAVES), [(2, 0)])  # the first call pays for imports
    before, seconds, found, gradient = peak_mb(), 0.0, [], torch.zeros_like(rules)
    for part in parts:
        some = emissions[part.start * own : part.stop * own]
        started = time.process_time()
        likelihood, by_rules = run(rules, root, some, lengths[part])
        seconds += time.process_time() - started
        found += likelihood.tolist()
        gradient += by_rules
    rise = (peak_mb() - before) * len(parts)
    norm = float(gradient.norm())
    return {"seconds": seconds, "mb": rise, "found": found, "norm": norm, "parts": len(parts)}


def peak_mb() -> float:
    """The largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_ours(
    rules: torch.Tensor, root: torch.Tensor, emissions: torch.Tensor, lengths: list
) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-likelihoods and the gradient by the rules."""
    from augkit.grammars.charts.inside import Potentials
    from augkit.grammars.charts.likelihood import log_likelihood
    from augkit.grammars.charts.synchronous_cells import make_lattice

    tensors = [one.clone().requires_grad_() for one in (rules, root, emissions)]
    found = log_likelihood(Potentials(*tensors), make_lattice(lengths))
    found.sum().backward()
    return found.detach(), tensors[0].grad


def run_plain(
    rules: torch.Tensor, root: torch.Tensor, emissions: torch.Tensor, lengths: list
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same by the plain implementation; all pairs have one length."""
    n, m = lengths[0]
    tensors = [one.clone().requires_grad_() for one in (rules, root, emissions)]
    found = plain_inside(Plain(*tensors), len(lengths), n, m)
    found.sum().backward()
    return found.detach(), tensors[0].grad


@dataclass(frozen=True)
class Plain:
    """Log rules, root and emissions."""

    rules: torch.Tensor
    root: torch.Tensor
    emissions: torch.Tensor


def plain_inside(given: Plain, batch: int, n: int, m: int) -> torch.Tensor:
    """Log-space inside over (a, b) spans; cells are [batch, starts a, starts b, symbols].

    Symbols and leaves are kept apart, so that only the blocks of the rules that a split can use
    are added up: what the paper's code does, too.
    """
    slots = given.emissions.view(batch, n + 1, m + 1, LEAVES)
    chart: dict[tuple[int, int], torch.Tensor] = {}
    sides = {True: slice(SYMBOLS, BOTH), False: slice(0, SYMBOLS)}

    def leaves(u: int, v: int) -> torch.Tensor:
        part = slots[:, 1:] if u else slots[:, :1].expand(-1, n + 1, -1, -1)
        return part[:, :, 1:] if v else part[:, :, :1].expand(-1, -1, m + 1, -1)

    for a in range(n + 1):
        for b in range(m + 1):
            if max(a, b) <= 1:
                chart[a, b] = leaves(a, b)
                continue
            rows, columns = n - a + 1, m - b + 1
            blocks: dict[tuple[bool, bool], list[torch.Tensor]] = {}
            for u in range(a + 1):
                for v in range(b + 1):
                    if u in {0, a} and v in {0, b}:
                        continue
                    left = chart[u, v][:, :rows, :columns]
                    right = chart[a - u, b - v][:, u : u + rows, v : v + columns]
                    kind = max(u, v) <= 1, max(a - u, b - v) <= 1
                    blocks.setdefault(kind, []).append(left[..., :, None] + right[..., None, :])
            sums = [
                (torch.logsumexp(torch.stack(pairs), 0)[..., None, :, :]
                 + given.rules[:, sides[first], sides[second]]).flatten(4)
                for (first, second), pairs in blocks.items()
            ]  # fmt: skip
            chart[a, b] = torch.logsumexp(torch.cat(sums, 4), 4)
    return torch.logsumexp(chart[n, m][:, 0, 0] + given.root, 1)


if __name__ == "__main__":
    main()
