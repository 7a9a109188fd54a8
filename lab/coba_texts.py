"""Sheets of coba's texts for readers who do not know which texts are variants, and their counts.

    python -m lab.coba_texts --data DIR --set yelp_sentences/train --rows 2000 --seed 7 --out FOLDER
    python -m lab.coba_texts --key FOLDER/key.json --verdicts FILE

The first draws variants and untouched originals by seed and writes ``sheet.jsonl`` (id and text
alone) and ``key.json``. A reader answers each text with a line: ``{"id": ..., "natural": true,
"label": "positive"}``; without a label where none is clear. The second prints how many variants and
originals are good: natural, with the label that they carry. Prints one JSON line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.core.types import Example, Pair, digest, example
from augkit.evaluation.statistics.intervals import share_bounds
from lab.coba_imdb import read
from lab.command_line import argument, arguments, print_line


def sampled(folder: Path, name: str, rows: int, seed: int) -> list[Example]:
    """So many rows of a set, drawn by seed."""
    drawn = Random(seed).sample(read(folder, name), rows)
    return [example(_fields(row), row["label"]) for row in drawn]


def _fields(row: dict[str, Any]) -> str | dict[str, str]:
    if "text" in row:
        return str(row["text"])
    return {"premise": row["text_a"], "hypothesis": row["text_b"]}


def shown(row: Example) -> str:
    """The text as a reader sees it."""
    if len(row.fields) == 1:
        return next(iter(row.fields.values()))
    return " ".join(f"{name.upper()}: {text}" for name, text in row.fields.items())


def draw(rows: Sequence[Example], seed: int, variants: int, originals: int) -> list[dict[str, Any]]:
    """The entries of a sheet with their answers: variants of some rows, and other rows."""
    pairs = Coba(CobaConfig(seed=seed)).fit(rows)(rows)
    rng = Random(seed)
    of_row: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.provenance.contract == "flipped" or len(pair.original.fields) > 1:
            of_row.setdefault(pair.original.id, []).append(pair)
    chosen = rng.sample(sorted(of_row), variants)
    entries = [_entry(rng.choice(of_row[key]).variant, "variant", key) for key in chosen]
    untouched = [row for row in rows if row.id not in set(chosen)]
    entries += [_entry(row, "original", row.id) for row in rng.sample(untouched, originals)]
    rng.shuffle(entries)
    return [{**entry, "rows": len(rows), "rows_with_variant": len(of_row)} for entry in entries]


def _entry(row: Example, kind: str, parent: str) -> dict[str, Any]:
    text = shown(row)
    key = digest(kind, parent, text)[:12]
    return {"id": key, "kind": kind, "row": parent, "label": row.label, "text": text}


def write(entries: Sequence[dict[str, Any]], folder: Path) -> None:
    """The sheet, and apart from it the key, which has no texts."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"id": e["id"], "text": e["text"]}) + "\n" for e in entries]
    (folder / "sheet.jsonl").write_text("".join(lines), encoding="utf-8")
    key = {e["id"]: {k: v for k, v in e.items() if k not in {"id", "text"}} for e in entries}
    (folder / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")


def score(key: dict[str, Any], verdicts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of variants and of originals: how many were read, and how many are good.

    >>> key = {"a": {"kind": "variant", "label": "positive"}}
    >>> score(key, [{"id": "a", "natural": True, "label": "positive"}])["variant"]["good"]
    1
    """
    counted: dict[str, Any] = {}
    for kind in ("variant", "original"):
        read_here = [v for v in verdicts if key[v["id"]]["kind"] == kind]
        good = [v for v in read_here if v["natural"] and v.get("label") == key[v["id"]]["label"]]
        counted[kind] = {"read": len(read_here), "good": len(good)}
        if read_here:
            low, high = share_bounds(len(good), len(read_here))
            counted[kind] |= {"low": round(100 * low, 1), "high": round(100 * high, 1)}
    return counted


def main() -> None:
    """Draw a sheet, or count the verdicts on one."""
    given = arguments(
        __doc__,
        argument("--data", type=Path),
        argument("--set", default="yelp_sentences/train"),
        argument("--rows", type=int, default=2000),
        argument("--seed", type=int, default=7),
        argument("--variants", type=int, default=120),
        argument("--originals", type=int, default=30),
        argument("--out", type=Path),
        argument("--key", type=Path),
        argument("--verdicts", type=Path),
    )
    if given.key is not None:
        key = json.loads(given.key.read_text(encoding="utf-8"))
        lines = given.verdicts.read_text(encoding="utf-8").splitlines()
        verdicts = [json.loads(line) for line in lines if line]
        print_line({"benchmark": "coba_texts", **score(key, verdicts)})
        return
    rows = sampled(given.data, given.set, given.rows, given.seed)
    entries = draw(rows, given.seed, given.variants, given.originals)
    write(entries, given.out)
    share = round(100 * entries[0]["rows_with_variant"] / len(rows), 1)
    print_line({"benchmark": "coba_texts", "set": given.set, "rows with a variant, %": share})


if __name__ == "__main__":
    main()
