"""How well demographic references are rewritten: each part prints one JSON line.

    python benchmarks/panda.py gold [--gold FILE] [--tag TAG]
    python benchmarks/panda.py winobias|roundtrip|speed|read --data DIR
    python benchmarks/panda.py grammar --data DIR [--python PYTHON] [--seed N] [--limit N]
    python benchmarks/panda.py peers [--gold FILE] --python PYTHON
    python benchmarks/panda.py people --data DIR [--split dev] [--limit N]
        [--perturber NAME | --tags FILE] [--outputs FILE] [--peers --python PYTHON]

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
- speed: texts per CPU-second, over all texts and over those that hold a reference.
- peers: the gold items of the gender axis through AugLy, LangTest and langfair.
- people: the requests of PANDA beside people's rewrites; benchmarks/panda_people.py says how. A
  limit is one of originals there.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from augkit.augmenters.panda.perturb_request import PerturbRequest, join_segments, to_task
from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.core.types import Example, Rejection
from augkit.language.parser import SpacyParser

ROOT = Path(__file__).parent.parent
PRONOUNS = frozenset("he she him her his hers himself herself".split())
BATCH = 1_024
CORPORA = ("sst2", "snli", "rte")
READ = (
    ("rte", "train"),
    ("mrpc", "test"),
    ("fever", "test"),
    ("mnli", "train_10k"),
    ("anli", "test"),
    ("qnli", "dev"),
    ("fm2", "test"),
    ("paws", "test"),
)
TARGETS = {"gender": ("woman", "man"), "race": ("asian", "black"), "age": ("senior", "young")}


def rows(folder: Path, split: str) -> list[dict[str, Any]]:
    """The rows of a split, plain or gzipped."""
    plain = folder / f"{split}.jsonl"
    packed = folder / f"{split}.jsonl.gz"
    data = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
    return [json.loads(line) for line in data.decode("utf-8").splitlines()]


def texts(data: Path, name: str, split: str = "dev") -> list[str]:
    """The texts of a dataset, each side of a pair for itself, every one once."""
    keys = ("text", "text_a", "text_b")
    found = [row[key] for row in rows(data / name, split) for key in keys if key in row]
    return list(dict.fromkeys(found))


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


def winobias(options: argparse.Namespace) -> dict[str, Any]:
    """Pairs whose partner comes out letter for letter, both ways."""
    pairs: dict[str, list[dict[str, Any]]] = {}
    for split in ("dev", "test"):
        for row in rows(options.data / "bias" / "winobias", split):
            pairs.setdefault(row["pair_id"], []).append(row)
    right = total = 0
    wrong = []
    for pair in pairs.values():
        if len(pair) != 2 or not _differ_in_pronouns(pair[0]["text"], pair[1]["text"]):
            continue
        for one, other in (pair, pair[::-1]):
            output = _swapped(one)
            total += 1
            right += output == other["text"]
            if output != other["text"]:
                wrong.append((one["text"], output, other["text"]))
    show(options, wrong)
    return {"pairs_both_ways": total, "equal": round(right / total, 4)}


def _differ_in_pronouns(one: str, other: str) -> bool:
    left, right = one.split(), other.split()
    different = [(a, b) for a, b in zip(left, right, strict=False) if a != b]
    strip = ".,;:!?'\""
    return (
        len(left) == len(right)
        and bool(different)
        and all({a.strip(strip).lower(), b.strip(strip).lower()} <= PRONOUNS for a, b in different)
    )


def _swapped(row: dict[str, Any]) -> str:
    marked = row["marked"]
    place = next(
        i
        for i in range(len(marked))
        if marked[i] == "[" and marked[i + 1 : marked.find("]", i)].lower() in PRONOUNS
    )
    start = place - marked[:place].count("[") - marked[:place].count("]")
    word = marked[place + 1 : marked.find("]", place)]
    target = "woman" if word.lower() in {"he", "him", "his", "himself"} else "man"
    text = row["text"]
    place = (start, start + len(word))
    task = PerturbTask(Example({"text": text}), "text", *place, "gender", target, random.Random(0))
    answer = RulePerturber(SpacyParser()).perturb([task])[0]
    return answer.fields["text"] if isinstance(answer, Perturbed) else text


def roundtrip(options: argparse.Namespace) -> dict[str, Any]:
    """Changed share and texts that come back, per corpus and overall."""
    result: dict[str, Any] = {}
    sums = [0, 0, 0]
    failed = []
    for name in CORPORA:
        held, changed, back = 0, 0, 0
        for text, task, answer in first_changes(texts(options.data, name), "man", "woman"):
            held += 1
            if not isinstance(answer, Perturbed) or task is None:
                failed.append(("kept", text, answer.detail if answer else ""))
                continue
            changed += 1
            again = _back(task, answer)
            back += again == text
            if again != text:
                failed.append(("lost", text, answer.fields["text"], again))
        result[name] = {
            "held": held,
            "changed": _share(changed, held),
            "back": _share(back, changed),
        }
        sums = [a + b for a, b in zip(sums, (held, changed, back), strict=True)]
    show(options, failed)
    return {"changed": _share(sums[1], sums[0]), "back": _share(sums[2], sums[1]), **result}


def first_changes(
    some: Sequence[str], source: str, target: str
) -> Iterator[tuple[str, PerturbTask | None, Perturbed | Rejection | None]]:
    """For each text with a reference to ``source``: the first job that changes it, or the last."""
    rules = RulePerturber(SpacyParser())
    for start in range(0, len(some), BATCH):
        waiting = {}
        for text in some[start : start + BATCH]:
            found = [r for r in references({"text": text}, ["gender"]) if r.attribute == source]
            if found:
                waiting[text] = [(text, r.start, r.end) for r in found[:4]]
        done: dict[str, tuple[PerturbTask, Perturbed | Rejection]] = {}
        left = {text: list(places) for text, places in waiting.items()}
        while left:
            tasks = {text: _task(*places.pop(0), target) for text, places in left.items()}
            for (text, task), answer in zip(
                tasks.items(), rules.perturb([*tasks.values()]), strict=True
            ):
                done[text] = (task, answer)
            left = {
                text: places
                for text, places in left.items()
                if places and isinstance(done[text][1], Rejection)
            }
        for text in waiting:
            yield text, *done[text]


def _task(text: str, start: int, end: int, target: str) -> PerturbTask:
    return PerturbTask(
        Example({"text": text}), "text", start, end, "gender", target, random.Random(0)
    )


def _back(task: PerturbTask, answer: Perturbed) -> str:
    """The text after the chosen word was changed back."""
    edits = answer.edits or ()
    chosen = next((e for e in edits if e.start <= task.start < e.end), edits[0])
    start = chosen.start + sum(
        len(e.after) - len(e.before) for e in edits if e.start < chosen.start
    )
    back = _task(answer.fields["text"], start, start + len(chosen.after), "man")
    again = RulePerturber(SpacyParser()).perturb([back])[0]
    return again.fields["text"] if isinstance(again, Perturbed) else answer.fields["text"]


def grammar(options: argparse.Namespace) -> dict[str, Any]:
    """Errors that Harper finds in originals and in perturbed texts."""
    pairs = []
    some = [text for name in CORPORA for text in texts(options.data, name)]
    for source, target in (("man", "woman"), ("woman", "man"), ("man", "non-binary")):
        for text, _, answer in first_changes(some, source, target):
            if isinstance(answer, Perturbed):
                pairs.append((text, answer.fields["text"], target))
    random.Random(options.seed).shuffle(pairs)
    pairs = pairs[: options.limit or 5_000]
    kinds = linted(options.python, [text for pair in pairs for text in pair[:2]])
    before, after = ([sum(some.values()) for some in kinds[side::2]] for side in (0, 1))
    more = sum(kinds[1::2], Counter())
    more.subtract(sum(kinds[::2], Counter()))
    worse = [(*pair, b, a) for pair, b, a in zip(pairs, before, after, strict=True) if a > b]
    show(options, worse)
    return {
        "texts": len(pairs),
        "errors_before": sum(before),
        "errors_after": sum(after),
        "more_per_text": round((sum(after) - sum(before)) / max(1, len(pairs)), 4),
        "more_per_error": round((sum(after) - sum(before)) / max(1, sum(before)), 4),
        "texts_with_more": round(len(worse) / max(1, len(pairs)), 4),
        "more_by_kind": {kind: count for kind, count in sorted(more.items()) if count},
    }


HARPER = """
import json, sys
import harper
linter = harper.Linter()
for line in sys.stdin:
    text = json.loads(line)
    kinds = [str(lint.lint_kind) for lint in linter.lint(text)]
    print(json.dumps([kind for kind in kinds if kind != "Spelling"]), flush=True)
"""


def linted(python: str, some: Sequence[str]) -> list[Counter[str]]:
    """The faults other than unknown words that Harper finds in each text, by kind."""
    lines = "".join(json.dumps(text) + "\n" for text in some)
    found = subprocess.run(
        [python, "-c", HARPER], input=lines, capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise SystemExit(f"harper-py does not run in {python}: {found.stderr.strip()[-300:]}")
    return [Counter(json.loads(line)) for line in found.stdout.splitlines()]


def speed(options: argparse.Namespace) -> dict[str, Any]:
    """Texts per CPU-second for the whole job: find a reference, rewrite, make the edits."""
    sst2 = texts(options.data, "sst2")
    snli = list(dict.fromkeys(row["text_a"] for row in rows(options.data / "snli", "dev")))
    _timed(sst2[:100], ("woman", "man"))  # loads the word lists
    SpacyParser().parse(["This loads the pipeline."])
    gc.collect()
    gc.freeze()  # else one pass over what was loaded, 0.15 s, falls into some part or other
    result = {}
    for name, some in (("sst2", sst2), ("snli_premises", snli)):
        for targets in (("woman", "man"), ("non-binary",)):
            result[f"{name}_{'_'.join(targets)}"] = _timed(some, targets)
    return result


def _timed(some: Sequence[str], targets: Sequence[str]) -> dict[str, float]:
    rules, held, changed = RulePerturber(SpacyParser()), 0, 0
    began = time.process_time()
    for start in range(0, len(some), BATCH):
        tasks = []
        for text in some[start : start + BATCH]:
            found = [r for r in references({"text": text}, ["gender"]) if r.attribute != "mixed"]
            if found:
                target = next((t for t in targets if t != found[0].attribute), targets[0])
                tasks.append(_task(text, found[0].start, found[0].end, target))
        held += len(tasks)
        changed += sum(isinstance(a, Perturbed) for a in rules.perturb(tasks))
    seconds = time.process_time() - began
    return {
        "texts": len(some),
        "per_second": round(len(some) / seconds),
        "held": held,
        "per_second_of_held": round(held / seconds),
        "changed": changed,
    }


def read(options: argparse.Namespace) -> dict[str, Any]:
    """Nouns, adjectives and names of drawn texts that are changed, to be read: are they persons?"""
    draw = random.Random(options.seed)
    tasks = []
    for name, split in READ:
        some = [text for text in texts(options.data, name, split) if len(text) < 700]
        for text in draw.sample(some, min(len(some), 400)):
            for axis, targets in TARGETS.items():
                for r in references({"text": text}, [axis]):
                    target = next(one for one in targets if one != r.attribute)
                    if text[r.start : r.end].lower() not in PRONOUNS:
                        place = (r.start, r.end, axis, target)
                        tasks.append(
                            PerturbTask(Example({"text": text}), "text", *place, random.Random(0))
                        )
    tasks = draw.sample(tasks, min(len(tasks), options.limit or 5_000))
    answers = RulePerturber(SpacyParser()).perturb(tasks)
    for task, answer in zip(tasks, answers, strict=True):
        text = task.fields["text"]
        marked = f"{text[max(0, task.start - 50) : task.start]}[{task.word}]{text[task.end :][:50]}"
        if options.show:
            print(isinstance(answer, Perturbed), task.axis, marked, sep=" | ", file=sys.stderr)
    return {"read": len(tasks), "changed": sum(isinstance(a, Perturbed) for a in answers)}


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
    from panda_people import measure, read_rows
    from panda_tagger import RecordedTagger

    from augkit.augmenters.panda.config import PandaConfig
    from augkit.augmenters.panda.perturbers.seq2seq import Seq2SeqPerturber
    from augkit.augmenters.panda.perturbers.tagger import TaggerPerturber

    rules = RulePerturber(SpacyParser())
    path = options.data / "panda" / f"{options.split}.jsonl.gz"
    rows = read_rows(path, options.limit, options.seed)
    if options.tags:
        recorded = RecordedTagger(options.tags)
        perturber = TaggerPerturber(PandaConfig(), rules, recorded)
        found = {"choice": recorded.choice(rows), **measure(options, rows, perturber, scorer())}
        return {"perturber": "tagger", **found}
    config = PandaConfig(perturber=options.perturber)
    kinds = {"rules": lambda: rules, "tagger": lambda: TaggerPerturber(config, rules)}
    kinds["seq2seq"] = lambda: Seq2SeqPerturber(config)
    perturber = kinds[config.perturber]()
    return {"perturber": config.perturber, **measure(options, rows, perturber, scorer())}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def show(options: argparse.Namespace, some: Sequence[object]) -> None:
    """Print a sample of what went wrong to the error stream, where it is asked for."""
    for each in random.Random(0).sample(list(some), min(options.show, len(some))):
        print(each, file=sys.stderr)


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--data", type=Path, default=Path(data))
    parser.add_argument("--gold", type=Path, default=ROOT / "tests" / "gold" / "dev.jsonl")
    parser.add_argument("--tag", default="dev", help="rows of one origin; all: every row")
    parser.add_argument("--python", default=sys.executable, help="another environment's Python")
    parser.add_argument(
        "--limit", type=int, default=0, help="texts (grammar, read: 5,000 if not given)"
    )
    parser.add_argument("--seed", type=int, default=0, help="draws the texts of the grammar part")
    parser.add_argument("--show", type=int, default=0, help="print so many failures")
    parser.add_argument("--split", default="dev", help="the part of PANDA for people")
    parser.add_argument(
        "--perturber", default="rules", help="for people: rules, tagger:PATH or seq2seq:PATH"
    )
    parser.add_argument("--tags", type=Path, help="for people: tags by panda_tagger.py")
    parser.add_argument("--peers", action="store_true", help="for people: AugLy and langfair too")
    parser.add_argument("--outputs", type=Path, help="for people: write the outputs here")
    options = parser.parse_args()
    print(json.dumps({"benchmark": f"panda-{options.part}", **PARTS[options.part](options)}))


if __name__ == "__main__":
    main()
