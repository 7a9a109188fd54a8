"""Everything that the tests of this folder draw at random: rows, files, settings, and damage.

Each function takes a ``random.Random`` and draws from nothing else, so that a case is one number
(see ``cases.py``). Rows are made from templates: all that a row says is known.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import re
import sqlite3
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

Row = dict[str, Any]
PROMPTS = Path(__file__).parents[2] / "augkit" / "prompts"

# --- odd values ------------------------------------------------------------------------------
# fmt: off
ODD_TEXTS = [
    "", " ", "\n", "\r\n", "\0", "a\0b", "\t", '"', "'", '""', ",", ";", "|", "#", "-", "\\", "{",
    "[", "[]", "{}", "null", "NaN", "true", "None", "-1", "1e999", "\ud800", "\ufeff", "\u2028",
    "😀", "👩‍👩‍👧", "שלום", "مرحبا", "東京", "\u202etxt", "a\u200bb", "\x85", "\x1b[31m", "naïve",
    "<b>x</b>", "{{ x }}", "{% for %}", "../../etc", "%s", "[MASK]", "</s>", "4/10", "don't",
    "x" * 5000, "word " * 400, "0" * 40, "-DOCSTART-",
]
UNSEEN = [" ", "\xa0", "\u200b", "\u00ad", "\ufeff", "\u200f", "\u202e"]
ODD_NUMBERS = [
    0, -1, 1, 3.5, 2**31, 2**63, 2**64, -(2**63) - 1, 10**40, -0.0, 1e308, 5e-324, float("nan"),
    float("inf"),
]
ODD_PARTS = [None, True, False, [], {}, [[]], [None], ["a", 1], {"a": 1}]
ODD_BYTES = [
    *(text.encode("utf-8", "surrogatepass") for text in ODD_TEXTS),
    b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\0" * 40,
    b"1" * 5000, b"[" * 2000, b'{"a":' * 2000, b"\r", b"\n\n", b"\x1a", b"PAR1", b"PK", b"\x1f\x8b",
    b"&a ", b"*a", b"<<: *a", b"!!int ", b"!!python/object:os.system ", b"? ", b"---", b"- ",
    b": ", b"%YAML 1.1\n", b"%TAG ! tag:x,1:\n", b"|\n", b">-\n", b"@", b"`", b"\\u0000",
    b"\\ud800", b"Infinity", b"-0", b"1e5000", b"''", b"&a [*a]", b"~", b"\x7f", b"<html>",
]
# fmt: on
COLUMNS = (
    "text label premise hypothesis evidence claim id prompt chosen rejected options choices answer "
    "answerKey response_a response_b winner judge gold completions scores tokens tags entities "
    "messages context question answers title score weight group augkit_id sentence review class"
).split()
COLUMNS += ["", " ", "naïve", "Text", "a\nb", "a,b"]
_MARK = "THE PART THAT IS HARD TO READ"


def odd_text(rng: Random) -> str:
    """Draw a text that has done harm, or several between words, or any characters."""
    pick = rng.random()
    if pick < 0.5:
        return rng.choice(ODD_TEXTS)
    if pick < 0.8:
        words = "the film was not good she gave her brother eleven old kings".split()
        return " ".join(rng.choices([*words, *ODD_TEXTS[:-4]], k=rng.randrange(12)))
    most = rng.choice([0x7F, 0x2FF, 0xD7FF])
    return "".join(chr(rng.randrange(most)) for _ in range(rng.randrange(30)))


def odd_value(rng: Random, depth: int = 3) -> Any:
    """Draw anything that JSON can hold."""
    pick = rng.random()
    if pick < 0.45:
        return odd_text(rng)
    if pick < 0.6:
        return rng.choice(ODD_NUMBERS)
    if pick < 0.75 or not depth:
        return rng.choice(ODD_PARTS)
    parts = [odd_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if rng.random() < 0.5:
        return parts
    return {rng.choice(COLUMNS): part for part in parts}


def with_part(rng: Random, value: Any, part: Any) -> Any:
    """Put ``part`` in the place of a value, or of a part of it."""
    if isinstance(value, list) and value and rng.random() < 0.7:
        place = rng.randrange(len(value))
        return [*value[:place], with_part(rng, value[place], part), *value[place + 1 :]]
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        return {**value, key: with_part(rng, value[key], part)}
    return part


def without_part(rng: Random, value: Any) -> Any:
    """Take a key out of an object, or out of one inside of it."""
    if not isinstance(value, dict) or not value:
        return value
    key = rng.choice(list(value))
    if isinstance(value[key], dict) and value[key] and rng.random() < 0.6:
        return {**value, key: without_part(rng, value[key])}
    return {name: part for name, part in value.items() if name != key}


def hard_json(rng: Random) -> str:
    """Draw JSON as deep as an interpreter bears or deeper, or a number that fits nowhere."""
    if rng.random() < 0.4:
        digits = rng.choice("19") * rng.choice([15, 16, 17, 19, 20, 400, 4299, 4301, 9000])
        return rng.choice(["", "-", "0."]) + digits + rng.choice(["", "", "e5", "e999999"])
    depth = rng.choice([20, 99, 101, 120, 250, 330, 500, 900, 990, 1020, 3000, 100_000])
    opened, closed = rng.choice([("[", "]"), ('{"a":', "}"), ('[{"role":', "}]")])
    if rng.random() < 0.2:
        return opened * depth
    return opened * depth + rng.choice(["1", '"x"']) + closed * depth


def hard_record(rng: Random, record: Any) -> str:
    """Write a record as JSON with one part that is hard to read, or is a text of such a part."""
    hard = hard_json(rng)
    if rng.random() < 0.3:
        hard = json.dumps(hard)
    return json.dumps(with_part(rng, record, _MARK)).replace(json.dumps(_MARK), hard)


def mutated(rng: Random, content: bytes) -> bytes:
    """Change some bytes, remove them, repeat them, or put in what has done harm."""
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
            data[place:place] = rng.choice(ODD_BYTES)
        elif change == 5:
            data[place:end] = rng.choice(ODD_BYTES)
        else:
            del data[place:]
    return bytes(data)


# --- rows of every shape ---------------------------------------------------------------------

WOMEN = "Anna Maria Keisha Emily Priya Susan Fatima Helena Marta Grace".split()
MEN = "Victor Ahmed Wei Jamal Robert Carlos Peter Ivan Thomas Mark".split()
SURNAMES = "Kowalski Smith Khan Lopez Chen Washington Okafor Murphy Novak Jones".split()
CITIES = "Lisbon Oslo Denver Vienna Athens Prague Dublin Warsaw Boston Toronto".split()
JOBS = "lawyer nurse teacher pilot chemist baker painter clerk".split()
SLOTS = ["[NAME]", "{order_id}", "<user>", "[PHONE NUMBER]", "{{ first name }}", "_num_"]
ADDRESSES = ["https://example.org/help?id=7", "www.example.org", "help@example.org", "@support_bot"]
ADDRESSES += ["#refund"]
OPENINGS = ["Hi {order_id},", "Hello,", "Dear team,", "Good morning [NAME],"]


def person(rng: Random) -> dict[str, str]:
    """Draw somebody with a name and a gender, and what may be said with them."""
    woman = rng.random() < 0.5
    first = rng.choice(WOMEN if woman else MEN)
    last = rng.choice(SURNAMES)
    subject = "she" if woman else "he"
    return {
        "first": first,
        "last": last,
        "name": f"{first} {last}",
        "she": subject,
        "She": subject.title(),
        "her": "her" if woman else "his",
        "sister": "sister" if woman else "brother",
        "job": rng.choice(JOBS),
        "city": rng.choice(CITIES),
        "slot": rng.choice(SLOTS),
        "address": rng.choice(ADDRESSES),
        "opening": rng.choice(OPENINGS),
    }


def chat(*texts: str) -> list[dict[str, str]]:
    """Make a chat of these messages, by user and assistant in turn."""
    roles = ["user", "assistant"] * len(texts)
    return [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]


STARS = [
    {
        "text": f"A {word} film. {{name}} plays a {{job}} in {{city}}, and {{she}} is {word}.",
        "stars": stars,
        "actor": "{name}",
    }
    for stars, word in enumerate("terrible dull fine good wonderful".split(), 1)
]
TICKETS = [
    {"text": f"{{opening}} {text}. See {{slot}} or {{address}} for more. {end}", "label": label}
    for label, end, text in [
        ("billing", "{name} closed the ticket.", "the invoice for June is wrong, and it is late"),
        ("billing", "{name} closed the ticket.", "I was charged twice for the same PDF export"),
        ("technical", "Thanks, {first}", "I cannot upload a file larger than 25 MB to Dropbox"),
        ("technical", "Thanks, {first}", "the API returns an error since the GitHub login changed"),
        ("account", "Thanks, {first}", "my login at <user> does not work any more"),
        ("account", "Thanks, {first}", "please reset the password"),
    ]
]
PREMISE = "{name}, a {job}, walks {her} dog through {city}."
CONTEXT = "{name} is a {job}. In 2004 {she} moved to {city} with {her} dog. {first} works there."
ANSWERS = [
    {"question": question, "context": CONTEXT, "answers": answer}
    for question, answer in [
        ("Where did {name} move?", "{city}"),
        ("What does {first} do?", "{job}"),
        ("Who moved away in 2004?", "{name}"),
        ("When did {last} move?", "2004"),
    ]
]
MARKED = [
    {"marked": "[{name}](PER) left [{city}](LOC) with {her} car ."},
    {"marked": "The new film by [{name}](PER) opened in [{city}](LOC) ."},
    {"marked": "In [{city}](LOC) , {she} met [{first}](PER) again ."},
]
ASKED = "Where did {name} move?"
GOOD = "A good film. {name} plays a {job} in {city}."
DULL = "A dull film. {She} sleeps in it. Indeed."
SHAPES: dict[str, list[Row]] = {
    "stars": STARS,
    "review": [{"text": GOOD, "label": "positive"}, {"text": DULL, "label": "negative"}],
    "French": [
        {
            "text": f"Le film que j'ai vu hier avec {{first}} à {{city}} était vraiment {word}, et "
            "nous en avons parlé [NAME] pendant toute la soirée.",
            "label": label,
        }
        for word, label in [("magnifique", "positif"), ("ennuyeux", "négatif")]
    ],
    "ticket": TICKETS,
    "customer": [row | {"customer": row["text"].split(". ")[-1].strip(".")} for row in TICKETS],
    "inference": [
        {"premise": PREMISE, "hypothesis": "{first} has a dog.", "label": "entailment"},
        {
            "premise": PREMISE,
            "hypothesis": "{first} sleeps in {her} bed.",
            "label": "contradiction",
        },
        {"premise": PREMISE, "hypothesis": "{She} likes {city}.", "label": "neutral"},
    ],
    "claim": [
        {"claim": "{first} has a dog.", "evidence": PREMISE, "label": "SUPPORTS"},
        {"claim": "{first} sleeps in {her} bed.", "evidence": PREMISE, "label": "REFUTES"},
    ],
    "answer": ANSWERS,
    "question": ANSWERS,
    "tags": MARKED,
    "entities": MARKED,
    "chat": [
        {
            "messages": [{"role": "system", "content": "You help."}, *chat(asked, said)],
            "label": label,
        }
        for asked in ["My {sister} {first} lost {her} keys in {city}. What now?"]
        for label, said in [
            ("travel", "{She} should call the hotel, and {first} may ask the police."),
            ("home", "The hotel may have them. Ask there first."),
            ("home", "Tell {first} to wait: {her} keys may be at the desk."),
        ]
    ],
}
"""Shape → templates of its rows: all that a row says is known."""
LABELLED = list(SHAPES)
SIDES = {"response_a": GOOD, "response_b": DULL, "judge": "gpt", "gold": "model_a"}
SHAPES |= {
    f"choice {number}": [row]
    for number, row in enumerate(
        [
            {"prompt": ASKED, "chosen": GOOD, "rejected": DULL},
            {"chosen": chat(ASKED, GOOD), "rejected": chat(ASKED, DULL)},
            {"prompt": ASKED, "chosen": [GOOD, "a"], "rejected": [DULL]},
            {"question": ASKED, "options": [GOOD, DULL, "c"], "answer": "B"},
            {"question": ASKED, "choices": [GOOD, DULL], "answer": 1},
            {"question": ASKED, "choices": {"text": [GOOD, DULL], "label": ["A", "B"]}}
            | {"answerKey": "A"},
            {"question": ASKED, "mc1_targets": {"choices": [GOOD, DULL], "labels": [1, 0]}},
            {"question": ASKED, "option_a": GOOD, "option_b": DULL, "answer": "a"},
            {"question": ASKED, "A": GOOD, "B": DULL, "C": "c", "answer": "C"},
            {"prompt": ASKED, **SIDES, "winner": "model_a"},
            {"prompt": ASKED, **SIDES, "winner": "tie"},
            {"prompt": ASKED, "completions": [GOOD, DULL], "scores": [0.5, 3]},
            {
                "prompt": ASKED,
                "responses": [{"text": GOOD, "score": 1}, {"text": DULL, "score": 2}],
            },
        ]
    )
}
CHOICES = [shape for shape in SHAPES if shape not in LABELLED]
"""The forms in which choices between candidates are published."""
_SLOT = re.compile(r"\{(\w+)\}")
_ENTITY = re.compile(r"\[([^\]]+)\]\((\w+)\)")


def _fill(template: Any, values: dict[str, str]) -> Any:
    """Put the values of a person into a template; other names in braces stay."""
    if isinstance(template, str):
        return _SLOT.sub(lambda slot: values.get(slot[1], slot[0]), template)
    if isinstance(template, list):
        return [_fill(part, values) for part in template]
    if isinstance(template, dict):
        return {name: _fill(part, values) for name, part in template.items()}
    return template


def row_of(rng: Random, shape: str) -> Row:
    """Draw a row of a shape."""
    row: Row = _fill(rng.choice(SHAPES[shape]), person(rng))
    if shape == "question":
        answer = row["answers"]
        row["answers"] = {"text": [answer], "answer_start": [row["context"].index(answer)]}
    if "marked" not in row:
        return row
    # Every odd part is an entity, and the one behind it is its label.
    text = ""
    entities = []
    tags = []
    parts = [*_ENTITY.split(row["marked"]), "", ""]
    for plain, name, label in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        text += plain
        tags += ["O"] * len(plain.split())
        if name:
            entities.append({"start": len(text), "end": len(text) + len(name), "label": label})
            tags += [f"B-{label}"] + [f"I-{label}"] * (len(name.split()) - 1)
            text += name
    if shape == "tags":
        return {"tokens": text.split(), "ner_tags": tags}
    return {"text": text, "entities": entities}


def odd_rows(rng: Random, shapes: Sequence[str], odd: float = 0.08) -> list[Row]:
    """Draw rows of one shape, of which some cells or keys are others."""
    shape = rng.choice(shapes)
    rows = [row_of(rng, shape) for _ in range(rng.choice([1, 2, 5, 12]))]
    for row in rows:
        for name, value in list(row.items()):
            if rng.random() < odd:
                part = odd_value(rng) if rng.random() < 0.5 else odd_text(rng)
                row[name] = with_part(rng, value, part)
            elif rng.random() < 0.02:
                del row[name]
        if rng.random() < 0.06:
            row[rng.choice(COLUMNS)] = odd_value(rng)
        if rng.random() < 0.02 and isinstance(row.get("label"), str):
            row["label"] += rng.choice(UNSEEN)
    return rows


# --- files of rows ---------------------------------------------------------------------------


def json_lines(rng: Random, rows: list[Row]) -> bytes:
    """Write the rows as JSON Lines."""
    end = rng.choice(["\n", "\n", "\r\n", "\n\n", "\r"])
    plain = rng.random() < 0.5
    lines = [json.dumps(row, ensure_ascii=plain) for row in rows]
    if rng.random() < 0.03:
        lines[0] = '{"label": 1, ' + lines[0].removeprefix("{")
    return end.join(lines).encode("utf-8", "surrogatepass")


def table(rng: Random, rows: list[Row], delimiter: str) -> bytes:
    """Write the rows as a table, some of them with cells too many or too few."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=rng.choice(["\n", "\r\n", "\r"]))
    for cells in [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]:
        if rng.random() < 0.03:
            cells.extend([rng.choice(ODD_TEXTS)] * rng.choice([1, 3, 500]))
        if cells and rng.random() < 0.03:
            cells.pop()
        # The csv of Python 3.10 cannot write NUL.
        writer.writerow([cell.replace("\0", "") for cell in cells])
    encoding = rng.choice(["utf-8"] * 12 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
    return out.getvalue().encode(encoding, "surrogatepass")


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def rows_file(rng: Random, rows: list[Row], ending: str) -> bytes:
    """Write the rows in the format of an ending."""
    if ending == "jsonl":
        return json_lines(rng, rows)
    if ending == "json":
        return json.dumps(rows, indent=rng.choice([None, 1])).encode()
    if ending == "parquet":
        return parquet(rng, len(rows))
    if ending == "xlsx":
        return workbook(rng, rows)
    return table(rng, rows, "\t" if ending == "tsv" else rng.choice(",,,,,;;\t|"))


@cache
def _arrow_columns() -> list[tuple[Any, list[Any]]]:
    """Types of Arrow, with values of each; dates and times may be out of every range."""
    import pyarrow as pa

    texts = [text for text in ODD_TEXTS if text != "\ud800"]
    counts = [0, 1, -1, 2**62, -(2**62), 2**63 - 1]
    message = pa.struct([("role", pa.string()), ("content", pa.string())])
    messages = [[], [{"role": "user", "content": "a"}, {"role": None, "content": None}]]
    dates = [0, 86_400_000, 86_400_000 * 10**9, -86_400_000 * 10**9]
    return [
        (pa.string(), texts),
        (pa.large_string(), texts),
        (pa.binary(), [b"", b"\xff\xfe", b"text", b"\0"]),
        (pa.binary(4), [b"\xff\0ab"]),
        (pa.int64(), counts),
        (pa.uint64(), [0, 1, 2**64 - 1]),
        (pa.float64(), [0.5, float("nan"), float("inf"), -0.0]),
        (pa.float16(), [0.5, float("nan"), float("inf"), -0.0]),
        (pa.bool_(), [True, False]),
        (pa.null(), []),
        (pa.date32(), [0, 20_000, 2**31 - 1, -(2**31)]),
        (pa.date64(), dates),
        (pa.timestamp("ns"), counts),
        (pa.timestamp("ms"), counts),
        (pa.timestamp("us", "UTC"), counts),
        (pa.timestamp("us", "Nowhere/There"), counts),
        (pa.duration("s"), counts),
        (pa.time64("us"), [0, 1, 86_399_999_999]),
        (pa.decimal128(38, 10), [0, 5, -7]),
        (pa.list_(pa.string()), [[], ["a", None], texts[:3]]),
        (pa.list_(pa.int64()), [[], counts]),
        (pa.list_(message), messages),
        (message, messages[1]),
        (pa.struct([("text", pa.string()), ("label", pa.int64())]), [{"text": "a", "label": 1}]),
        (pa.map_(pa.string(), pa.string()), [[], [("k", None), ("k", "v")]]),
        (pa.map_(pa.int64(), pa.list_(pa.string())), [[], [(0, ["a"]), (0, None)]]),
        (pa.dictionary(pa.int32(), pa.string()), ["a", "b"]),
    ]


_METADATA = {"info": {"features": {"label": {"_type": "ClassLabel", "names": ["a", "b"]}}}}
"""What ``datasets`` writes under "huggingface"."""


def parquet(rng: Random, count: int) -> bytes:
    """Write a Parquet file with columns of odd types, odd metadata, or neither."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "text": pa.array([row_of(rng, "review")["text"] for _ in range(count)]),
        "label": pa.array([rng.randrange(2) for _ in range(count)], pa.int64()),
    }
    for _ in range(rng.randrange(4)):
        kind, values = rng.choice(_arrow_columns())
        cells = [rng.choice([None, *values]) for _ in range(count)]
        columns[rng.choice([*COLUMNS, "text", "label", "label"])] = pa.array(cells, kind)
    built = pa.table(columns)
    if rng.random() < 0.5:
        metadata = damaged(rng, json.dumps(_METADATA).encode(), ".json")
        built = built.replace_schema_metadata({"huggingface": metadata})
    sink = io.BytesIO()
    codec = rng.choice(["none", "snappy", "gzip", "zstd"])
    pq.write_table(built, sink, compression=codec, use_dictionary=rng.random() < 0.5)
    return sink.getvalue()


_CELLS: list[Any] = [5, -1, 2.5, 1e300, True, None, "=1+1", "=", time(1), timedelta(9)]
_CELLS += [datetime.fromisoformat("1900-01-01"), datetime.fromisoformat("9999-12-31T23:59:59")]


def workbook(rng: Random, rows: list[Row]) -> bytes:
    """Write the rows as a workbook, some of them with cells of other types."""
    import openpyxl

    book = openpyxl.Workbook()
    if rng.random() < 0.1:
        book.create_sheet("Other", rng.randrange(2))
    sheet = book.worksheets[0]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    for cells in [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]:
        if rng.random() < 0.05:
            cells.append(rng.choice(ODD_TEXTS))
        # A workbook cannot hold control characters, and openpyxl no half characters.
        kept = [_NOT_IN_XML.sub("", cell) for cell in cells]
        sheet.append([cell if rng.random() < 0.95 else rng.choice(_CELLS) for cell in kept])
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def with_damaged_part(rng: Random, content: bytes) -> bytes:
    """Change a part of a workbook, which is XML, and pack the parts again."""
    sink = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as before, ZipFile(sink, "w", ZIP_DEFLATED) as after:
        names = before.namelist()
        damaged_part = rng.choice([*names, *[name for name in names if "sheet" in name] * 3])
        for name in names:
            part = before.read(name)
            if name != damaged_part:
                after.writestr(name, part)
            elif rng.random() < 0.6:
                after.writestr(name, mutated(rng, part))
            elif rng.random() < 0.7:
                # Places and numbers of cells, of rows, of shared texts and of styles.
                number = str(rng.choice([0, -1, 7, 10**6, 10**9, 10**18, "A1:XFD1048576", "ZZZ9"]))
                places = [match.span(1) for match in _NUMBER_OF_XML.finditer(part)]
                start, end = rng.choice(places or [(0, 0)])
                after.writestr(name, part[:start] + number.encode() + part[end:])
            # The others lack a part.
    return sink.getvalue()


_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NUMBER_OF_XML = re.compile(rb'(?:="|<v>)([A-Z]*[0-9][^"<]*)')


# --- broken inputs ---------------------------------------------------------------------------


class Input(NamedTuple):
    """A file, how it is read, and the options of reading."""

    name: str
    content: bytes
    reader: str
    options: Row = {}  # noqa: RUF012 - never changed


ENDINGS = ["jsonl", "json", "csv", "tsv"]
if find_spec("pyarrow"):
    ENDINGS.append("parquet")
if find_spec("openpyxl"):
    ENDINGS.append("xlsx")


def reading_options(rng: Random, columns: Sequence[str]) -> Row:
    """Draw options of reading, most of them none."""
    options: Row = {}
    if rng.random() < 0.5:
        return options
    column = rng.choice([*columns, *COLUMNS[:4]])
    for share, name, value in (
        (0.2, "text_columns", [column]),
        (0.2, "label_column", rng.choice([*columns, *COLUMNS[:4]])),
        (0.08, "id_column", column),
        (0.3, "span_columns", [rng.choice([*columns, "tags"])]),
        (0.06, "answer_columns", [column]),
        (0.05, "tag_names", ["O", "B-PER", "I-PER"]),
        (0.1, "quotes", False),
        (0.1, "choices", True),
    ):
        if rng.random() < share:
            options[name] = value
    return options


def _file_of_rows(rng: Random, ending: str) -> Input:
    """Make a file of odd rows, half of them with other bytes."""
    chosen = ending != "parquet" and rng.random() < 0.4
    rows = odd_rows(rng, CHOICES if chosen else LABELLED)
    content = rows_file(rng, rows, ending)
    if rng.random() < 0.5:
        # The footer of Parquet, behind which are eight bytes, says where everything is.
        footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        if ending == "parquet" and rng.random() < 0.5:
            content = content[:footer] + mutated(rng, content[footer:-8]) + content[-8:]
        elif ending == "xlsx" and rng.random() < 0.8:
            content = with_damaged_part(rng, content)
        else:
            content = damaged(rng, content, f".{ending}")
    # Mostly a reader, now and then a whole command.
    usual = "choices" if chosen else "load"
    reader = rng.choice([usual] * 94 + ["check"] * 4 + ["estimate", "run"])
    columns = [name for row in rows for name in row]
    options = reading_options(rng, ["text", "label"] if ending == "parquet" else columns)
    return Input(f"rows.{ending}", content, reader, options)


def _gzipped(rng: Random) -> Input:
    made = _file_of_rows(rng, rng.choice(["jsonl", "csv"]))
    packed = gzip.compress(made.content, 1, mtime=0)
    packed = rng.choice([packed, packed + packed[:30], mutated(rng, packed), mutated(rng, packed)])
    return made._replace(name=f"{made.name}.gz", content=packed)


@cache
def _megabyte(text: bytes) -> bytes:
    return gzip.compress(text * ((1 << 20) // len(text)), 9, mtime=0)


def _bomb(rng: Random) -> Input:
    """Make a small gzip file of one line, cell or array of gigabytes."""
    ending = rng.choice(["jsonl", "json", "csv", "tsv"])
    starts = {
        "jsonl": [b'{"text": "'],
        "json": [b"[", b'[{"text": "'],
        "csv": [b"text,label\n", b'text,label\n"', b""],
        "tsv": [b"text\tlabel\n"],
    }
    start = rng.choice(starts[ending])
    filling = rng.choice([b"a", b" ", b"\0", b"[],", b"ab ", b"{", b'""', b"a,", b"0"])
    megabytes = rng.choice([40, 300, 4096])
    if rng.random() < 0.3:
        # Lines and objects are held, some tens of bytes for each: as many as a small file may have.
        filling = rng.choice([b"\n", b"a\n", b'"\n",', b"{},"])
        megabytes = rng.choice([5, 20])
    content = gzip.compress(start, mtime=0) + _megabyte(filling) * megabytes
    return Input(f"rows.{ending}.gz", content, "load")


def _wide(rng: Random) -> Input:
    """Make a row of very many columns."""
    names = [f"c{number}" for number in range(rng.choice([1000, 20_000, 100_000]))]
    names += rng.choice([[], ["text", "label"], ["c1"]])
    ending = rng.choice(["csv", "tsv", "jsonl"])
    if ending == "jsonl":
        content = json.dumps(dict.fromkeys(names, "a")).encode()
    else:
        sign = "," if ending == "csv" else "\t"
        cells = ["a"] * (len(names) + rng.choice([0, 0, 1]))
        content = f"{sign.join(names)}\n{sign.join(cells)}\n".encode()
    return Input(f"rows.{ending}", content, rng.choice(["load", "choices"]))


RIGHT = {path.stem: path for path in sorted((Path(__file__).parent / "right").iterdir())}
RIGHT["prompt"] = PROMPTS / "paraphrase" / "rewrite.yaml"
"""Reader → a right file of settings."""


def right_inputs() -> list[Input]:
    """Make an input for every reader that is as it should be."""
    rng = Random(1)
    labelled = json_lines(Random(0), [row_of(rng, "review") for _ in range(60)])
    choices = json_lines(Random(0), [row_of(rng, "choice 0") for _ in range(60)])
    made = [Input(path.name, path.read_bytes(), reader) for reader, path in RIGHT.items()]
    made += [Input("rows.jsonl", labelled, reader) for reader in ("load", "check", "estimate")]
    made += [Input("rows.jsonl", labelled, "run"), Input("rows.jsonl", choices, "check")]
    if find_spec("openpyxl"):
        made.append(Input("rows.xlsx", workbook(rng, [row_of(rng, "review")] * 9), "load"))
    made += [Input("rows.jsonl", choices, "choices")]
    return made


@cache
def _prompt_texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(PROMPTS.rglob("*.yaml"))]


@cache
def _as_json(text: str) -> bytes:
    import yaml

    return json.dumps(yaml.safe_load(text), default=str).encode()


def _settings(rng: Random) -> Input:
    """Change the bytes, the values or the structure of a right file of settings."""
    reader, path = rng.choice(list(RIGHT.items()))
    text = path.read_text(encoding="utf-8")
    if reader == "prompt":
        text = rng.choice(_prompt_texts())
    how = rng.choice(["bytes", "values", "structure"])
    if how == "bytes" or path.suffix != ".yaml":
        return Input(path.name, damaged(rng, text.encode(), path.suffix), reader)
    if how == "values":  # JSON is YAML
        return Input(path.name, damaged(rng, _as_json(text), ".json"), reader)
    addition = odd_yaml(rng)
    head, _, tail = text.partition("\n")
    anchored = f"{head}\n{tail.replace(': ', ': &a ', 1)}\nz: *a\n"
    changed = rng.choice(
        [addition, text + addition, f"{head}\n{addition}{tail}", addition + text, anchored]
    )
    encoding = rng.choice(["utf-8"] * 8 + ["utf-16", "utf-32", "utf-8-sig", "utf-16-le"])
    return Input(path.name, changed.encode(encoding, "surrogatepass"), reader)


def odd_yaml(rng: Random) -> str:
    """Draw anchors, merge keys, keys that are no texts, tags, long numbers, or depth."""
    # fmt: off
    short = [
        "a: &a [1, *a]\n", "a: &a {b: *a}\n", "a: &a\n  <<: *a\n", "<<: {a: 1}\n",
        "a: &a {x: 1}\nb: {<<: *a}\n", "? [1, 2]\n: x\n", "? {a: 1}\n: x\n", "a: 1\na: 2\n",
        "a: &a x\n*a : y\n", "a: !!python/object/apply:os.system [ls]\n", "a: !!binary x\n",
        "!!map [1]\n", "--- 1\n--- 2\n", "a:\n\tb: 1\n", "\ufeffa: 1\n", "a: \x07\n",
        "~: x\n", "null: x\n", "1: x\n", "true: x\n", "0.5: x\n", ".nan: x\n", "'': x\n",
        "2020-01-01: x\n", "a: !!int foo\n", "a: !!timestamp foo\n", "a: !!bool foo\n",
        "a: !!map foo\n", "a: !!float foo\n", "a: !!set foo\n", "a: !!x foo\n",
    ]
    # fmt: on
    if rng.random() < 0.6:
        return rng.choice(short)
    size = rng.choice([3, 30, 120, 2000, 20_000])
    few = min(size, 2000)
    aliases = "a0: &a0 [x, x]\n"
    for number in range(1, min(size, 30)):
        aliases += f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 10)}]\n"
    return rng.choice(
        [
            aliases,
            f"a: {'[' * size}\n",
            f"a: {'[' * size}{']' * size}\n",
            f"a: {'{a: ' * size}1{'}' * size}\n",
            "\n".join(" " * depth + "a:" for depth in range(min(size, 1000))) + "\n",
            f"{'- ' * few}a\n",
            f"{'? ' * few}a\n",
            f"a: {'9' * size}\n",
            f"a: 0x{'f' * size}\n",
            f"a: 1{'_0' * size}\n",
            f"a: 1e{'9' * min(size, 999)}\n",
            "a: |\n" + "  x\n" * size,
            f"a: {'x' * size}\n",
            f"{'x' * size}: 1\n",
            "".join(f"k{number}: {number}\n" for number in range(size)),
        ]
    )


def broken_input(number: int, rng: Random) -> Input:
    """Make an input that is wrong on purpose or by chance; the kinds take turns."""
    if number % 200 == 150:
        return rng.choice([_bomb, _wide])(rng)
    kinds = [_gzipped, _settings, _settings, _settings, _settings]
    for ending in ENDINGS:
        kinds += [partial(_file_of_rows, ending=ending), partial(_file_of_rows, ending=ending)]
    return kinds[number % len(kinds)](rng)


# --- settings of a run -----------------------------------------------------------------------

QUICK = "eda swap random-edit mask-words mask-phrase panda paraphrase auggpt contrast".split()
SLOW = "coba razor coba-style gpt3mix crossaug human".split()
"""Methods that train something first, or read more files: one run in thirty."""


def run_settings(rng: Random) -> Row:
    """Draw settings of a run: two in three are right."""
    method = rng.choice(SLOW) if rng.random() < 0.03 else rng.choice(QUICK)
    names = "alpha copies axes pairs max_chars batch_size target".split()
    right = {
        "options": rng.choice([{}, {"copies": rng.randint(1, 4)}]),
        "seed": rng.randrange(10**12),
        "limit": rng.randint(1, 5),
        "mix": rng.choice(["append", "replace"]),
        "gates": rng.choice([[], ["length"], ["edited-share"], ["edited-share", "length"]]),
        "connection": rng.choice([{}, {"budget": rng.choice(["3calls", "20tokens", "1usd"])}]),
    }
    wrong = {
        "options": {rng.choice(names): odd_value(rng)},
        "limit": rng.randint(-1, 1),
        "mix": rng.choice(["balance", "no"]),
        "gates": ["lenght"],
        "text_columns": [rng.choice(COLUMNS)],
        "label_column": rng.choice([rng.choice(COLUMNS), odd_text(rng)]),
        "id_column": rng.choice(COLUMNS),
        "quotes": rng.random() < 0.5,
        "workers": rng.randint(0, 1),
        "connection": {"budget": "x"},
    }
    chosen = right if rng.random() < 0.67 else wrong
    return {"method": method} | {k: v for k, v in chosen.items() if rng.random() < 0.4}


# --- damage to a file ------------------------------------------------------------------------


def damaged(rng: Random, content: bytes, suffix: str) -> bytes:
    """Change the bytes of a file, or a record of it where it is JSON."""
    if suffix not in {".json", ".jsonl"} or rng.random() < 0.3:
        return mutated(rng, content)
    lines = content.splitlines(keepends=True) if suffix == ".jsonl" else [content]
    written = [number for number, line in enumerate(lines) if line.strip()]
    if not written:
        return hard_json(rng).encode()
    place = rng.choice(written)
    record = json.loads(lines[place])
    change = rng.randrange(4)
    if change == 0:
        new = json.dumps(without_part(rng, record))
    elif change == 1:
        new = json.dumps(with_part(rng, record, odd_value(rng)))
    elif change == 2:
        new = hard_record(rng, record)
    else:
        new = rng.choice(["null", "[]", "{}", "3", '"text"', "", "NaN", "-Infinity", "[" * 99_999])
    lines[place] = new.encode() + b"\n"
    return b"".join(lines)


def damage_file(rng: Random, path: Path) -> str:
    """Damage a file in one of many ways, and tell how."""
    pick = rng.random()
    if pick < 0.2:
        how = rng.choice(["empty", "missing", "a folder", "a link to nothing"])
        path.unlink()
        if how == "empty":
            path.touch()
        elif how == "a folder":
            path.mkdir()
        elif how == "a link to nothing":
            path.symlink_to("none")
        return how
    if path.suffix == ".sqlite" and pick < 0.7:
        return _damage_database(rng, path)
    path.write_bytes(damaged(rng, path.read_bytes(), path.suffix))
    return "other content"


def _damage_database(rng: Random, path: Path) -> str:
    """Change tables and cells as another program would."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = [name for (name,) in found]
        cell = rng.choice([b"\xff\xfe", "text", -5, 2**62, 1e300, "{}", '{"a": "b"}'])
        table = rng.choice(tables)
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        update = f"UPDATE OR REPLACE {table} SET {rng.choice(columns)} = ?"
        others = [f"DROP TABLE {table}", f"DELETE FROM {table}"]
        others += [f"PRAGMA user_version = {rng.choice([0, 1, 99])}"]
        if rng.random() < 0.6:
            database.execute(update, [cell])
            how = f"{update} {cell!r}"
        else:
            how = rng.choice(others)
            database.execute(how)
        database.commit()
    return how
