"""How well demographic references are rewritten: each part prints a JSON line, or one a tag.

    python -m lab.panda gold [--gold FILE] [--tags TAG ...]
    python -m lab.panda winobias|roundtrip|table-13 [--data DIR] [--limit N]
    python -m lab.panda speed [--data DIR] [--python PYTHON]
    python -m lab.panda peers --python PYTHON
    python -m lab.panda people [--data DIR] [--limit N] [--python PYTHON]

DIR (default: AUGKIT_DATA) holds ``panda``, ``sst2``, ``snli``, ``rte`` and the others. PYTHON is
the interpreter of another environment that has the peers.

- gold: the items of tests/gold that are rewritten exactly; see tests/gold/README.md.
- winobias: pairs that differ in pronouns only; perturbing the marked pronoun of one, or everybody
  (``opposite``), must give the other letter for letter.
- roundtrip: the share of texts with a reference to a man that change when he becomes a woman
  (references are tried in turn, as the method does), and of these the share that a second change
  brings back letter for letter.
- table-13: the share of rows that fairtuning perturbs; ``panda_table_13.py`` says how.
- speed: texts per CPU-second, over all texts and over those that hold a reference; with PYTHON
  beside AugLy. ``panda_speed.py`` says how.
- peers: the gold items of the gender axis through AugLy and langfair.
- people: the requests of PANDA beside people's rewrites; ``panda_people.py`` says how. A limit is
  one of originals. With PYTHON the peers too.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.commands.perturb import PerturbRequest, join_segments, to_task
from augkit.english.parser import SpacyParser
from lab.command_line import argument, arguments, print_line
from lab.panda_corpora import roundtrip, winobias
from lab.panda_people import SPLIT, measure, read_rows
from lab.panda_speed import speed
from lab.panda_table_13 import table_13

GOLD = Path(__file__).parents[1] / "tests" / "gold"
Record = dict[str, Any]


def scorer() -> ModuleType:
    """The scorer that stands beside the gold set."""
    spec = importlib.util.spec_from_file_location("score", GOLD / "score.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["score"] = module
    spec.loader.exec_module(module)
    return module


def gold(options: argparse.Namespace) -> Iterator[Record]:
    """Exactly accepted rewrites, and items that must stay, for each tag."""
    score = scorer()
    rules = RulePerturber(SpacyParser())
    for tag in options.tags:
        items = score.load_gold(options.gold, "" if tag == "all" else tag)
        outputs = {}
        for item in items:
            answer = rules.perturb([gold_task(item)])[0]
            changed = not answer.reason
            outputs[item.id] = join_segments(answer.fields) if changed else item.text
        found = score.score(items, outputs)
        kinds = [{"tag": tag, "kind": kind, **one} for kind, one in found["by_phenomenon"].items()]
        yield {"gold": options.gold.name, "tag": tag, **found, "kinds": kinds}


def gold_task(item: Any) -> PerturbTask:
    """The task of a gold item: whoever points at a word means a person, so it must change."""
    request = PerturbRequest(item.text, item.axis, item.target, item.word, item.start)
    task = to_task(request, random.Random(item.id))
    if not isinstance(task, PerturbTask):
        raise TypeError(f"{item.id}: {task.detail}")
    return replace(task, pointed=not item.must_not_change)


def peers(options: argparse.Namespace) -> Iterator[Record]:
    """The share of gold items of the gender axis that each peer rewrites as accepted."""
    score = scorer()
    items = [item for item in score.load_gold(options.gold, "dev") if item.axis == "gender"]
    two = [item for item in items if item.target in {"man", "woman"}]
    asked = [{"id": item.id, "text": item.text, "target": item.target} for item in two]
    result: Record = {"n": len(two)}
    for name, answer in peer_outputs(asked, options.python):
        numbers = score.score(two, answer)
        keys = ("accepted", "must_change_accepted", "must_not_change_kept", "bleu")
        result[name] = {key: numbers[key] for key in keys}
    yield result


def peer_outputs(
    asked: list[dict[str, Any]], python: str
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each peer that runs in that environment, and its output for each id."""
    script = Path(__file__).with_name("panda_peers.py")
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    found = subprocess.run(
        [python, str(script)], input=lines, capture_output=True, text=True, check=False
    )
    if found.returncode:
        sys.exit(f"the peers do not run in {python}: {found.stderr[-500:]}")
    for line in found.stdout.splitlines():
        answer = json.loads(line)
        if "outputs" in answer:
            yield answer["peer"], answer["outputs"]
        else:
            print(f"{answer['peer']} is left out: {answer['error']}", file=sys.stderr)


def people(options: argparse.Namespace) -> Iterator[Record]:
    """PANDA's own rows: the words that change beside those that people changed."""
    rows = read_rows(options.data / "panda" / f"{SPLIT}.jsonl.gz", options.limit)
    ask = None
    if options.python:

        def ask(asked: list[dict[str, Any]]) -> Iterator[tuple[str, Mapping[str, str]]]:
            return peer_outputs(asked, options.python)

    yield measure(rows, RulePerturber(SpacyParser()), scorer(), ask)


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Record]]] = {
    "gold": gold,
    "winobias": winobias,
    "roundtrip": roundtrip,
    "table-13": table_13,
    "speed": speed,
    "peers": peers,
    "people": people,
}


def main() -> None:
    """Run the part that is asked for."""
    options = arguments(
        __doc__,
        argument("part", choices=PARTS),
        argument("--data", type=Path, default=Path(os.environ.get("AUGKIT_DATA", "data"))),
        argument("--gold", type=Path, default=GOLD / "dev.jsonl"),
        argument("--tags", nargs="+", default=["all"], help="rows of one origin; all: every row"),
        argument("--python", help="another environment's Python"),
        argument("--limit", type=int, default=0, help="originals or rows; 0: all"),
    )
    for line in PARTS[options.part](options):
        print_line({"benchmark": f"panda-{options.part}", **line})


if __name__ == "__main__":
    main()
