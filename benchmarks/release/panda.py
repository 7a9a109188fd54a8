"""How well demographic references are rewritten: each part prints one JSON line.

    python -m benchmarks.release.panda gold [--gold FILE] [--tag TAG]
    python -m benchmarks.release.panda winobias|roundtrip|read --data DIR
    python -m benchmarks.release.panda speed --data DIR [--peers --python PYTHON]
    python -m benchmarks.release.panda grammar --data DIR [--python PYTHON] [--seed N] [--limit N]
    python -m benchmarks.release.panda peers [--gold FILE] --python PYTHON
    python -m benchmarks.release.panda people --data DIR [--split dev] [--limit N]
        [--max-words N] [--sources NAME ...] [--perturber NAME | --tags FILE] [--outputs FILE]
        [--peers --python PYTHON]

DIR (default: AUGKIT_DATA) holds ``sst2``, ``snli``, ``rte`` and ``bias/winobias``. PYTHON is the
interpreter of another environment that has harper-py, or the peers; without it, this one is used.

- gold: the items of tests/gold that are rewritten exactly; see tests/gold/README.md.
- winobias: pairs that differ in pronouns only; perturbing the marked pronoun of one must give the
  other letter for letter.
- roundtrip: the share of texts with a reference to a man that change when he becomes a woman
  (references are tried in turn, as the method does), and of these the share that a second change
  brings back letter for letter.
- grammar: what Harper finds wrong in perturbed texts beyond what it finds in their originals;
  words that it does not know, mostly names, are not counted.
- read: references of other corpora, drawn and rewritten, to be read (with --show 1).
- speed: texts per CPU-second, over all texts and over those that hold a reference; with --peers
  AugLy in the same run. benchmarks/speed/panda_speed.py says how.
- peers: the gold items of the gender axis through AugLy, LangTest and langfair.
- people: the requests of PANDA beside people's rewrites; benchmarks/release/panda_people.py says
how. A
  limit is one of originals there; texts of at most N words of the sources are measured once more
  alone.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import Perturbed
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.commands.perturb import PerturbRequest, join_segments, to_task
from augkit.core.types import Rejection
from augkit.english.parser import SpacyParser
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.panda_corpora import grammar, read, roundtrip, winobias
from benchmarks.speed.panda_speed import speed

ROOT = Path(__file__).parents[2]


def scorer() -> ModuleType:
    """The scorer that stands beside the gold set."""
    spec = importlib.util.spec_from_file_location("score", ROOT / "tests" / "gold" / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit("tests/gold/score.py is missing")
    module = importlib.util.module_from_spec(spec)
    sys.modules["score"] = module
    spec.loader.exec_module(module)
    return module


def gold(options: argparse.Namespace) -> dict[str, Any]:
    """Exactly accepted rewrites, and items that must stay."""
    score = scorer()
    items = score.load_gold(options.gold, "" if options.tag == "all" else options.tag)
    outputs = {}
    for item in items:
        request = PerturbRequest(item.text, item.axis, item.target, item.word, item.start)
        task = to_task(request, random.Random(item.id))
        answer = (
            task if isinstance(task, Rejection) else RulePerturber(SpacyParser()).perturb([task])[0]
        )
        changed = isinstance(answer, Perturbed)
        outputs[item.id] = join_segments(answer.fields) if changed else item.text
    result: dict[str, Any] = score.score(items, outputs)
    return {"gold": Path(options.gold).name, "tag": options.tag, **result}


def peers(options: argparse.Namespace) -> dict[str, Any]:
    """The share of gold items of the gender axis that each peer rewrites as accepted."""
    score = scorer()
    items = [item for item in score.load_gold(options.gold, options.tag) if item.axis == "gender"]
    two = [item for item in items if item.target in {"man", "woman"}]
    script = ROOT / "benchmarks" / "panda_peers.py"
    lines = "".join(
        json.dumps({"id": i.id, "text": i.text, "target": i.target}) + "\n" for i in two
    )
    found = subprocess.run(
        [options.python, str(script)], input=lines, capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise SystemExit(f"the peers do not run in {options.python}: {found.stderr[-500:]}")
    result: dict[str, Any] = {"n": len(two)}
    for line in found.stdout.splitlines():
        answer = json.loads(line)
        if "outputs" not in answer:
            result[answer["peer"]] = answer
            continue
        numbers = score.score(two, answer["outputs"])
        keys = ("accepted", "must_change_accepted", "must_not_change_kept", "bleu")
        result[answer["peer"]] = {key: numbers[key] for key in keys}
    return result


def people(options: argparse.Namespace) -> dict[str, Any]:
    """PANDA's own rows: the words that change beside those that people changed."""
    from augkit.augmenters.panda.perturbers.seq2seq import Seq2SeqPerturber
    from augkit.augmenters.panda.perturbers.tagger import TaggerPerturber
    from augkit.models.language_models.edit_tagger import load_tagger
    from augkit.models.language_models.seq2seq import load_seq2seq
    from benchmarks.release.panda_people import measure, read_rows
    from benchmarks.research.panda_tagger import RecordedTagger

    rules = RulePerturber(SpacyParser())
    path = options.data / "panda" / f"{options.split}.jsonl.gz"
    rows = read_rows(path, options.limit, options.seed)
    if options.tags:
        recorded = RecordedTagger(options.tags)
        perturber = TaggerPerturber(recorded, rules)
        found = {"choice": recorded.choice(rows), **measure(options, rows, perturber, scorer())}
        return {"perturber": "tagger", **found}
    kind, _, model = options.perturber.partition(":")
    perturber = rules
    if kind == "tagger":
        perturber = TaggerPerturber(load_tagger(model), rules)
    elif kind == "seq2seq":
        perturber = Seq2SeqPerturber(load_seq2seq(model), 0.15)
    return {"perturber": kind, **measure(options, rows, perturber, scorer())}


PARTS = {
    "gold": gold,
    "winobias": winobias,
    "roundtrip": roundtrip,
    "grammar": grammar,
    "speed": speed,
    "read": read,
    "peers": peers,
    "people": people,
}


def main() -> None:
    """Run the part that is asked for."""
    data = os.environ.get("AUGKIT_DATA") or ROOT.parent / "shared" / "data"
    options = arguments(
        __doc__,
        argument("part", choices=PARTS),
        argument("--data", type=Path, default=Path(data)),
        argument("--gold", type=Path, default=ROOT / "tests" / "gold" / "dev.jsonl"),
        argument("--tag", default="dev", help="rows of one origin; all: every row"),
        argument("--python", default=sys.executable, help="another environment's Python"),
        argument("--limit", type=int, default=0, help="texts (grammar, read: 5,000 if not given)"),
        argument("--seed", type=int, default=0, help="draws the texts of the grammar part"),
        argument("--show", type=int, default=0, help="print so many failures"),
        argument("--split", default="dev", help="the part of PANDA for people"),
        argument(
            "--perturber", default="rules", help="for people: rules, tagger:PATH or seq2seq:PATH"
        ),
        argument("--tags", type=Path, help="for people: tags by panda_tagger.py"),
        argument("--peers", action="store_true", help="AugLy too, and langfair for people"),
        argument("--max-words", type=int, default=150, help="for people: of short texts"),
        argument(
            "--sources",
            nargs="*",
            default=["wiki", "bookcorpus"],
            help="for people: of the short texts",
        ),
        argument("--outputs", type=Path, help="for people: write the outputs here"),
    )
    print_line({"benchmark": f"panda-{options.part}", **PARTS[options.part](options)})


if __name__ == "__main__":
    main()
