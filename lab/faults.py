"""Rows through ``augkit run`` against a server with every fault: is anything lost or twice?

    python -m lab.faults [--rows 3000] [--share 0.03] [--workers 32]

The server (``tests/faults/server.py``) answers each call with one of the faults, each with the
same share, in random order. Prints one JSON line; ``lost`` and ``twice`` must be 0, and the calls
that the run counted must be those that the server saw.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

from lab.command_line import argument, arguments, print_line

SERVER = Path(__file__).parents[1] / "tests" / "faults" / "server.py"
FAULTS = (
    "429", "429-retry-after", "500", "timeout", "drip", "truncated", "html", "no-choices",
    "bad-json", "wrong-schema", "refusal", "cut", "reset",
)  # fmt: skip
ROW = "Review number {} says that the hotel was good and that breakfast was served late."
MOST_RESUMES = 9
ROWS_OPEN = 4
"""The exit code of a run with open rows."""
WORDS = {"says": "states", "was good": "was fine", "was served": "arrived"}


def main() -> None:
    """Run and account for every row."""
    options = arguments(
        __doc__,
        argument("--rows", type=int, default=3000),
        argument("--share", type=float, default=0.03),
        argument("--workers", type=int, default=32),
    )
    faults = server_module()

    def reworded(body: dict[str, Any]) -> str:
        """The row with some words replaced, as a paraphrase that passes the gates."""
        number = re.findall(r"Review number (\d+)", json.dumps(body["messages"]))[-1]
        text = ROW.format(number)
        for old, new in WORDS.items():
            text = text.replace(old, new)
        words = [{"old": old, "new": new} for old, new in WORDS.items()]
        return json.dumps({"words": words, "text": text})

    mix = dict.fromkeys(FAULTS, options.share)
    behaviour = faults.Behaviour(mix=mix, seed=1, answer=reworded)
    with faults.FaultServer(behaviour) as server, tempfile.TemporaryDirectory() as place:
        seconds = run(Path(place), server.url, options.rows, options.workers)
        result = {"seconds": round(seconds, 1), **account(Path(place, "out"))}
        result["calls_seen"] = server.calls
    print_line({"benchmark": "faults", "rows": options.rows, **result})


def server_module() -> ModuleType:
    """The module of the server, which is in no package."""
    spec = importlib.util.spec_from_file_location("fault_server", SERVER)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run(place: Path, url: str, rows: int, workers: int) -> float:
    """The run under test, resumed while calls failed in all their attempts and rows are open."""
    lines = [json.dumps({"text": ROW.format(n), "label": "ab"[n % 2]}) for n in range(rows)]
    (place / "rows.jsonl").write_text("\n".join(lines))
    settings = "connection: {backoff: 0.01, backoff_cap: 0.1, timeout: 1.0}\n"
    (place / "run.yaml").write_text(settings)
    command = [
        sys.executable, "-m", "augkit", "run", "-m", "paraphrase", "-d", place / "rows.jsonl",
        "--llm", "openai:tiny", "--base-url", url, "--config", place / "run.yaml",
        "--workers", str(workers), "-o", place / "out",
    ]  # fmt: skip
    started = time.perf_counter()
    for more in [(), *[("--resume",)] * MOST_RESUMES]:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        ended = subprocess.run([*command, *more], check=False, **quiet)
        if ended.returncode != ROWS_OPEN:
            break
    ended.check_returncode()
    return time.perf_counter() - started


def account(out: Path) -> dict[str, object]:
    """How often each row is in the variants or the rejections."""
    read = lambda name: map(json.loads, (out / name).read_text().splitlines())  # noqa: E731
    originals = [row["augkit_id"] for row in read("dataset.jsonl") if not row["augkit_parent"]]
    outcomes = Counter(
        r["parents"][0] for name in ("variants", "rejected") for r in read(f"{name}.jsonl")
    )
    manifest = json.loads((out / "manifest.json").read_text())
    return {
        "status": manifest["status"],
        "variants": manifest["counts"]["accepted"],
        "refused": manifest["rejected_by_reason"],
        "lost": sum(outcomes[key] == 0 for key in originals),
        "twice": sum(count > 1 for count in outcomes.values()),
        "calls_counted": manifest["cost"]["calls"],
    }


if __name__ == "__main__":
    main()
