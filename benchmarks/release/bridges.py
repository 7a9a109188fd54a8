"""Other libraries through ``from_callable``: does the same seed give the same output?

    python -m benchmarks.release.bridges --peer PYTHON [--nltk FOLDER] [--rows 20] [--only nlpaug]

PYTHON is that of an environment with nlpaug, TextAttack or AugLy and with what augkit needs; FOLDER
holds NLTK's data (stopwords, wordnet). Each tool is asked in three processes, two of which hash
strings otherwise: *same seed* is within a process (any order, alone, after other draws), *other
process* and *other hashes* between them. A library that draws from a set of strings depends on how
Python hashes them: then only PYTHONHASHSEED makes two processes agree. One JSON line a tool.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.command_line import argument, arguments, print_line

HERE = Path(__file__).parent


def asked(given: argparse.Namespace, hashes: str) -> list[dict[str, Any]]:
    """What the tools give in a process of their own."""
    done = subprocess.run(
        [given.peer, str(HERE / "bridges_peers.py"), str(given.rows), given.only],
        env={
            **os.environ,
            "PYTHONPATH": str(HERE.parents[1]),
            "NLTK_DATA": given.nltk,
            "PYTHONHASHSEED": hashes,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    answer: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return answer


def main() -> None:
    """Three processes, compared."""
    given = arguments(
        __doc__,
        argument("--peer", required=True),
        argument("--nltk", default=""),
        argument("--rows", type=int, default=20),
        argument("--only", default="", help="tools whose name begins so"),
    )
    runs = [asked(given, hashes) for hashes in ("1", "1", "2")]
    for first, second, third in zip(*runs, strict=True):
        record = {"benchmark": "bridges", **first}
        if "error" not in first:
            record["other process"] = "same" if second["digest"] == first["digest"] else "differs"
            record["other hashes"] = "same" if third["digest"] == first["digest"] else "differs"
        print_line(record)


if __name__ == "__main__":
    main()
