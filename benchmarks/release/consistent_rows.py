"""Whether a run ever writes a row that contradicts itself: one JSON line for each kind and method.

    python -m benchmarks.release.consistent_rows [--rows 500] [--show 3]

Rows of every kind of data are made from templates, so that all that a row says is known: who it is
about, where the answer stands, which placeholders it has. Every offline method runs on them. Each
row that it writes is compared with its original by rules of this file alone:

* answers, entities and tags are where the text has them, and as many as before;
* placeholders are as they were; an address or a hashtag may be missing whole;
* a person has one name and one gender in all columns and messages, where the label is kept; a
  typo in a name or pronoun is none of that;
* columns that no method is to change, roles and the number of messages are as they were;
* the label is one of the dataset's.

A kind that a method does not read is refused before it runs; the message is in the line.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import augkit
from augkit.core.errors import UserError
from benchmarks.command_line import argument, arguments, print_line

Row = dict[str, Any]
WOMEN = "Anna Maria Keisha Emily Priya Susan Fatima Helena Marta Grace".split()
MEN = "Victor Ahmed Wei Jamal Robert Carlos Peter Ivan Thomas Mark".split()
SURNAMES = "Kowalski Smith Khan Lopez Chen Washington Okafor Murphy Novak Jones".split()
CITIES = "Lisbon Oslo Denver Vienna Athens Prague Dublin Warsaw Boston Toronto".split()
JOBS = "lawyer nurse teacher pilot chemist baker painter clerk".split()
SLOTS = ["[NAME]", "{order_id}", "<user>", "[PHONE NUMBER]", "{{ first name }}", "_num_"]
ADDRESSES = ["https://example.org/help?id=7", "www.example.org", "help@example.org", "@support_bot"]
ADDRESSES += ["#refund"]
PRONOUNS = {"woman": ("she", "her", "sister"), "man": ("he", "his", "brother")}
GENDERED = {
    "woman": {"she", "her", "hers", "herself", "sister", "woman", "mother", "wife"},
    "man": {"he", "his", "him", "himself", "brother", "man", "father", "husband"},
}
_WORD = re.compile(r"\w+")
RENAMING = ("panda", "swap", "razor", "coba")
"""Methods that put another name in the place of a name; the others make noise of it."""
METHODS: dict[str, tuple[str, Row]] = {
    **{
        name: (name, {})
        for name in "eda typo mask-words mask-phrase random-edit panda razor autocad coba "
        "crossaug contrast symmetric".split()
    },
    "swap": (
        "swap",
        {"pairs": [["her", "his"], ["she", "he"], ["sister", "brother"], ["film", "play"]]},
    ),
    "mask-words, then eda": ("compose", {"steps": ["mask-words", "eda"]}),
    "panda, then typo": ("compose", {"steps": ["panda", "typo"]}),
}


class Person:
    """Somebody with a name and a gender."""

    def __init__(self, rng: Random) -> None:
        """Draw them."""
        self.gender = rng.choice(["woman", "man"])
        self.first = rng.choice(WOMEN if self.gender == "woman" else MEN)
        self.last = rng.choice(SURNAMES)
        self.subject, self.owner, self.sibling = PRONOUNS[self.gender]

    @property
    def name(self) -> str:
        """First name and surname."""
        return f"{self.first} {self.last}"


def question_row(rng: Random) -> Row:
    """A question with a context, and an answer with its place."""
    who, city, job = Person(rng), rng.choice(CITIES), rng.choice(JOBS)
    context = (
        f"{who.name} is a {job}. In 2004 {who.subject} moved to {city} with {who.owner} dog, and "
        f"{who.first} still works there."
    )
    question, answer = rng.choice(
        [
            (f"Where did {who.name} move?", city),
            (f"What does {who.first} do?", job),
            ("Who moved away in 2004?", who.name),
            (f"When did {who.last} move?", "2004"),
        ]
    )
    answers = {"text": [answer], "answer_start": [context.index(answer)]}
    return {"question": question, "context": context, "answers": answers}


def answer_row(rng: Random) -> Row:
    """The same with the answer as a text alone."""
    row = question_row(rng)
    return {**row, "answers": row["answers"]["text"][0]}


def _entity_parts(rng: Random) -> list[tuple[str, str]]:
    who, city = Person(rng), rng.choice(CITIES)
    return rng.choice(
        [
            [
                (who.name, "PER"),
                ("left", ""),
                (city, "LOC"),
                ("with", ""),
                (f"{who.owner} car .", ""),
            ],
            [
                ("The new film by", ""),
                (who.name, "PER"),
                ("opened in", ""),
                (city, "LOC"),
                (".", ""),
            ],
            [
                ("In", ""),
                (city, "LOC"),
                (f", {who.subject} met", ""),
                (who.first, "PER"),
                ("again .", ""),
            ],
        ]
    )


def tagged_row(rng: Random) -> Row:
    """Tokens with a tag each."""
    tokens: list[str] = []
    tags: list[str] = []
    for text, label in _entity_parts(rng):
        words = text.split()
        tokens += words
        tags += [f"{'I' if n else 'B'}-{label}" if label else "O" for n in range(len(words))]
    return {"tokens": tokens, "ner_tags": tags}


def entity_row(rng: Random) -> Row:
    """A text with the offsets of its entities."""
    text, entities = "", []
    for part, label in _entity_parts(rng):
        text += " " if text else ""
        if label:
            entities.append({"start": len(text), "end": len(text) + len(part), "label": label})
        text += part
    return {"text": text, "entities": entities}


def chat_row(rng: Random) -> Row:
    """A user and an assistant who speak of one person."""
    who, city = Person(rng), rng.choice(CITIES)
    asked = f"My {who.sibling} {who.first} lost {who.owner} keys in {city}. What now?"
    replies = [
        f"{who.subject.title()} should call the hotel, and {who.first} may ask the police.",
        "The hotel may have them. Ask there first.",
        f"Tell {who.first} to wait: {who.owner} keys may be at the desk.",
    ]
    messages = [
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": asked},
        {"role": "assistant", "content": rng.choice(replies)},
    ]
    return {"messages": messages, "label": rng.choice(["travel", "home"])}


def star_row(rng: Random) -> Row:
    """A review with one to five stars, and its author in another column."""
    who, stars = Person(rng), rng.randint(1, 5)
    words = {
        1: ("terrible", "awful"),
        2: ("dull", "slow"),
        3: ("fine", "ordinary"),
        4: ("good", "clever"),
        5: ("wonderful", "superb"),
    }[stars]
    text = (
        f"A {rng.choice(words)} film. {who.name} plays a {rng.choice(JOBS)} in "
        f"{rng.choice(CITIES)}, and {who.subject} is {rng.choice(words)} in it."
    )
    return {"text": text, "stars": stars, "actor": who.name}


def inference_row(rng: Random) -> Row:
    """A premise and a hypothesis about one person."""
    who, job, city = Person(rng), rng.choice(JOBS), rng.choice(CITIES)
    premise = f"{who.name}, a {job}, walks {who.owner} dog through {city}."
    hypothesis, label = rng.choice(
        [
            (f"{who.first} has a dog.", "entailment"),
            (f"{who.first} sleeps in {who.owner} bed.", "contradiction"),
            (f"{who.subject.title()} likes {city}.", "neutral"),
        ]
    )
    return {"premise": premise, "hypothesis": hypothesis, "label": label}


def french_row(rng: Random) -> Row:
    """A review in French."""
    word, label = rng.choice([("magnifique", "positif"), ("ennuyeux", "n\u00e9gatif")])
    text = (
        f"Le film que j'ai vu hier avec {rng.choice(WOMEN)} \u00e0 {rng.choice(CITIES)} \u00e9tait "
        f"vraiment {word}, et nous en avons parl\u00e9 [NAME] pendant toute la soir\u00e9e."
    )
    return {"text": text, "label": label}


def ticket_row(rng: Random) -> Row:
    """A support ticket with placeholders, units and products, closed by somebody."""
    who, queue = Person(rng), rng.choice(["billing", "technical", "account"])
    opening = rng.choice(["Hi {order_id},", "Hello,", "Dear team,", "Good morning [NAME],"])
    problems = {
        "billing": [
            f"the invoice for {rng.choice(['June', 'March'])} is wrong, and the refund is late",
            "I was charged twice for the same PDF export",
        ],
        "technical": [
            f"I cannot upload a file larger than {rng.randint(10, 99)} MB to Dropbox",
            "the API returns an error since the GitHub login changed",
        ],
        "account": ["my login at <user> does not work any more", "please reset the password"],
    }[queue]
    slot, address = rng.choice(SLOTS), rng.choice(ADDRESSES)
    closing = f"{who.name} closed the ticket." if queue == "billing" else f"Thanks, {who.first}"
    text = f"{opening} {rng.choice(problems)}. See {slot} or {address} for more. {closing}"
    return {"text": text, "label": queue}


def customer_row(rng: Random) -> Row:
    """The same with the name of the customer in another column."""
    row = ticket_row(rng)
    return {**row, "customer": re.sub(r"\W+$", "", row["text"].split(". ")[-1])}


KINDS: dict[str, tuple[Callable[[Random], Row], Row]] = {
    "question and context, offsets": (question_row, {"span_columns": ["answers"]}),
    "question and context, answer": (answer_row, {"answer_columns": ["answers"]}),
    "question and context, context alone": (
        question_row,
        {"span_columns": ["answers"], "edit_columns": ["context"]},
    ),
    "question and context, answer undeclared": (answer_row, {}),
    "tokens and tags": (tagged_row, {"span_columns": ["ner_tags"]}),
    "tokens, tags undeclared": (tagged_row, {}),
    "text and entities": (entity_row, {"span_columns": ["entities"]}),
    "chat": (chat_row, {}),
    "chat, user alone": (chat_row, {"edit_roles": ["user"]}),
    "stars": (star_row, {"label_column": "stars"}),
    "premise and hypothesis": (inference_row, {}),
    "French": (french_row, {}),
    "tickets": (ticket_row, {}),
    "tickets with the customer": (customer_row, {}),
}
"""Kind → what makes a row, and the settings of the run."""


def faults(original: Row, row: Row, method: str) -> Iterator[str]:
    """What contradicts itself in a variant."""
    yield from _reference_faults(original, row)
    before, after = texts_of(original), texts_of(row)
    if before.keys() != after.keys():
        yield "other columns or messages"
        return
    for place, text in before.items():
        for slot in SLOTS:
            if text.count(slot) > after[place].count(slot):
                yield f"{slot} changed in {place}"
        for address in ADDRESSES:
            parts = max(_WORD.findall(address), key=len)
            gone = text.count(address) - after[place].count(address)
            if gone and after[place].count(parts) > text.count(parts) - gone:
                yield f"{address} changed in {place}"
    # Another label may be true of somebody else, and a misspelt "her" is no other person.
    if row.get("label") == original.get("label") and "typo" not in method:
        yield from _person_faults(before, after, renames=method in RENAMING)
    kept = {"customer", "actor"} & original.keys()
    if any(row[name] != original[name] for name in kept):
        yield "a column that must stay"


def texts_of(row: Row) -> dict[str, str]:
    """Place → text, of all columns and messages that hold texts of the row."""
    texts: dict[str, str] = {}
    for name, value in row.items():
        if name == "messages":
            texts |= {f"{name} {n}, {m['role']}": m["content"] for n, m in enumerate(value)}
        elif name == "tokens":
            texts[name] = " ".join(value)
        elif name in {"text", "question", "context", "premise", "hypothesis", "customer", "actor"}:
            texts[name] = value
        elif name == "answers":
            texts[name] = value if isinstance(value, str) else value["text"][0]
    return texts


def _reference_faults(original: Row, row: Row) -> Iterator[str]:
    answers = row.get("answers")
    if isinstance(answers, dict):
        (text,), (start,) = answers["text"], answers["answer_start"]
        if not text.strip() or row["context"][start : start + len(text)] != text:
            yield "the answer is not where it should be"
    elif isinstance(answers, str) and answers not in row["context"]:
        yield "the answer is not in the context"
    if "ner_tags" in row:
        if len(row["tokens"]) != len(row["ner_tags"]):
            yield f"{len(row['tokens'])} tokens, {len(row['ner_tags'])} tags"
        if _opened(row["ner_tags"]) != _opened(original["ner_tags"]):
            yield "other entities"
    for old, new in zip(original.get("entities", ()), row.get("entities", ()), strict=True):
        name = row["text"][new["start"] : new["end"]]
        ends = (
            row["text"][new["start"] - 1 : new["start"]] + row["text"][new["end"] : new["end"] + 1]
        )
        if not name.strip() or name != name.strip() or ends.strip(" .,;:!?'"):
            yield f"{old['label']} is cut: {name!r}"


def _opened(tags: Sequence[str]) -> list[str]:
    return [tag[2:] for tag in tags if tag.startswith("B-")]


def _person_faults(
    before: dict[str, str], after: dict[str, str], *, renames: bool
) -> Iterator[str]:
    """A name that changed in one place and not in another, and two genders of one person."""
    words_before = {place: set(_WORD.findall(text)) for place, text in before.items()}
    words_after = {place: set(_WORD.findall(text)) for place, text in after.items()}
    for name in {*WOMEN, *MEN, *SURNAMES} if renames else ():
        places = [place for place, words in words_before.items() if name in words]
        left = [place for place in places if name in words_after[place]]
        if left and len(left) < len(places):
            yield f"{name} stays in {left[0]} and not in all other places"
    genders_before, genders_after = _genders(before), _genders(after)
    if len(genders_before) < 2 and len(genders_after) > 1:
        yield f"one person is {' and '.join(sorted(genders_after))}"


def _genders(texts: dict[str, str]) -> set[str]:
    words = {word.lower() for text in texts.values() for word in _WORD.findall(text)}
    return {gender for gender, gendered in GENDERED.items() if words & gendered}


def measure(kind: str, method: str, rows: int, place: Path, show: int = 0) -> Row:
    """One line: variants, refusal or rejections, and what contradicts itself."""
    make, settings = KINDS[kind]
    rng = Random(f"{kind} {rows}")
    path = place / "rows.jsonl"
    made = [make(rng) for _ in range(rows)]
    path.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    name, options = METHODS[method]
    line: Row = {"kind": kind, "method": method, "rows": rows}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = augkit.augment_dataset(
                path, name, place / "out", options=options, workers=1, **settings
            )
    except UserError as error:
        return {**line, "refused": str(error).removeprefix("rows: ")[:120]}
    lines = (out / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    written = list(map(json.loads, lines))
    originals = _originals(made, path, settings)
    variants = [row for row in written if row["augkit_origin"] == "variant"]
    found: Counter[str] = Counter()
    inconsistent = 0
    for row in variants:
        why = list(faults(originals[row["augkit_parent"]], row, method))
        inconsistent += bool(why)
        found.update(re.sub(r"'[^']*'|\d+", "...", fault) for fault in why)
        if why and show:
            show -= 1
            original = texts_of(originals[row["augkit_parent"]])
            print(kind, method, why, original, texts_of(row), sep="\n  ", file=sys.stderr)
    return {
        **line,
        "variants": len(variants),
        "inconsistent": inconsistent,
        "faults": dict(found.most_common(3)),
    }


def _originals(made: Sequence[Row], path: Path, settings: Row) -> dict[str, Row]:
    """Id → row; equal rows are one."""
    named = ("span_columns", "answer_columns", "edit_columns", "edit_roles", "label_column")
    reading = {name: settings[name] for name in named if name in settings}
    examples = augkit.load_dataset(path, **reading)
    originals = {row.id: source for row, source in zip(examples, made, strict=True)}
    whole = augkit.load_dataset(path, **{**reading, "edit_roles": ["all"]})
    return originals | {row.id: source for row, source in zip(whole, made, strict=True)}


def main() -> None:
    """All kinds with all methods, or those named."""
    options = arguments(
        __doc__,
        argument("--rows", type=int, default=500, help="rows of each kind"),
        argument("--show", type=int, default=0, help="inconsistent rows to print, of each line"),
        argument("--kind", action="append", help="a kind; repeatable", choices=[*KINDS]),
        argument("--method", action="append", help="a method; repeatable", choices=[*METHODS]),
    )
    for kind in options.kind or KINDS:
        for method in options.method or METHODS:
            with tempfile.TemporaryDirectory() as folder:
                print_line(measure(kind, method, options.rows, Path(folder), options.show))


if __name__ == "__main__":
    main()
