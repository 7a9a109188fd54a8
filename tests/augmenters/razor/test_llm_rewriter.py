"""The rewriter that is a language model: what it is asked, and which answers are rejected."""

import json
import re
from dataclasses import replace

import pytest

from augkit.augmenters.checks import TextGates
from augkit.augmenters.create import create
from augkit.augmenters.loop import blank_variant
from augkit.augmenters.razor.llm_rewriter import Question, words_to_avoid
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.llm.scripted import Scripted
from augkit.prompts.answers import TextsAnswer
from augkit.prompts.overrides import read_prompts
from augkit.testing import label_letter

REVIEWS = [
    example("A truly wonderful film.", "positive"),
    example("A truly dreadful film.", "negative"),
]


def test_only_words_of_the_text_are_avoided_and_must_be_gone():
    """The strongest three; a rewrite with one of them is rejected, whatever its casing."""
    strongest = ["only", "not", "is", "film", "never"]
    text = "It is not a film only for fans."
    avoid = words_to_avoid(text, strongest)
    assert avoid == ["only", "not", "is"]
    texts = ["Fans will like it.", "NOT for all.", text, " "]
    asked = []
    rows = [example(text, "negative"), example("Fans will like all of it.", "positive")] * 20
    step = create(
        "razor", Tools(llm=asking(texts, asked)), verify=False, candidates=4, avoid="shortcuts"
    ).fit(rows)
    rewriter = step._rewriter(rows, ["negative", "positive"], None)
    blank = replace(blank_variant(rows[0]), work=Question(avoid, 4, 0))
    read = rewriter._read(blank, TextsAnswer(texts=texts))
    assert [candidate.reason for candidate in read] == [
        "",
        "keeps a word to avoid",
        "unchanged",
        "empty variant",
    ]


def test_the_answer_has_exactly_the_rewrites_asked_for():
    """Too few or too many are no answer, and an endless one is cut early."""
    asked = []
    tools = Tools(llm=asking(["Splendid."], asked))
    step = create("razor", tools, verify=False, candidates=3, rounds=1)
    outcome = next(iter(step.fit(REVIEWS).outcomes(REVIEWS[:1])))
    assert outcome.reason.startswith("llm: ")
    schema = asked[0].answer.model_json_schema()["properties"]["texts"]
    assert (schema["minItems"], schema["maxItems"]) == (3, 3)
    assert asked[0].max_tokens < 100


def asking(texts, asked, judged=None):
    """A model that offers these texts, and judges a row by the text that it is shown last."""

    def answer(request):
        asked.append(request)
        if not request.choices:
            return json.dumps({"texts": texts})
        shown = re.findall(r"<data>(.*?)</data>", request.messages[-1].content)
        return label_letter(request, judged[shown[-1]])

    return Scripted(answer)


def gated(llm):
    return Tools(llm=llm, text_gates=TextGates())


def question(request):
    return request.messages[-1].content.strip()


FACTS = [
    example(
        {
            "evidence": "The club was bought in 2008 and is now one of the richest of all .",
            "claim": "Manchester City is not a rich club.",
        },
        "REFUTES",
    ),
    example(
        {
            "evidence": "Man of Steel is a superhero film of 2013 about Superman .",
            "claim": "Man of Steel is not a superhero film.",
        },
        "REFUTES",
    ),
    example({"evidence": "Lima is the capital of Peru .", "claim": "Lima is in Peru."}, "SUPPORTS"),
]
"""What the two examples of the paper say (Figures 2 and 7), in other words."""


@pytest.mark.parametrize(
    ("row", "new"),
    [
        (0, "Manchester City was bought in 2009."),
        (1, "Man of Steel is a romantic comedy of 2013 about Superman."),
    ],
)
def test_a_new_claim_that_the_evidence_still_refutes_is_accepted(row, new):
    """As in the paper's figures: it says something else, with another number, and has no "not"."""
    asked = []
    llm = asking([new], asked, {new: "REFUTES"})
    step = create("razor", gated(llm), rounds=1, candidates=1).fit(FACTS)
    (outcome,) = step.outcomes([FACTS[row]])
    assert outcome.variant.fields == {**FACTS[row].fields, "claim": new}
    assert outcome.variant.label == "REFUTES"
    request, *verdicts = asked
    assert FACTS[row].fields["evidence"] in question(request)
    assert "Label: <data>REFUTES</data>" in question(request)
    assert "Avoid" not in question(request)
    for verdict in verdicts:  # a conversation of its own: neither the label nor the old claim
        assert FACTS[row].fields["claim"] not in "".join(m.content for m in verdict.messages)
        assert FACTS[row].fields["evidence"] in question(verdict)


@pytest.mark.parametrize(
    ("new", "judged", "reason"),
    [
        ("Manchester City was bought in 2008.", "SUPPORTS", "judge disagrees"),
        (
            "The club was bought in 2008 and is now one of the richest of all.",
            "REFUTES",
            "copy of another field",
        ),
        ("Manchester City REFUTES this claim.", "REFUTES", "label name in the text"),
    ],
)
def test_a_new_claim_with_another_label_is_rejected(new, judged, reason):
    """So is a copy of the evidence, and a text that names the label."""
    tools = gated(asking([new], [], {new: judged}))
    (outcome,) = create("razor", tools, rounds=1, candidates=1).fit(FACTS).outcomes(FACTS[:1])
    assert outcome.reason == reason
    assert new in outcome.detail


def test_where_the_meaning_must_stay_a_new_claim_is_rejected():
    """``keeps: meaning`` asks for the same in other words, and shows neither label nor evidence."""
    new, asked = "Manchester City was bought in 2009.", []
    llm = asking([new], asked, {new: "REFUTES"})
    step = create("razor", gated(llm), rounds=1, candidates=1, keeps="meaning").fit(FACTS)
    (outcome,) = step.outcomes(FACTS[:1])
    assert outcome.reason == "meaning changed"
    (request,) = asked
    shown = "Versions: <data>1</data>\nText: <data>Manchester City is not a rich club.</data>"
    assert question(request) == shown


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("SUPPORTS", "What is given must prove every new text"),
        ("contradiction", "What is given must show that every new text is false"),
        ("neutral", "What is given must leave open"),
        ("duplicate", "The label says how a text relates to what is given"),
    ],
)
def test_the_request_says_what_the_label_asks_of_a_new_text(label, said):
    """By the relation that the label names; any label of a pair must stay right."""
    asked = []
    rows = [
        example({"premise": "A man eats.", "hypothesis": "He is up."}, name)
        for name in (label, "another")
    ]
    step = create("razor", Tools(llm=asking(["He sits."], asked)), verify=False, rounds=1)
    list(step.fit(rows).outcomes(rows[:1]))
    assert said in question(asked[0])


def test_of_a_single_text_the_label_is_shown():
    asked = []
    step = create("razor", Tools(llm=asking(["Splendid.", "Superb."], asked)), verify=False)
    list(step.fit(REVIEWS).outcomes(REVIEWS[:1]))
    assert question(asked[0]) == (
        "Label: <data>positive</data>\nNew texts: <data>2</data>\n"
        "Text: <data>A truly wonderful film.</data>\nEvery new text must have this label."
    )


PROMPT = """
id: razor/rewrite
version: 9
inputs: [text, label, relation, beside, avoid, count]
messages:
  - role: user
    content: |
      {% for name, part in beside.items() %}{{ name | data }}={{ part | data }} {% endfor %}
      {{ text | data }} {{ label | data }} {{ relation | data }}
      {{ avoid | data }} {{ count | data }}
"""


def test_a_prompt_of_your_own_can_use_every_input(tmp_path):
    """The evidence by its name, the label and what it says, the words to avoid, the number."""
    (tmp_path / "razor").mkdir()
    (tmp_path / "razor" / "rewrite.yaml").write_text(PROMPT, encoding="utf-8")
    asked = []
    tools = Tools(llm=asking(["So."], asked), prompts=read_prompts(tmp_path))
    list(create("razor", tools, verify=False, rounds=1).fit(FACTS).outcomes(FACTS[2:]))
    assert re.findall("<data>(.*?)</data>", question(asked[0])) == [
        *("evidence", "Lima is the capital of Peru .", "Lima is in Peru."),
        *("SUPPORTS", "entailment", "", "2"),
    ]


def frequent():
    """Reviews whose words give the label away, and one that has none of these words."""
    rows = [example(f"A truly wonderful film {n}.", "positive") for n in range(20)]
    rows += [example(f"A dreadful book {n}.", "negative") for n in range(20)]
    return [*rows, example("Quite long.", "positive")]


def test_words_are_avoided_where_that_is_asked_for():
    """``avoid: shortcuts``; a row without such a word then costs no call."""
    asked, rows = [], frequent()
    llm = asking(["Splendid.", "Superb."], asked)
    step = create("razor", Tools(llm=llm), verify=False, rounds=1, avoid="shortcuts").fit(rows)
    assert [outcome.reason for outcome in step.outcomes(rows[-1:])] == ["no word to avoid"]
    assert not asked
    list(step.outcomes(rows[:1]))
    assert "Avoid: <data>truly, wonderful, film</data>" in question(asked[0])


def test_the_settings_of_a_model_do_not_change_ids_offline():
    """Defaults that only a language model reads are no part of the digest; others are."""
    digests = {
        create("razor", **settings).config.digest()
        for settings in ({}, {"keeps": "label"}, {"avoid": "none"})
    }
    assert len(digests) == 1
    assert create("razor", keeps="meaning").config.digest() not in digests
