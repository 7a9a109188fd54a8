"""No method writes a row that contradicts itself, by rules of this file alone.

* Answers, entities and tags are where the text has them, and as many as before.
* Placeholders are as they were; an address or a hashtag may be missing whole.
* A person has one name and one gender in all columns and messages, where the label is kept; a
  typo in a name or pronoun is none of that.
* Columns that no method is to change, roles and the number of messages are as they were.
"""

from __future__ import annotations

import json
import re
import warnings

import pytest

import augkit
from augkit.core.errors import UserError
from tests.faults.cases import try_cases
from tests.faults.generator import ADDRESSES, MEN, SLOTS, SURNAMES, WOMEN, row_of

GENDERED = {
    "woman": {"she", "her", "hers", "herself", "sister", "woman", "mother", "wife"},
    "man": {"he", "his", "him", "himself", "brother", "man", "father", "husband"},
}
TEXTS = {"text", "question", "context", "premise", "hypothesis", "customer", "actor"}
WORD = re.compile(r"\w+")
RENAMING = ("panda", "swap", "razor", "coba")
"""Methods that put another name in the place of a name; the others make noise of it."""
PAIRS = [["her", "his"], ["she", "he"], ["sister", "brother"], ["film", "play"]]
METHODS = {
    "panda": {},
    "eda": {},
    "swap": {"pairs": PAIRS},
    "mask-words, then eda": {"steps": ["mask-words", "eda"]},
    "panda, then typo": {"steps": ["panda", "typo"]},
}
METHODS |= {
    name: {}
    for name in "typo mask-words mask-phrase random-edit razor autocad coba crossaug contrast "
    "symmetric".split()
}
"""Every method that needs no model, with options; those that change most are first."""
KINDS = {
    "question and context, offsets": ("question", {"span_columns": ["answers"]}),
    "question and context, answer": ("answer", {"answer_columns": ["answers"]}),
    "question and context, context alone": (
        "question",
        {"span_columns": ["answers"], "edit_columns": ["context"]},
    ),
    "question and context, answer undeclared": ("answer", {}),
    "tokens and tags": ("tags", {"span_columns": ["ner_tags"]}),
    "tokens, tags undeclared": ("tags", {}),
    "text and entities": ("entities", {"span_columns": ["entities"]}),
    "chat": ("chat", {}),
    "chat, user alone": ("chat", {"edit_roles": ["user"]}),
    "stars": ("stars", {"label_column": "stars"}),
    "premise and hypothesis": ("inference", {}),
    "French": ("French", {}),
    "tickets": ("ticket", {}),
    "tickets with the customer": ("customer", {}),
}
"""Kind → the shape of its rows, and the settings of the run."""

# --- what contradicts itself -----------------------------------------------------------------


def faults(original, row, method):
    """What contradicts itself in a variant."""
    yield from reference_faults(original, row)
    before = texts_of(original)
    after = texts_of(row)
    if before.keys() != after.keys():
        yield "other columns or messages"
        return
    for place, text in before.items():
        for slot in SLOTS:
            if text.count(slot) > after[place].count(slot):
                yield f"{slot} changed in {place}"
        for address in ADDRESSES:
            longest = max(WORD.findall(address), key=len)
            gone = text.count(address) - after[place].count(address)
            if gone and after[place].count(longest) > text.count(longest) - gone:
                yield f"{address} changed in {place}"
    # Another label may be true of somebody else, and a misspelt "her" is no other person.
    if row.get("label") == original.get("label") and "typo" not in method:
        yield from person_faults(before, after, renames=method in RENAMING)
    for name in {"customer", "actor"} & original.keys():
        if row[name] != original[name]:
            yield f"{name} must stay"


def texts_of(row):
    """Place → text, of all columns and messages that hold texts of the row."""
    texts = {name: row[name] for name in TEXTS & row.keys()}
    for number, message in enumerate(row.get("messages", ())):
        texts[f"message {number}, {message['role']}"] = message["content"]
    if "tokens" in row:
        texts["tokens"] = " ".join(row["tokens"])
    if "answers" in row:
        answers = row["answers"]
        texts["answers"] = answers if isinstance(answers, str) else answers["text"][0]
    return texts


def reference_faults(original, row):
    """Answers, tags and entities that are not where they should be."""
    answers = row.get("answers")
    if isinstance(answers, dict):
        (text,) = answers["text"]
        (start,) = answers["answer_start"]
        if not text.strip() or row["context"][start : start + len(text)] != text:
            yield "the answer is not where it should be"
    elif isinstance(answers, str) and answers not in row["context"]:
        yield "the answer is not in the context"
    if "ner_tags" in row:
        if len(row["tokens"]) != len(row["ner_tags"]):
            yield f"{len(row['tokens'])} tokens, {len(row['ner_tags'])} tags"
        if begun(row["ner_tags"]) != begun(original["ner_tags"]):
            yield "other entities"
    for old, new in zip(original.get("entities", ()), row.get("entities", ()), strict=True):
        text = row["text"]
        name = text[new["start"] : new["end"]]
        around = text[new["start"] - 1 : new["start"]] + text[new["end"] : new["end"] + 1]
        if not name.strip() or name != name.strip() or around.strip(" .,;:!?'"):
            yield f"{old['label']} is cut: {name!r}"


def begun(tags):
    """The labels of the entities that begin."""
    return [tag[2:] for tag in tags if tag.startswith("B-")]


def person_faults(before, after, *, renames):
    """A name that changed in one place and not in another, and two genders of one person."""
    words_before = {place: set(WORD.findall(text)) for place, text in before.items()}
    words_after = {place: set(WORD.findall(text)) for place, text in after.items()}
    for name in {*WOMEN, *MEN, *SURNAMES} if renames else ():
        places = [place for place, words in words_before.items() if name in words]
        left = [place for place in places if name in words_after[place]]
        if left and len(left) < len(places):
            yield f"{name} stays in {left[0]} and not in all other places"
    genders_after = genders(words_after)
    if len(genders(words_before)) < 2 and len(genders_after) > 1:
        yield f"one person is {' and '.join(sorted(genders_after))}"


def genders(words):
    """The genders of which a row has words."""
    lower = {word.lower() for found in words.values() for word in found}
    return {gender for gender, gendered in GENDERED.items() if lower & gendered}


CHAT = [
    {"role": "user", "content": "My sister Anna lost her keys."},
    {"role": "assistant", "content": "She should call."},
]


def chat(*contents):
    roles = zip(CHAT, contents, strict=True)
    return {"messages": [{**message, "content": content} for message, content in roles]}


@pytest.mark.parametrize(
    ("original", "variant", "fault"),
    [
        (
            chat(*(message["content"] for message in CHAT)),
            chat("My brother Ivan lost his keys.", "She should call."),
            "one person is man and woman",
        ),
        (
            {"question": "Where is Anna?", "context": "Anna is here.", "answers": "here"},
            {"question": "Where is Anna?", "context": "Maria is here.", "answers": "here"},
            "Anna stays in question",
        ),
        (
            {"question": "Where?", "context": "Anna is here.", "answers": "here"},
            {"question": "Where?", "context": "Anna is there!", "answers": "Lyon"},
            "not in the context",
        ),
        (
            {"tokens": ["A", "b"], "ner_tags": ["O", "O"]},
            {"tokens": ["A", "b", "c"], "ner_tags": ["O", "O"]},
            "3 tokens, 2 tags",
        ),
        (
            {"text": "In Oslo .", "entities": [{"start": 3, "end": 7, "label": "LOC"}]},
            {"text": "In Oslo .", "entities": [{"start": 3, "end": 6, "label": "LOC"}]},
            "LOC is cut",
        ),
        ({"text": "Hi [NAME]."}, {"text": "Hi [NMAE]."}, r"\[NAME\] changed in text"),
        ({"text": "See #refund."}, {"text": "See refund."}, "#refund changed in text"),
        ({"text": "A", "actor": "Jo"}, {"text": "B", "actor": "Al"}, "must stay"),
    ],
)
def test_each_contradiction_is_seen(original, variant, fault):
    """A row that contradicts itself gives the fault, and the row itself gives none."""
    assert list(faults(original, original, "panda")) == []
    assert any(re.search(fault, why) for why in faults(original, variant, "panda"))


def test_an_address_may_be_left_out_whole():
    """As razor does where it gives the label away."""
    assert list(faults({"text": "Fine #refund."}, {"text": "Fine."}, "razor")) == []


# --- what methods write ----------------------------------------------------------------------


def attempt(number, rng, place):
    """Run a method on rows of a kind, and look at each row that it writes."""
    shape, settings = list(KINDS.values())[number % len(KINDS)]
    method, options = list(METHODS.items())[number // len(KINDS) % len(METHODS)]
    rows = [row_of(rng, shape) for _ in range(12)]
    path = place / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    name = "compose" if "steps" in options else method
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = augkit.augment_dataset(
                path, name, place / "out", options=options, workers=1, **settings
            )
    except UserError:  # a kind that the method does not read
        return "refused"
    originals = rows_by_id(rows, path, settings)
    written = (out / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    variants = [row for row in map(json.loads, written) if row["augkit_origin"] == "variant"]
    for row in variants:
        original = originals[row["augkit_parent"]]
        found = list(faults(original, row, method))
        assert not found, (found, original, row)
    return "variants" if variants else "none"


def rows_by_id(rows, path, settings):
    """Id → row; ids are of the texts that are edited, or of all."""
    named = ("span_columns", "answer_columns", "edit_columns", "edit_roles", "label_column")
    reading = {name: settings[name] for name in named if name in settings}
    originals = {}
    for options in ({**reading, "edit_roles": ["all"]}, reading):
        examples = augkit.load_dataset(path, **options)
        originals |= {row.id: source for row, source in zip(examples, rows, strict=True)}
    return originals


@pytest.mark.slow
def test_no_method_writes_a_row_that_contradicts_itself(tmp_path):
    """Some rows of every kind with every method; the first of them change most."""
    results = try_cases(attempt, 4 * len(KINDS), tmp_path / "case")
    assert results["variants"] > results.total() / 2
