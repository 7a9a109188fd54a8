"""CPU-seconds of coba on real reviews, the whole command each time. One JSON line.

    AUGKIT_DATA=... python -m lab.coba_speed [--base FOLDER] [--only NAME ...]

Every command runs in a process of its own; user and system time of it and of its workers count.
``--base`` names a checkout of another commit: its commands run in turn with ours, and the line has
the ratios, which say more than seconds on a busy machine. ``--only`` names commands to run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from lab.command_line import argument, arguments, print_line
from lab.processes import cpu_of_children

COMMANDS = {
    "try": "try -m coba",
    "demo": "run -m coba -d reviews-demo --out {out}",
    "sst2 50": "run -m coba -d sst2 --limit 50 --out {out}",
    "sst2 500": "run -m coba -d sst2 --limit 500 --out {out}",
    "imdb": "run -m coba -d imdb_cad:original_train --out {out}",
    "sst2": "run -m coba -d sst2 --out {out}",
}
ROOT = Path(__file__).parents[1]


def cpu_seconds(command: str, checkout: Path) -> float:
    """User and system time of a command with all its processes."""
    with TemporaryDirectory() as folder:
        typed = command.format(out=Path(folder, "run")).split()
        before = cpu_of_children()
        subprocess.run(
            [sys.executable, "-m", "augkit", *typed],
            env={**os.environ, "PYTHONPATH": str(checkout)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            check=True,
        )
    return cpu_of_children() - before


def main() -> None:
    """Run the commands."""
    typed = arguments(
        __doc__,
        argument("--base", type=Path, help="a checkout to compare with"),
        argument("--only", nargs="+", choices=list(COMMANDS), default=list(COMMANDS)),
    )
    measured: dict[str, dict[str, float]] = {}
    for name in typed.only:
        measured[name] = {}
        if typed.base is not None:
            measured[name]["base_cpu_s"] = cpu_seconds(COMMANDS[name], typed.base.resolve())
        measured[name]["cpu_s"] = cpu_seconds(COMMANDS[name], ROOT)
        if typed.base is not None:
            measured[name]["ratio"] = measured[name]["cpu_s"] / measured[name]["base_cpu_s"]
        measured[name] = {figure: round(value, 2) for figure, value in measured[name].items()}
        print(name, measured[name], file=sys.stderr, flush=True)
    print_line({"benchmark": "coba speed", "commands": measured})


if __name__ == "__main__":
    main()
