"""The perturber that asks an LLM: pure request and reading, a scripted model, a real server."""

import json
import re
from random import Random

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.perturbers.llm import (
    LLMPerturber,
    numbered_pieces,
    rewrite_request,
)
from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.core.errors import MissingTool
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import Cost, Example, Pair, Variant, example
from augkit.llm.scripted import Scripted
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import open_llm

ASKED = PandaConfig(perturber="llm")
PAID = Cost(1, 20, 5, 0.001)
NLI = {"premise": "A man sleeps in his bed.", "hypothesis": "He is awake."}
FLIPPED = {"premise": "A woman sleeps in her bed.", "hypothesis": "She is awake."}


def task(fields=NLI, word="man", target="woman", axis="gender", field="premise"):
    start = fields[field].index(word)
    return PerturbTask(Example(fields), field, start, start + len(word), axis, target, Random(0))


ANSWER = {"1 man": "woman", "2 his": "her", "3 He": "she"}
"""What a model says of ``NLI``; the capital is restored."""
TABLE = {"he": "she", "his": "her", "man": "woman", "she": "he", "her": "his", "woman": "man"}


def replied(answers, asked=None):
    request = rewrite_request(asked or task(), ASKED)
    return Reply("", answer=request.answer.model_validate_json(json.dumps(answers)), cost=PAID)


def read_rewriting(asked, reply, share):
    """What comes of a reply to a task, where so much else may change."""

    class Replying:
        def generate(self, requests):
            return [reply for _ in requests]

    settings = ASKED.model_copy(update={"other_words": share})
    [answer] = LLMPerturber(Replying(), settings).perturb([asked])
    return answer


def swapping(request):
    names = request.answer.model_json_schema()["properties"]
    return json.dumps({name: TABLE[name.split()[1].lower()] for name in names})


def test_the_request_numbers_the_references_of_all_fields():
    """Everything of the dataset is between tags; the answer has exactly the numbered words."""
    request = rewrite_request(task(word="his"), ASKED)
    user = request.messages[-1].content
    blocks = [block for _, block in re.findall(r"<(data[-\d]*)>(.*?)</\1>", user, re.DOTALL)]
    assert blocks == [
        "A [1 man] sleeps in [2 his] bed.\n[3 He] is awake.",
        "2 his",
        "woman (gender)",
    ]
    schema = request.answer.model_json_schema()
    assert list(schema["properties"]) == schema["required"] == list(ANSWER)
    assert request.prompt.startswith("panda/rewrite@")
    assert (request.temperature, request.seed) == (0.0, None)
    assert request.max_tokens < 150


LATE = "He's late and he isn't sorry; she told him he her cat missed."


@pytest.mark.parametrize(
    ("text", "word", "target", "numbered"),
    [
        # The goalkeeper is a person whose pronoun says the gender.
        ("The goalkeeper lost his gloves.", "goalkeeper", "woman", "1 goalkeeper, 2 his"),
        # A colour of things is no reference: it stands before a noun for people.
        ("Ana met a white man in black jeans.", "Ana", "asian", "1 Ana, 2 white"),
        ("Ana met Asian police officers.", "Ana", "asian", "1 Ana, 2 Asian"),
        ("Ana met a black, tired singer.", "Ana", "asian", "1 Ana, 2 black"),
        ("Ana met a white and a man.", "Ana", "asian", "1 Ana"),
        # Verbs go with pronouns that change them; the next reference is never swallowed.
        (LATE, "He", "non-binary", "1 He's, 2 he isn't, 3 she told, 4 him, 5 he, 6 her"),
        (LATE, "He", "woman", "1 He, 2 he, 3 she, 4 him, 5 he, 6 her"),
    ],
)
def test_what_is_numbered(text, word, target, numbered):
    axis = "race" if target == "asian" else "gender"
    asked = task({"text": text}, word, target, axis, "text")
    assert ", ".join(piece.name for piece in numbered_pieces(asked)) == numbered


def test_a_field_without_references_is_shown_as_it_is():
    """It may say what the person does."""
    fields = {"premise": "It rains.", "hypothesis": "A man is wet."}
    asked = rewrite_request(task(fields, field="hypothesis"), ASKED).messages[-1].content
    assert "It rains.\nA [1 man] is wet." in asked


def test_a_chosen_colour_of_a_thing_costs_no_call():
    chosen = task({"text": "A man in black jeans."}, "black", "asian", "race", "text")
    (rejection,) = LLMPerturber(Scripted([]), ASKED).perturb([chosen])
    assert (rejection.reason, rejection.cost.calls) == ("not a person", 0)


def test_an_age_is_asked_for_with_its_years():
    asked = task({"text": "The boy left."}, "boy", "senior", "age", "text")
    assert "senior (age, 65 to 95 years)" in rewrite_request(asked, ASKED).messages[-1].content


def test_sampling_draws_its_seed_from_the_task():
    """The same job asks with the same seed; another generator with another."""
    warm = PandaConfig(perturber="llm", temperature=0.7)
    first, again = (rewrite_request(task(), warm) for _ in range(2))
    assert first.seed == again.seed is not None


def test_a_good_answer_changes_its_words_and_nothing_else():
    perturbed = read_rewriting(task(), replied(ANSWER), 0.15)
    assert not perturbed.reason
    assert list(perturbed.fields.items()) == list(FLIPPED.items())
    assert perturbed.cost == PAID
    assert perturbed.about == {"axis": "gender", "source": "man", "target": "woman", "word": "man"}


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({**ANSWER, "2 his": " "}, "unusable answer"),
        ({"1 man": "man", "2 his": "his", "3 He": "He"}, "unchanged"),
        ({"1 man": "man", "2 his": "her", "3 He": "She"}, "unusable answer"),
        ({**ANSWER, "1 man": "woman in a long red dress who has not eaten"}, "unusable answer"),
    ],
)
def test_empty_unchanged_and_overgrown_answers_are_rejected(answers, reason):
    rejection = read_rewriting(task(), replied(answers), 0.15)
    assert (rejection.reason, rejection.cost) == (reason, PAID)


@pytest.mark.parametrize(
    ("text", "word", "target", "new", "expected"),
    [
        ("Two men sing.", "men", "woman", "woman", "Two women sing."),
        ("A man sings.", "man", "woman", "women", "A woman sings."),
        ("A man sings.", "man", "non-binary", "people", "A person sings."),
        ("Two girls sing.", "girls", "senior", "elderly woman", "Two elderly women sing."),
        ("He sings.", "He sings", "non-binary", "they sings", "They sing."),
        ("He's ill.", "He's", "non-binary", "they is", "They are ill."),
        ("A man sings.", "man", "woman", "Clara", None),
        ("A man sings.", "man", "non-binary", "their", None),
        ("I saw his cat.", "his", "woman", "woman", None),
        ("A boy left.", "boy", "senior", "elderly man", "An elderly man left."),
        # The name of an attribute is no noun, unless it is one, or replaces an adjective.
        ("Two men sing.", "men", "non-binary", "non-binary", None),
        ("Two men sing.", "men", "non-binary", "people", "Two people sing."),
        ("Jorge sings.", "Jorge", "asian", "Asian", None),
        ("A white man sings.", "white", "black", "black", "A black man sings."),
    ],
)
def test_a_noun_becomes_a_noun_in_the_same_number(text, word, target, new, expected):
    """The number and the article are put right; a name or a pronoun cannot stand there."""
    axis = {"senior": "age", "asian": "race", "black": "race"}.get(target, "gender")
    asked = task({"text": text}, word[:2] if word.startswith("He") else word, target, axis, "text")
    result = read_rewriting(asked, replied({f"1 {word}": new}, asked), 0.15)
    assert (None if result.reason else result.fields["text"]) == expected


@pytest.mark.parametrize(
    ("text", "answers", "used"),
    [
        ("A man lost his hat.", {"1 man": "woman", "2 his": "his"}, False),
        ("A man lost his hat.", {"1 man": "woman", "2 his": "her"}, True),
        ("A man saw a boy and his hat.", {"1 man": "woman", "2 boy": "boy", "3 his": "his"}, True),
    ],
)
def test_a_pronoun_of_nobody_else_cannot_stay(text, answers, used):
    asked = task({"text": text}, "man", "woman", field="text")
    assert (not read_rewriting(asked, replied(answers, asked), 0.15).reason) is used


def test_other_fields_follow_the_chosen_word():
    """The same word of a pair becomes the same word, whatever the model said of it."""
    fields = {"premise": "Two children sing.", "hypothesis": "Two children run."}
    asked = task(fields, "children", "senior", "age")
    answers = {"1 children": "elderly men", "2 children": "elderly women"}
    result = read_rewriting(asked, replied(answers, asked), 0.15)
    assert result.fields["hypothesis"] == "Two elderly men run."


def test_a_fault_is_an_unusable_answer_with_its_cost():
    reply = Reply("{", fault="not the JSON asked for", detail="no parts", cost=PAID)
    rejected = task()
    rejection = read_rewriting(rejected, reply, 0.15)
    detail = "not the JSON asked for: no parts"
    told = (rejection.reason, rejection.detail, rejection.cost)
    assert told == ("unusable answer", detail, PAID)


def test_panda_with_an_llm_makes_pairs_and_its_costs_add_up():
    """Both fields change together, and every call is in exactly one outcome's cost."""
    calls = []

    def counted(request):
        calls.append(request)
        return swapping(request)

    rows = [example(NLI, "contradiction"), example({"premise": "It rains.", "hypothesis": "So."})]
    rows.append(example({"premise": "She ran.", "hypothesis": "A woman ran."}, "entailment"))
    tools = Tools(llm=Scripted(counted))
    panda = create("panda", tools, perturber="llm", axes=["gender"], target="woman")
    pair, *rejections = panda.outcomes(rows)
    assert isinstance(pair, Pair)
    assert dict(pair.variant.fields) == FLIPPED
    assert pair.provenance.about["target"] == "woman"
    assert {type(one) for one in rejections} == {Variant}
    total = pair.provenance.cost.calls + sum(one.cost.calls for one in rejections)
    assert total == len(calls) >= 1


def test_another_word_is_tried_where_an_answer_cannot_be_used():
    answers = iter(["no JSON", json.dumps(ANSWER)])
    tools = Tools(llm=Scripted(lambda _: next(answers)))
    panda = create("panda", tools, perturber="llm", axes=["gender"], target="woman")
    [pair] = panda.outcomes([example(NLI)])
    assert dict(pair.variant.fields) == FLIPPED
    assert pair.provenance.cost.calls == 2


def test_it_cannot_be_made_without_a_model():
    with pytest.raises(MissingTool, match="--llm"):
        create("panda", perturber="llm")
    assert create("panda", axes=["gender"], target="woman").augment("He left.") == ["She left."]


@pytest.mark.slow
def test_a_server_that_recovers_costs_retries_and_nothing_else(faults):
    """Too many requests and a broken body, then the answer, whose shape the server was told."""
    behaviour = faults.Behaviour(
        plan=("429", "truncated", "ok"), answer=lambda _: json.dumps(ANSWER)
    )
    with faults.FaultServer(behaviour) as server:
        options = ConnectOptions(base_url=server.url, backoff=0.001, backoff_cap=0.01, attempts=3)
        with open_llm("openai:some-model", options) as llm:
            (told,) = LLMPerturber(llm, ASKED).perturb([task()])
    assert not told.reason
    assert dict(told.fields) == FLIPPED
    assert server.calls == 3
    sent = server.bodies[-1]["response_format"]["json_schema"]["schema"]
    assert sent["required"] == list(ANSWER)
