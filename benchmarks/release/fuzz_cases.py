"""The inputs of ``fuzz_inputs.py``: one number of a seed is one file and a way to read it.

Half of the kinds are made wrong on purpose (aliases of aliases, cells too many, metadata that is
no JSON), the others are real files of every format with random changes.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

DEMO = Path(__file__).parents[2] / "augkit" / "datasets" / "demo"
PROMPTS = Path(__file__).parents[2] / "augkit" / "prompts"
# fmt: off
ODD_TEXTS = [
    "", " ", "\n", "\r\n", "\0", "a\0b", "\t", '"', "'", '""', ",", ";", "|", "#", "-", "\\", "{",
    "[", "[]", "{}", "null", "NaN", "true", "None", "-1", "1e999", "\ud800", "\ufeff", "\u2028",
    "😀", "👩‍👩‍👧", "שלום", "مرحبا", "東京", "\u202etxt", "a\u200bb", "\x85", "\x1b[31m",
    "<b>x</b>", "{{ x }}", "{% for %}", "../../etc", "%s", "x" * 5000, "word " * 400, "0" * 40,
    "-DOCSTART-",
]
# fmt: on
ODD_NUMBERS = [0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308, 5e-324]
NAMES = (
    "text label premise hypothesis evidence claim id prompt chosen rejected options choices answer "
    "answerKey response_a response_b winner judge gold completions scores tokens tags entities "
    "messages context question answers title score weight group augkit_id sentence review class"
).split()
NAMES += ["", " ", "naïve", "Text", "a\nb", "a,b"]
METHODS = ["eda", "swap", "random-edit", "mask-words"]


@dataclass(frozen=True)
class Case:
    """A file and how it is read."""

    kind: str
    name: str
    content: bytes
    reader: str
    options: dict[str, Any] = field(default_factory=dict)


def case_of(seed: int, number: int) -> Case:
    """The input with a number; the same for the same seed."""
    rng = Random(f"{seed}:{number}")
    kinds = KINDS if rng.random() < 0.995 else RARE
    kind = rng.choice(list(kinds))
    return Case(kind, *kinds[kind](rng))


Made = tuple[str, bytes, str, dict[str, Any]]


# --- values ------------------------------------------------------------------------------------


def odd_value(rng: Random, depth: int = 3) -> Any:
    """Anything that JSON can hold."""
    pick = rng.random()
    if pick < 0.35:
        return rng.choice(ODD_TEXTS)
    if pick < 0.5:
        return rng.choice(ODD_NUMBERS)
    if pick < 0.65:
        return rng.choice([None, True, False, float("nan"), float("inf"), [], {}, [[]], [None]])
    if pick < 0.8:
        return real_text(rng)
    if not depth:
        return None
    parts = [odd_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if rng.random() < 0.5:
        return parts
    return {rng.choice(NAMES): part for part in parts}


@cache
def demo_rows() -> dict[str, list[dict[str, Any]]]:
    """The first rows of every bundled dataset."""
    rows = {}
    for path in sorted(DEMO.glob("*/train.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()[:60]
        rows[path.parent.name] = [json.loads(line) for line in lines]
    return rows


def real_text(rng: Random) -> str:
    """A text of a bundled dataset."""
    row = rng.choice(demo_rows()["reviews-demo"])
    return str(row["text"])


def _pair(rng: Random) -> tuple[str, str]:
    return real_text(rng), real_text(rng) + " Indeed."


def _chat(*texts: str) -> list[dict[str, str]]:
    return [
        {"role": "assistant" if number % 2 else "user", "content": text}
        for number, text in enumerate(texts)
    ]


def _row_of_shape(rng: Random, shape: str) -> dict[str, Any]:
    first, second = _pair(rng)
    question = "Which is it?"
    if shape in demo_rows():
        return dict(rng.choice(demo_rows()[shape]))
    words = first.split()
    return {
        "chats": {
            "chosen": _chat(question, first),
            "rejected": _chat(question, second),
        },
        "sides": {"prompt": question, "chosen": [first, "a"], "rejected": [second]},
        "options": {"question": question, "options": [first, second, "c"], "answer": "B"},
        "numbers": {"question": question, "choices": [first, second], "answer": 1},
        "arc": {
            "question": question,
            "choices": {"text": [first, second], "label": ["A", "B"]},
            "answerKey": "A",
        },
        "truthful": {"question": question, "mc1_targets": {"choices": words[:3], "labels": [1, 0]}},
        "columns": {"question": question, "option_a": first, "option_b": second, "answer": "a"},
        "letters": {"question": question, "A": first, "B": second, "C": "c", "answer": "C"},
        "verdicts": {
            "prompt": question,
            "response_a": first,
            "response_b": second,
            "winner": rng.choice(["model_a", "model_b", "tie", "a", "B"]),
            "judge": "gpt",
            "gold": "model_a",
        },
        "scored": {"prompt": question, "completions": [first, second], "scores": [0.5, 3]},
        "objects": {
            "prompt": question,
            "responses": [{"text": first, "score": 1}, {"text": second, "score": 2}],
        },
        "tagged": {"tokens": words, "tags": ["O"] * (len(words) - 1) + ["B-PER"]},
        "spans": {"text": first, "entities": [{"start": 0, "end": 3, "label": "X"}]},
        "squad": {
            "question": question,
            "context": first,
            "answers": {"text": [first[:4]], "answer_start": [0]},
        },
        "messages": {"messages": _chat(first, second), "label": "a"},
        "label-numbers": {"text": first, "label": rng.randrange(2)},
    }[shape]


CHOICES = (
    "pairs-demo chats sides options numbers arc truthful columns letters verdicts scored objects"
).split()
LABELLED = "reviews-demo nli-demo claims-demo messages label-numbers squad spans tagged".split()


def rows_of(rng: Random, shapes: list[str]) -> list[dict[str, Any]]:
    """Rows of one shape, of which some cells or keys are others."""
    shape = rng.choice(shapes)
    rows = [_row_of_shape(rng, shape) for _ in range(rng.choice([1, 2, 5, 12]))]
    for row in rows:
        for name in list(row):
            if rng.random() < 0.08:
                row[name] = odd_part(rng, row[name])
            elif rng.random() < 0.02:
                del row[name]
        if rng.random() < 0.06:
            row[rng.choice(NAMES)] = odd_value(rng)
    return rows


def odd_part(rng: Random, value: Any) -> Any:
    """A value, or a part of it, replaced by another."""
    if isinstance(value, list) and value and rng.random() < 0.6:
        place = rng.randrange(len(value))
        return [*value[:place], odd_part(rng, value[place]), *value[place + 1 :]]
    if isinstance(value, dict) and value and rng.random() < 0.6:
        key = rng.choice(list(value))
        return {**value, key: odd_part(rng, value[key])}
    return odd_value(rng)


def mutated(rng: Random, content: bytes) -> bytes:
    """Some bytes changed, removed, repeated, or put in from a list of what has done harm."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if not data:
            data += b"x"
        place = rng.randrange(len(data))
        end = min(len(data), place + rng.choice([1, 1, 2, 8, 64, 512]))
        change = rng.randrange(7)
        if change == 0:
            data[place] ^= 1 << rng.randrange(8)
        elif change == 1:
            data[place] = rng.randrange(256)
        elif change == 2:
            del data[place:end]
        elif change == 3:
            data[place:place] = data[place:end] * rng.choice([1, 2, 50])
        elif change == 4:
            data[place:place] = rng.choice(_HARM)
        elif change == 5:
            data[place:end] = rng.choice(_HARM)
        else:
            del data[place:]
    return bytes(data)


# fmt: off
_HARM = [
    *(text.encode("utf-8", "surrogatepass") for text in ODD_TEXTS),
    b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\0" * 40,
    b"1" * 5000, b"[" * 2000, b'{"a":' * 2000, b"\r", b"\n", b"\n\n", b"\x1a", b"PAR1", b"PK",
    b"\x1f\x8b", b"&a ", b"*a", b"<<: *a", b"!!int ", b"!!python/object:os.system ", b"? ", b"---",
    b"- ", b": ", b"%YAML 1.1\n", b"%TAG ! tag:x,1:\n", b"|\n", b">-\n", b"@", b"`", b"\\u0000",
    b"\\ud800", b"Infinity", b"-0", b"1e5000", b"\t", b"''", b'"', b"&a [*a]", b"~", b"\x7f",
]
# fmt: on


# --- files of rows -----------------------------------------------------------------------------


def json_lines(rng: Random, rows: list[dict[str, Any]]) -> bytes:
    """The rows as JSON Lines."""
    end = rng.choice(["\n", "\n", "\r\n", "\n\n", "\r"])
    plain = rng.random() < 0.5
    return end.join(json.dumps(row, ensure_ascii=plain) for row in rows).encode(
        "utf-8", "surrogatepass"
    )


def table(rng: Random, rows: list[dict[str, Any]], delimiter: str) -> bytes:
    """The rows as a table, some of them with cells too many or too few."""
    out = io.StringIO()
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(out, delimiter=delimiter, lineterminator=rng.choice(["\n", "\r\n", "\r"]))
    lines = [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]
    for cells in lines:
        if rng.random() < 0.03:
            cells.extend([rng.choice(ODD_TEXTS)] * rng.choice([1, 3, 500]))
        if cells and rng.random() < 0.03:
            cells.pop()
        writer.writerow([cell.replace("\0", "") for cell in cells])
    encoding = rng.choice(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
    return out.getvalue().encode(encoding, "surrogatepass")


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


def conll(rng: Random) -> bytes:
    """Sentences with a token and a tag on each line."""
    lines = ["-DOCSTART- -X- O", ""] if rng.random() < 0.3 else []
    separator = rng.choice([" ", "\t", "  "])
    for _ in range(rng.randrange(1, 6)):
        for word in real_text(rng).split():
            tag = rng.choice(["O", "B-PER", "I-PER", "S-LOC", "O", "X", ""])
            cells = [word, "NN", tag][: rng.choice([3] * 30 + [1, 2])]
            lines.append(separator.join(cells))
        lines.append("")
    return "\n".join(lines).encode()


def reading(rng: Random, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Options of reading, most of them none."""
    columns = [name for row in rows for name in row] or ["text"]
    options: dict[str, Any] = {}
    if rng.random() < 0.25:
        options["text_columns"] = [rng.choice(columns) for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < 0.2:
        options["label_column"] = rng.choice([*columns, *NAMES[:4]])
    if rng.random() < 0.08:
        options["id_column"] = rng.choice(columns)
    if rng.random() < 0.1:
        options["span_columns"] = [rng.choice(columns)]
    if rng.random() < 0.06:
        options["answer_columns"] = [rng.choice(columns)]
    if rng.random() < 0.05:
        options["tag_names"] = ["O", "B-PER", "I-PER"]
    if rng.random() < 0.1:
        options["quotes"] = False
    if rng.random() < 0.1:
        options["choices"] = True
    if rng.random() < 0.05:
        options["max_cell"] = 1
    return options


def _reader(rng: Random, usual: str) -> str:
    """How a file of rows is read: mostly by a reader, now and then by a whole command."""
    pick = rng.random()
    return (
        "check" if pick < 0.04 else "estimate" if pick < 0.05 else "run" if pick < 0.06 else usual
    )


def _rows_file(
    shapes: list[str], usual: str, ending: str, change: bool
) -> Callable[[Random], Made]:
    def make(rng: Random) -> Made:
        rows = rows_of(rng, shapes)
        if ending == "jsonl":
            content = json_lines(rng, rows)
        elif ending == "json":
            content = json.dumps(rows, indent=rng.choice([None, 1])).encode()
        else:
            content = table(rng, rows, "\t" if ending == "tsv" else rng.choice(",,,;|"))
        content = mutated(rng, content) if change else content
        return f"fuzzed.{ending}", content, _reader(rng, usual), reading(rng, rows)

    return make


def _gzipped(rng: Random) -> Made:
    name, content, reader, options = KINDS[rng.choice(["jsonl bytes", "csv bytes"])](rng)
    packed = gzip.compress(content, 1, mtime=0)
    packed = mutated(rng, packed) if rng.random() < 0.7 else packed + packed[: rng.randrange(40)]
    return f"{name}.gz", packed, reader, options


@cache
def _member(text: bytes) -> bytes:
    return gzip.compress(text * ((1 << 20) // len(text)), 9, mtime=0)


def _bomb(rng: Random) -> Made:
    """A small gzip file of one line, cell or array of gigabytes."""
    ending = rng.choice(["jsonl", "json", "csv", "tsv", "conll"])
    start = {
        "jsonl": b'{"text": "',
        "json": rng.choice([b"[", b'[{"text": "']),
        "csv": rng.choice([b"text,label\n", b'text,label\n"', b""]),
        "tsv": b"text\tlabel\n",
        "conll": b"",
    }[ending]
    filling = rng.choice([b"a", b" ", b"\0", b"[],", b"ab ", b"{", b'""', b"a,", b"0"])
    size = rng.choice([40, 300, 4096])
    content = gzip.compress(start, mtime=0) + _member(filling) * size
    return f"fuzzed.{ending}.gz", content, "load", {}


def _deep(rng: Random) -> Made:
    """Values inside values, as deep as an interpreter bears and deeper."""
    depth = rng.choice([20, 99, 101, 120, 250, 330, 500, 900, 990, 1020, 3000, 100_000])
    opened, closed = rng.choice([("[", "]"), ('{"a":', "}"), ('[{"role":', "}]")])
    inside = rng.choice(["1", '"x"', ""]) if opened == "[" else "1"
    value = opened * depth + inside + closed * depth
    column = rng.choice(["extra", "label", "text", "entities", "tokens", "messages", "options"])
    rest = {"text": "some words", "label": "a", "answer": 1}
    rest.pop(column, None)
    line = f"{json.dumps(rest)[:-1]}, {json.dumps(column)}: {value}}}"
    if rng.random() < 0.3:  # as a text that may be read as JSON
        line = json.dumps(rest | {column: value})
    ending = rng.choice(["jsonl", "json"])
    content = f"[{line}]" if ending == "json" else line + "\n"
    options = rng.choice([{}, {"span_columns": [column]}, {"text_columns": [column]}])
    return (
        f"fuzzed.{ending}",
        content.encode(),
        _reader(rng, rng.choice(["load", "choices"])),
        options,
    )


def _long_number(rng: Random) -> Made:
    digits = rng.choice("19") * rng.choice([15, 16, 17, 19, 20, 400, 4299, 4301, 9000])
    number = rng.choice(["", "-", "0."]) + digits + rng.choice(["", "", "e5", "e999999"])
    column = rng.choice(["extra", "label", "id", "answer", "text"])
    row = {"text": "some words", "options": ["a", "b"], column: 0}
    line = json.dumps(row).replace('": 0', f'": {number}')
    options = {"id_column": "id"} if column == "id" else {}
    return "fuzzed.jsonl", line.encode(), _reader(rng, rng.choice(["load", "choices"])), options


def _wide(rng: Random) -> Made:
    """Very many columns."""
    count = rng.choice([1000, 20_000, 100_000])
    ending = rng.choice(["csv", "tsv", "jsonl"])
    names = [f"c{number}" for number in range(count)] + rng.choice([[], ["text", "label"], ["c1"]])
    if ending == "jsonl":
        content = json.dumps(dict.fromkeys(names, "a")).encode()
    else:
        sign = "," if ending == "csv" else "\t"
        cells = ["a"] * (len(names) + rng.choice([0, 0, 1]))
        content = f"{sign.join(names)}\n{sign.join(cells)}\n".encode()
    return f"fuzzed.{ending}", content, rng.choice(["load", "choices"]), {}


def _conll(rng: Random) -> Made:
    content = conll(rng)
    name = rng.choice(["fuzzed.conll", "fuzzed.bio", "fuzzed.iob2"])
    options = rng.choice([{}, {}, {"span_columns": ["tags"]}, {"text_columns": ["tags"]}])
    return name, mutated(rng, content) if rng.random() < 0.6 else content, "load", options


# --- parquet -----------------------------------------------------------------------------------


def _metadata(rng: Random) -> bytes:
    """What ``datasets`` would write under "huggingface", and what it would not."""
    feature = rng.choice(
        [{"_type": "ClassLabel", "names": ["a", "b"]}, {"_type": "ClassLabel"}, None, [], "x", 5]
        + [
            {"_type": "ClassLabel", "names": names}
            for names in (None, "ab", [1, None], 5, {}, [[]])
        ]
        + [{"feature": {"_type": "ClassLabel", "names": ["a"]}}, {"feature": None, "_type": []}]
        + [{"_type": {}, "feature": [1]}, {"names": ["a", "b"]}, odd_value(rng)]
    )
    features = rng.choice([{"label": feature}, [feature], None, "x", 5, {"label": feature, "": 1}])
    info = rng.choice([{"features": features}] * 6 + [None, [], 5, "x", {}])
    whole = rng.choice([{"info": info}] * 8 + [None, [], 5, "x", {}, odd_value(rng)])
    written = json.dumps(whole).encode()
    odd = [
        b"",
        b"{",
        b"\xff\xfe{}",
        b"[" * 3000,
        b"[" * 200_000,
        b"1" * 6000,
        b"\xed\xa0\x80",
        b"NaN",
    ]
    deep = b'{"info": {"features": {"label": ' + b'{"feature": ' * 2000 + b"1" + b"}" * 2003
    return rng.choice([written] * 8 + odd + [deep])


def _arrow_column(rng: Random, count: int) -> Any:
    import pyarrow as pa

    message = pa.struct([("role", pa.string()), ("content", pa.string())])
    kinds = [pa.string(), pa.large_string(), pa.binary(), pa.int64(), pa.uint64(), pa.float16()]
    kinds += [pa.bool_(), pa.null(), pa.date32(), pa.date64(), pa.timestamp("ns")]
    kinds += [pa.timestamp("us", "UTC"), pa.timestamp("us", "Nowhere/There"), pa.duration("s")]
    kinds += [pa.time64("us"), pa.decimal128(38, 10), pa.list_(pa.string()), pa.list_(pa.int64())]
    kinds += [pa.map_(pa.string(), pa.string()), pa.map_(pa.int64(), pa.list_(pa.string()))]
    kinds += [pa.struct([("text", pa.string()), ("label", pa.int64())]), pa.list_(message)]
    kinds += [
        pa.dictionary(pa.int32(), pa.string()),
        pa.binary(4),
        pa.float64(),
        pa.timestamp("ms"),
    ]
    kind = rng.choice(kinds)
    return pa.array([_arrow_value(rng, kind) for _ in range(count)], kind)


def _arrow_value(rng: Random, kind: Any) -> Any:  # noqa: C901 - a case for each type
    import pyarrow as pa

    types = pa.types
    if rng.random() < 0.15 or types.is_null(kind):
        return None
    if types.is_string(kind) or types.is_large_string(kind):
        return rng.choice(ODD_TEXTS).replace("\ud800", "")
    if types.is_dictionary(kind):
        return rng.choice(["a", "b"])
    if types.is_binary(kind):
        return rng.choice([b"", b"\xff\xfe", b"text", b"\0"])
    if types.is_fixed_size_binary(kind):
        return b"\xff\0ab"
    if types.is_boolean(kind):
        return rng.random() < 0.5
    if types.is_floating(kind):
        return rng.choice([0.5, float("nan"), float("inf"), -0.0, 1.0])
    if types.is_decimal(kind):
        return rng.choice([0, 5, -7])
    if types.is_map(kind):
        parts = [kind.key_type, kind.item_type]
        return [tuple(_filled(rng, part) for part in parts) for _ in range(rng.randrange(3))]
    if types.is_list(kind):
        return [_arrow_value(rng, kind.value_type) for _ in range(rng.randrange(3))]
    if types.is_struct(kind):
        return {part.name: _arrow_value(rng, part.type) for part in kind}
    return _arrow_number(rng, kind)


def _arrow_number(rng: Random, kind: Any) -> int:
    """Dates and times are numbers here, so that they can be out of every range."""
    if kind.bit_width == 32:
        return rng.choice([0, 1, -1, 20_000, 2**31 - 1, -(2**31)])
    if str(kind).startswith("date64"):
        return rng.choice([0, 86_400_000, 86_400_000 * 10**9, -86_400_000 * 10**9])
    if str(kind).startswith("time64"):
        return rng.choice([0, 1, 86_399_999_999])
    if str(kind).startswith("uint"):
        return rng.choice([0, 1, 2**64 - 1])
    return rng.choice([0, 1, -1, 2**62, -(2**62), 2**63 - 1])


def _filled(rng: Random, kind: Any) -> Any:
    value = _arrow_value(rng, kind)
    return "k" if value is None and "string" in str(kind) else 0 if value is None else value


def _parquet(rng: Random, *, odd_metadata: bool, odd_columns: bool) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = rows_of(rng, ["reviews-demo", "nli-demo"])
    count = len(rows)
    columns = {"text": pa.array([real_text(rng) for _ in rows], pa.string())}
    columns["label"] = pa.array([rng.randrange(2) for _ in rows], pa.int64())
    for _ in range(rng.randrange(1, 4) if odd_columns else 0):
        name = rng.choice([*NAMES, "text", "label", "label"])
        columns[name] = _arrow_column(rng, count)
    built = pa.table(columns)
    if odd_metadata:
        built = built.replace_schema_metadata({"huggingface": _metadata(rng)})
    sink = io.BytesIO()
    codec = rng.choice(["none", "snappy", "gzip", "zstd"])
    pq.write_table(built, sink, compression=codec, use_dictionary=rng.random() < 0.5)
    return sink.getvalue()


def _parquet_metadata(rng: Random) -> Made:
    content = _parquet(rng, odd_metadata=True, odd_columns=rng.random() < 0.3)
    return "fuzzed.parquet", content, _reader(rng, "load"), reading(rng, [{"text": 0, "label": 0}])


def _parquet_types(rng: Random) -> Made:
    content = _parquet(rng, odd_metadata=False, odd_columns=True)
    options = reading(rng, [{"text": 0, "label": 0, "extra": 0}])
    return "fuzzed.parquet", content, _reader(rng, rng.choice(["load", "choices"])), options


def _parquet_bytes(rng: Random) -> Made:
    content = _parquet(rng, odd_metadata=rng.random() < 0.3, odd_columns=rng.random() < 0.5)
    if rng.random() < 0.5:  # the footer, which says where everything is
        length = int.from_bytes(content[-8:-4], "little")
        start = max(4, len(content) - 8 - length)
        content = content[:start] + mutated(rng, content[start:-8]) + content[-8:]
    else:
        content = mutated(rng, content)
    return "fuzzed.parquet", content, "load", {}


def _docbin(rng: Random) -> Made:
    return "fuzzed.spacy", mutated(rng, _docs()), "load", {}


@cache
def _docs() -> bytes:
    import spacy
    from spacy.tokens import DocBin

    nlp = spacy.blank("en")
    return DocBin(docs=[nlp(text) for text in ("One film.", "Another one.")]).to_bytes()


# --- settings ----------------------------------------------------------------------------------

RUN = """method: eda
dataset: reviews-demo
seed: 3
mix: append
options: {alpha: 0.2, copies: 2}
text_gates: {}
connection:
  budget: 3calls
"""
SWEEP = """name: small
datasets: [reviews-demo]
seeds: [0, 1]
methods:
  - method: eda
    grid: {alpha: [0.1, 0.2]}
  - swap
"""
CONTRACT = """alpha: 0.05
tokens: {limit: 0.6}
length: false
duplicates: {limit: 0.1}
forbidden_words: {words: [foo]}
"""
EXAMPLES = """paraphrase/rewrite:
  - inputs: {text: A fine film.}
    answer:
      words: [{old: fine, new: good}]
      text: A good film.
"""
PRICES = "as_of: 2026-01-01\nmodels:\n  gpt-4o: {input: 2.5, output: 10}\n"
LEXICON = """adjective:
  - aspect: price
    positive: affordable inexpensive* reasonable?*
    negative: overpriced expensive?*
verb:
  - aspect: liking
    positive: love enjoy
    negative: hate
"""
BASELINE = (
    '{"version": 1, "shortcuts": [\n  {"check": "words", "field": "text", "feature": "good", '
    '"label": "a", "value": 0.5}\n]}\n'
)
SCRIPT = '{"match": "", "reply": "Some other words."}\n{"match": "x", "reply": {"text": "y"}}\n'
FEATURES = '{"label": "entailment", "patterns": [{"pattern": "(dog, animal)", "rows": 3}]}\n'


@cache
def _prompt_files() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(PROMPTS.rglob("*.yaml"))]


SETTINGS = {
    "config": RUN,
    "sweep": SWEEP,
    "contract": CONTRACT,
    "examples": EXAMPLES,
    "prices": PRICES,
    "lexicon": LEXICON,
}
"""Reader → a right file of settings."""
JSON_FILES = {"baseline": BASELINE, "scripted": SCRIPT, "features": FEATURES}


def right_inputs() -> list[tuple[str, str, bytes]]:
    """Reader, name and content of inputs that are as they should be."""
    rows = {
        name: "".join(json.dumps(row) + "\n" for row in demo_rows()[name]).encode()
        for name in ("reviews-demo", "pairs-demo")
    }
    labelled, pairs = rows["reviews-demo"], rows["pairs-demo"]
    prompt = (PROMPTS / "paraphrase" / "rewrite.yaml").read_bytes()
    docs = [("load", "fuzzed.spacy", _docs())] if find_spec("spacy") else []
    return [
        *docs,
        *((reader, "fuzzed.jsonl", labelled) for reader in ("load", "check", "estimate", "run")),
        *((reader, "fuzzed.jsonl", pairs) for reader in ("choices", "check")),
        *((reader, "fuzzed.yaml", text.encode()) for reader, text in SETTINGS.items()),
        *((reader, "fuzzed.jsonl", text.encode()) for reader, text in JSON_FILES.items()),
        ("prompt", "fuzzed.yaml", prompt),
    ]


def _settings_text(rng: Random) -> tuple[str, str]:
    """The reader of a file of settings, and a right one."""
    reader = rng.choice([*SETTINGS, "prompt"])
    return reader, rng.choice(_prompt_files()) if reader == "prompt" else SETTINGS[reader]


def _yaml_bytes(rng: Random) -> Made:
    reader, text = _settings_text(rng)
    return "fuzzed.yaml", mutated(rng, text.encode()), reader, {}


@cache
def _as_json(text: str) -> str:
    import yaml

    return json.dumps(yaml.safe_load(text), default=str)


def _yaml_values(rng: Random) -> Made:
    """A right file of settings with other values, as JSON, which is YAML."""
    import yaml

    reader, text = _settings_text(rng)
    values = json.loads(_as_json(text))
    for _ in range(rng.choice([1, 1, 2, 3])):
        values = odd_part(rng, values)
    if rng.random() < 0.5:
        return "fuzzed.yaml", json.dumps(values).encode(), reader, {}
    written = yaml.safe_dump(values, allow_unicode=rng.random() < 0.5)
    return "fuzzed.yaml", written.encode("utf-8", "surrogatepass"), reader, {}


def _aliases(size: int) -> str:
    """Lists of ten aliases of lists of ten aliases."""
    return "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 10)}]\n"
        for n in range(min(size, 30))
    )


_ADDITIONS: list[str | Callable[[int], str]] = [
    _aliases,
    lambda size: f"a: {'[' * size}\n",
    lambda size: f"a: {'[' * size}{']' * size}\n",
    lambda size: f"a: {'{a: ' * size}1{'}' * size}\n",
    lambda size: "\n".join(" " * n + "a:" for n in range(min(size, 1000))) + "\n",
    lambda size: "- " * min(size, 2000) + "a\n",
    lambda size: "? " * min(size, 2000) + "a\n",
    lambda size: f"a: {'9' * size}\n",
    lambda size: f"a: 0x{'f' * size}\n",
    lambda size: f"a: 1{'_0' * size}\n",
    lambda size: f"a: 1e{'9' * min(size, 999)}\n",
    lambda size: "a: |\n" + "  x\n" * size,
    lambda size: f"a: {'x' * size}\n",
    lambda size: f"{'x' * size}: 1\n",
    lambda size: "".join(f"k{n}: {n}\n" for n in range(size)),
]
_ADDITIONS += ["a: &a [1, *a]\n", "a: &a {b: *a}\n", "a: &a\n  <<: *a\n", "<<: {a: 1}\n"]
_ADDITIONS += ["a: &a {x: 1}\nb: {<<: *a}\n", "? [1, 2]\n: x\n", "? {a: 1}\n: x\n", "a: 1\na: 2\n"]
_ADDITIONS += ["a: &a x\n*a : y\n", "a: !!python/object/apply:os.system [ls]\n", "a: !!binary x\n"]
_ADDITIONS += ["!!map [1]\n", "--- 1\n--- 2\n", "a:\n\tb: 1\n", "\ufeffa: 1\n", "a: \x07\n"]
_ADDITIONS += [
    f"{key}: x\n" for key in ("~", "null", "1", "true", "0.5", ".nan", "''", "2020-01-01")
]
_ADDITIONS += [
    f"a: !!{tag} foo\n" for tag in ("int", "timestamp", "bool", "map", "float", "set", "x")
]


def _yaml_structure(rng: Random) -> Made:
    """Anchors, merge keys, keys that are no texts, tags, long numbers, and depth."""
    reader, text = _settings_text(rng)
    addition = rng.choice(_ADDITIONS)
    if callable(addition):
        addition = addition(rng.choice([3, 30, 120, 2000, 20_000]))
    head, _, tail = text.partition("\n")
    changed = rng.choice(
        [
            addition,
            text + addition,
            f"{head}\n{addition}{tail}",
            addition + text,
            f"{head}\n{tail.replace(': ', ': &a ', 1)}\nz: *a\n",
        ]
    )
    encoding = rng.choice(["utf-8"] * 8 + ["utf-16", "utf-32", "utf-8-sig", "utf-16-le"])
    return "fuzzed.yaml", changed.encode(encoding, "surrogatepass"), reader, {}


def _json_files(rng: Random) -> Made:
    reader = rng.choice(list(JSON_FILES))
    text = JSON_FILES[reader]
    pick = rng.random()
    if pick < 0.5:
        content = mutated(rng, text.encode())
    elif pick < 0.8:
        lines = [json.loads(line) for line in text.splitlines()] if reader != "baseline" else []
        values = [odd_part(rng, value) for value in lines or [json.loads(text)]]
        content = "\n".join(map(json.dumps, values)).encode()
    else:
        depth = rng.choice([50, 150, 900, 5000, 200_000])
        deep = rng.choice(["[" * depth, "[" * depth + "]" * depth, '{"a":' * depth, "1" * depth])
        content = rng.choice([deep, text.replace('"a"', deep).replace('""', deep)]).encode()
    ending = "json" if reader == "baseline" else "jsonl"
    return f"fuzzed.{ending}", content, reader, {}


KINDS: dict[str, Callable[[Random], Made]] = {
    "jsonl values": _rows_file(LABELLED, "load", "jsonl", change=False),
    "jsonl bytes": _rows_file(LABELLED, "load", "jsonl", change=True),
    "json array": _rows_file([*LABELLED, *CHOICES], "load", "json", change=False),
    "json array bytes": _rows_file([*LABELLED, *CHOICES], "load", "json", change=True),
    "csv cells": _rows_file(LABELLED, "load", "csv", change=False),
    "csv bytes": _rows_file(LABELLED, "load", "csv", change=True),
    "tsv cells": _rows_file(LABELLED, "load", "tsv", change=False),
    "tsv bytes": _rows_file(LABELLED, "load", "tsv", change=True),
    "choices values": _rows_file(CHOICES, "choices", "jsonl", change=False),
    "choices bytes": _rows_file(CHOICES, "choices", "jsonl", change=True),
    "choices csv": _rows_file(CHOICES, "choices", "csv", change=False),
    "gzip": _gzipped,
    "depth": _deep,
    "numbers": _long_number,
    "conll": _conll,
    "yaml bytes": _yaml_bytes,
    "yaml values": _yaml_values,
    "yaml structure": _yaml_structure,
    "json files": _json_files,
}
"""Kind → a function that makes such an input."""
if find_spec("pyarrow"):
    KINDS |= {
        "parquet metadata": _parquet_metadata,
        "parquet types": _parquet_types,
        "parquet bytes": _parquet_bytes,
    }
if find_spec("spacy"):
    KINDS["docbin bytes"] = _docbin
RARE: dict[str, Callable[[Random], Made]] = {"bombs": _bomb, "wide": _wide}
"""Kinds that take long to make or to read: one input in two hundred."""
