"""GPT3Mix: examples of one label are shown, and a new one is written."""

import json

import pytest

from augkit.augmenters.create import create
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.llm.scripted import Scripted

ROWS = [example(f"A fine film {n}.", "positive") for n in range(4)]
ROWS += [example(f"A dull film {n}.", "negative") for n in range(4)]
NLI = [
    example({"premise": f"Man {n} sleeps.", "hypothesis": f"He {n} is awake."}, label)
    for n, label in enumerate(["contradiction", "contradiction", "entailment"])
]


def answering(text="Slow, yet clever music."):
    return Scripted(lambda _: json.dumps({"subject": "a concert", "text": text}))


def mixing(llm, rows=ROWS, **settings):
    return create("gpt3mix", Tools(llm=llm), **settings).fit(rows)


def test_the_new_example_has_the_label_of_its_row():
    """What it is about is asked for first, and is no part of it."""
    (pair,) = mixing(answering())([ROWS[0]])
    assert pair.variant.fields == {"text": "Slow, yet clever music."}
    assert (pair.variant.label, pair.provenance.contract) == ("positive", "kept")
    assert pair.provenance.cost.calls == 1


def test_rows_of_one_label_are_shown_the_row_among_them():
    """As many as asked for; the answer has exactly the fields of a row."""
    seen = []

    def watching(request):
        seen.append(request)
        return json.dumps({"subject": "s", "text": "Other words."})

    list(mixing(Scripted(watching), examples=3)([ROWS[0]]))
    shown = seen[0].messages[-1].content
    rows = shown.split("Rows: <data>")[1].split("</data>")[0].splitlines()
    assert len(rows) == 3
    assert "A fine film 0." in rows
    assert all(row.startswith("A fine film") for row in rows)
    assert "Label: <data>positive</data>" in shown
    assert list(seen[0].answer.model_json_schema()["properties"]) == ["subject", "text"]
    assert seen[0].max_tokens < 100


def test_a_pair_is_written_field_by_field():
    """Rows with several texts are shown as JSON."""
    seen = []

    def watching(request):
        seen.append(request.messages[-1].content)
        new = {"subject": "cooks", "premise": "A cook works.", "hypothesis": "Nobody works."}
        return json.dumps(new)

    (pair,) = mixing(Scripted(watching), NLI)([NLI[0]])
    assert dict(pair.variant.fields) == {"premise": "A cook works.", "hypothesis": "Nobody works."}
    assert '{"premise": "Man 1 sleeps.", "hypothesis": "He 1 is awake."}' in seen[0]


def test_a_field_may_be_called_subject():
    """Mails have one; it is then both."""
    mails = [
        example({"subject": f"Hello {n}", "body": f"Greetings {n}."}, label)
        for n, label in enumerate(["ham", "spam"])
    ]
    new = json.dumps({"subject": "A large bill", "body": "Please pay at once."})
    (pair,) = mixing(Scripted([new]), mails)([mails[1]])
    assert dict(pair.variant.fields) == json.loads(new)


@pytest.mark.parametrize("text", ["A fine film 2.", "a dull film 3!", "Film 1, a fine one"])
def test_what_is_near_a_row_is_rejected(text):
    """Rows of any label count, not only those that were shown."""
    (rejection,) = mixing(answering(text)).outcomes([ROWS[0]])
    assert rejection.reason == "near a row"
    assert text in rejection.detail
    assert rejection.cost.calls == 1


def test_common_words_are_no_nearness():
    """Function words, and a few others, are in many texts."""
    rows = [example("This is one of the best of the old films that were ever made.", "positive")]
    assert len(mixing(answering(), pool=3).artifact.rows) == 3
    pool = mixing(answering(), [*rows, *ROWS]).artifact
    assert pool.nearest({"text": "It is one of the best westerns that were ever made."})[0] == 0.0
    assert pool.nearest({"text": "One of the best old films."}) == (1.0, rows[0].fields["text"])


def test_a_row_whose_label_is_not_of_the_corpus_is_refused():
    """Nothing is asked for a row without a known label."""
    outcomes = list(mixing(Scripted([])).outcomes([example("Film."), example("Film.", "mixed")]))
    assert [one.reason for one in outcomes if not isinstance(one, Pair)] == [
        "label not in the corpus"
    ] * 2
