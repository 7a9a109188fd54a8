"""What processes take: CPU-seconds and memory (Linux)."""

from __future__ import annotations

import resource
from pathlib import Path


def cpu_of_children() -> float:
    """User and system seconds of the processes below this one that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def memory_of_children() -> int:
    """Megabytes of the largest process that has ended."""
    return round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)


def tree_memory(root: int) -> int:
    """Resident bytes of a process and its descendants; shared pages count once."""
    total = 0
    for pid in [root, *descendants(root)]:
        try:
            smaps = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += int(smaps.split("\nPss:")[1].split()[0]) * 1024
    return total


def descendants(root: int) -> list[int]:
    """Process ids below a process."""
    try:
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
    except OSError:
        return []
    found = [int(child) for child in children]
    for child in tuple(found):
        found += descendants(child)
    return found
