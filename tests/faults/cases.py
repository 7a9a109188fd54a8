"""Numbered cases, each in a child process with limits on its memory and time.

A case is a number of a seed: ``attempt(number, random.Random, folder)`` makes it and tries it. It
returns a word for what came of it, or raises where a promise is broken. Some cases are tried where
nothing else is said; all that a seed is asked for, or one alone in this process, with

    AUGKIT_FAULT_CASES=5000 pytest tests/faults/test_broken_inputs.py
    AUGKIT_FAULT_CASES=5000 AUGKIT_FAULT_SEED=7 pytest tests/faults/test_broken_inputs.py
    AUGKIT_FAULT_CASE=7:123 pytest tests/faults/test_broken_inputs.py
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

Attempt = Callable[[int, Random, Path], str]


class Limits(NamedTuple):
    """What a case may take beyond what the process has when it begins."""

    megabytes: int = 1024
    seconds: int = 10
    """Of CPU time, which a busy machine does not lengthen."""
    wait: int = 300
    """Seconds in all: what neither ends nor works."""


LIMITS = Limits()


class Outcome(NamedTuple):
    """What came of a case, and what was said where it broke a promise."""

    number: int
    result: str
    detail: str = ""


def try_cases(attempt: Attempt, usual: int, place: Path) -> Counter[str]:
    """Try the cases that are asked for, ``usual`` where none are; count what came of them."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("needs Linux")
    if alone := os.environ.get("AUGKIT_FAULT_CASE"):
        seed, number = map(int, alone.split(":"))
        attempt_one(attempt, seed, place, number)
        pytest.skip(f"case {alone} keeps its promises; the others were not tried")
    seed = int(os.environ.get("AUGKIT_FAULT_SEED", "0"))
    cases = int(os.environ.get("AUGKIT_FAULT_CASES", usual))
    outcomes = in_children(partial(attempt_one, attempt, seed, place), range(cases))
    test = os.environ["PYTEST_CURRENT_TEST"].partition("::")[0]
    broken = [
        f"AUGKIT_FAULT_CASE={seed}:{outcome.number} pytest {test}\n{outcome.detail}"
        for outcome in outcomes
        if outcome.detail
    ]
    assert not broken, f"{len(broken)} of {cases} cases:\n\n" + "\n\n".join(broken[:20])
    return Counter(outcome.result for outcome in outcomes)


def attempt_one(attempt: Attempt, seed: int, place: Path, number: int) -> str:
    """Try a case in an empty folder; a warning is an error."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return attempt(number, Random(f"{seed}:{number}"), place)


def in_children(
    attempt: Callable[[int], str], numbers: Sequence[int], limits: Limits = LIMITS
) -> list[Outcome]:
    """Try cases in a child process, and in another one after each that ends it."""
    left = list(numbers)
    outcomes: list[Outcome] = []
    while left:
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other threads of this process take no part in it
            child = os.fork()
        if child == 0:
            os.close(reading)
            _try_all(attempt, left, limits, writing)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as lines:
            done = [Outcome(*json.loads(line)) for line in lines]
        _, status = os.waitpid(child, 0)
        outcomes += done
        left = left[len(done) :]
        if left:
            outcomes.append(_lost(left.pop(0), os.waitstatus_to_exitcode(status), limits))
    return outcomes


def _lost(number: int, code: int, limits: Limits) -> Outcome:
    """Say how a case ended its process."""
    if code == -signal.SIGPROF:
        return Outcome(number, "hang", f"over {limits.seconds} s of CPU time")
    if code == -signal.SIGALRM:
        return Outcome(number, "hang", f"over {limits.wait} s")
    return Outcome(number, "crash", f"the process ended with {code}")


def _try_all(
    attempt: Callable[[int], str], numbers: Sequence[int], limits: Limits, writing: int
) -> None:
    """Try cases, write a line for each, and end this process."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # Unless they are handled, these signals end the process.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        for number in numbers:
            # Cases before this one have left packages and caches in the memory.
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            most = pages * resource.getpagesize() + (limits.megabytes << 20)
            resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
            signal.setitimer(signal.ITIMER_PROF, limits.seconds)
            signal.alarm(limits.wait)
            try:
                outcome = Outcome(number, attempt(number))
            except MemoryError:
                outcome = Outcome(number, "memory", f"over {limits.megabytes} MB")
            except BaseException:  # noqa: BLE001 - whatever breaks a promise is what is looked for
                outcome = Outcome(number, "broken", traceback.format_exc()[-2500:])
            line: list[Any] = list(outcome)
            os.write(writing, json.dumps(line).encode() + b"\n")
    finally:
        os._exit(0)
