"""Whether a change leaves what the offline methods write as it was, byte for byte.

python scripts/same_output.py record before.json           on the commit before the change
python scripts/same_output.py compare before.json          after it: names what differs
python scripts/same_output.py compare before.json --all    real datasets too, with AUGKIT_DATA

The digests are those of dataset.jsonl, variants.jsonl and rejected.jsonl of each run.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from augkit.cli.app import main as augkit

DEMO = ("reviews-demo", "claims-demo", "nli-demo")
REAL = {"sst2": 2000, "imdb_cad:original_train": 300, "fever:dev": 1000, "snli:dev": 1000}
"""Dataset → how many of its rows."""
FILES = ("dataset.jsonl", "variants.jsonl", "rejected.jsonl")
PAIRS = {"swap": ["--set", 'pairs=[["film", "movie"], ["man", "woman"]]']}
METHODS = {
    "autocad": [],
    "coba": [],
    "contrast": [],
    "crossaug": [],
    "eda": [],
    "mask-phrase": [],
    "mask-words": [],
    "panda": [],
    "random-edit": [],
    "razor": [],
    "swap": PAIRS["swap"],
    "symmetric": [],
    "typo": [],
}
"""Method → its options."""


def main() -> None:
    """Record the digests, or compare them with recorded ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--all", action="store_true", help="real datasets too (AUGKIT_DATA)")
    parser.add_argument("--only", action="append", help="a method; repeatable", choices=METHODS)
    options = parser.parse_args()
    rows_of = {**dict.fromkeys(DEMO), **(REAL if options.all else {})}
    digests = {}
    for dataset, rows in rows_of.items():
        for method in options.only or METHODS:
            started = time.perf_counter()
            digests[f"{method} {dataset}"] = run_digests(method, dataset, rows)
            print(f"{method} {dataset} {time.perf_counter() - started:.1f} s", flush=True)
    if options.action == "record":
        options.file.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
        return
    before = json.loads(options.file.read_text(encoding="utf-8"))
    differing = [run for run, files in digests.items() if before.get(run) != files]
    for run in differing:
        names = [name for name in FILES if digests[run].get(name) != before.get(run, {}).get(name)]
        print(f"differs: {run}: {', '.join(names) or 'exit code'}")
    print(f"{len(digests) - len(differing)} of {len(digests)} runs are the same")
    sys.exit(bool(differing))


def run_digests(method: str, dataset: str, rows: int | None) -> dict[str, str]:
    """Name of a file of the run → its digest; the exit code too."""
    with tempfile.TemporaryDirectory() as folder:
        limit = [] if rows is None else ["--limit", str(rows)]
        options = ["-m", method, "-d", dataset, "-o", f"{folder}/run", *limit, *METHODS[method]]
        printed, code = io.StringIO(), 0
        argv = mock.patch.object(sys, "argv", ["augkit", "run", *options])
        with argv, redirect_stdout(printed), redirect_stderr(printed):
            try:
                augkit()
            except SystemExit as stop:
                code = int(stop.code or 0)
        paths = [Path(folder, "run", name) for name in FILES]
        digests = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:20]
            for path in paths
            if path.is_file()
        }
        return {"exit code": str(code), **digests}


if __name__ == "__main__":
    main()
