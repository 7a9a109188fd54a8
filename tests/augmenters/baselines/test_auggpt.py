"""AugGPT: several rephrasings in one call, by pure functions and with a scripted model."""

import json

from augkit.augmenters.baselines.auggpt import AugGptConfig, auggpt_request
from augkit.augmenters.checks import NO_GATES
from augkit.augmenters.create import create
from augkit.core.protocols import Tools
from augkit.core.types import FREE, Pair, example
from augkit.llm.scripted import Scripted
from augkit.testing.kit import MeteredLLM

FILM = example("A fine film.", "positive")
NLI = example({"premise": "A man sleeps.", "hypothesis": "He is awake."}, "contradiction")


def test_the_request_asks_for_all_copies_in_one_call():
    """Exactly so many texts; neither the label nor the other field is shown."""
    request = auggpt_request(NLI, AugGptConfig(copies=4), seed=3)
    assert (
        request.messages[-1].content == "Versions: <data>4</data>\nText: <data>He is awake.</data>"
    )
    schema = request.answer.model_json_schema()["properties"]["versions"]
    assert (schema["minItems"], schema["maxItems"], request.seed) == (4, 4, 3)
    assert request.prompt.startswith("auggpt/rephrase@")


def test_the_call_is_paid_once():
    """Six rephrasings of one call cost what the call cost; the paper's number is the default."""
    six = json.dumps({"versions": [{"text": f"Film {n}."} for n in range(6)]})
    llm = MeteredLLM(Scripted([six]))
    pairs = list(create("auggpt", Tools(llm=llm, text_gates=NO_GATES)).outcomes([FILM]))
    assert [pair.variant.fields["text"] for pair in pairs] == [f"Film {n}." for n in range(6)]
    assert [pair.provenance.cost for pair in pairs] == [llm.spent, *[FREE] * 5]
    assert {pair.provenance.contract for pair in pairs} == {"kept"}


def test_repeats_and_the_text_itself_are_refused():
    """Only what is new is a variant; the last field of a pair is rephrased."""
    texts = ["He is awake.", "He does not sleep.", "He does not sleep."]
    answer = json.dumps({"versions": [{"text": text} for text in texts]})
    outcomes = list(create("auggpt", Tools(llm=Scripted([answer])), copies=3).outcomes([NLI]))
    assert [one.reason if not isinstance(one, Pair) else "kept" for one in outcomes] == [
        "unchanged",
        "kept",
        "repeats another copy",
    ]
    assert outcomes[1].variant.fields["premise"] == "A man sleeps."
