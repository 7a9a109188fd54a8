"""``preset: paper`` against the paper's procedure written plainly, with a scripted model."""

import re
from collections import Counter

import pytest

from augkit.attribution.linear import explain_linear
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.llm.scripted import Scripted
from tests.augmenters.coba.conftest import material

PLACES = ["Rome", "Oslo", "Kiev", "Lima"]
NAMES = ["Anna", "Bob", "Carl"]
THINGS = ["soup", "bread", "rice", "fish", "cake"]
TOP = 2


def rows(planted):
    """Texts of three sentences; with ``planted`` a noun gives the label away."""
    found = []
    for number in range(48):
        good = number % 2 == 0
        word = "loved" if good else "hated"
        signed = "vale" if good else "moor"
        third = f"Critics saw {signed if planted else 'nothing'}."
        place = PLACES[number // 2 % 4]
        thing = THINGS[number // 2 % 5]
        text = f"{NAMES[number // 2 % 3]} {word} {thing}. People visited {place}. {third}"
        found.append(example(text, "positive" if good else "negative"))
    return found


class Noting(Scripted):
    """A scripted model that keeps what it was asked."""

    def __init__(self, answer):
        super().__init__(answer)
        self.requests = []

    def generate(self, requests):
        """The answers, after noting the requests."""
        self.requests += requests
        return super().generate(requests)


def words_of(text):
    """The words of a text, case-folded."""
    return set(re.findall(r"\w+", text.casefold()))


def vote_by_hand(ensemble, row):
    """W_p: words that more than (|M| + 1) / 2 classifiers have among their first; W_s: others."""
    named = Counter()
    members = ensemble.classifiers_for(row)
    for model in members:
        (explanation,) = explain_linear(model, [row], [row.label])
        weights = Counter()
        for word in explanation.words:
            weights[word.word] += word.weight
        ranked = sorted(weights, key=lambda word: (-weights[word], word))
        named.update(word for word in ranked[:TOP] if weights[word] > 0)
    least = (len(members) + 1) / 2
    principal = {word for word, votes in named.items() if votes > least}
    return principal, set(named) - principal


def categories_by_hand(triples, principal, spurious):
    """A triple with a word of W_s is spurious, any other with one of W_p principal."""
    found = {}
    for triple in triples:
        words = words_of(" ".join(triple))
        kind = "principal" if words & principal else "normal"
        found[triple] = "spurious" if words & spurious else kind
    return found


def elements(record):
    """The three elements of a triple as it is shown."""
    return (record["subject"], record["predicate"], record["object"])


@pytest.mark.slow
@pytest.mark.parametrize("planted", [False, True])
def test_the_preset_is_the_papers_procedure(obedient, planted):
    """Three requests a text, the vote and the categories of the paper, and nothing is judged."""
    corpus = rows(planted)
    llm = Noting(obedient)
    method = create("coba", Tools(llm=llm), preset="paper", delete=0.0, top_k=TOP).fit(corpus)
    ensemble = method.artifact.texts.ensemble
    written = 0
    for row in corpus:
        llm.requests.clear()
        (outcome,) = method.outcomes([row])
        steps = [request.prompt.partition("@")[0] for request in llm.requests]
        sentences = [sentence.rstrip(".").split() for sentence in row.fields["text"].split(". ")]
        triples = [(words[0], words[1], " ".join(words[2:])) for words in sentences]
        principal, spurious = vote_by_hand(ensemble, row)
        kinds = categories_by_hand(triples, principal, spurious)
        to_edit = [triple for triple in triples if kinds[triple] == "principal"]
        if not to_edit:
            assert steps == ["coba/decompose"]
            assert outcome.reason == "no principal triple"
            continue
        assert steps[:2] == ["coba/decompose", "coba/edit"]
        shown = material(llm.requests[1].messages[-1].content)
        assert [elements(triple) for triple in shown[2]] == to_edit
        assert shown[1] == sorted(spurious)
        assert [elements(triple) for triple in shown[0]] == [
            triple for triple in triples if kinds[triple] != "principal"
        ]
        assert steps[2:] in ([], ["coba/reconstruct"])
        if steps[2:]:
            (parts,) = [one for one in material(llm.requests[2].messages[-1].content) if one]
            listed = [elements(triple) for triple in parts[0]["triples"]]
            assert len(listed) == len(triples)
            for number, triple in enumerate(triples):
                if kinds[triple] == "spurious":
                    assert listed[number] == triple
            assert isinstance(outcome, Pair)
            written += 1
    assert written


@pytest.mark.slow
def test_a_planted_word_is_never_offered_for_change_by_default(obedient):
    """What every classifier uses and is no opinion stays; the paper's preset gives it away."""
    corpus = rows(planted=True)
    offered = {}
    for preset in (None, "paper"):
        llm = Noting(obedient)
        settings = {} if preset is None else {"preset": preset}
        method = create("coba", Tools(llm=llm), delete=0.0, top_k=TOP, **settings).fit(corpus)
        list(method.outcomes(corpus[:8]))
        edits = [one for one in llm.requests if one.prompt.startswith("coba/edit")]
        assert edits
        offered[preset] = 0
        for request in edits:
            may_change = material(request.messages[-1].content)[2]
            triples = [" ".join(elements(triple)).casefold() for triple in may_change]
            offered[preset] += any({"vale", "moor"} & words_of(triple) for triple in triples)
        (note,) = [one for one in method.artifact.notes if one.startswith("likely shortcuts")]
        assert "vale" in note
        assert ("never offered for change" in note) == (preset is None)
        assert ("not spared" in note) == (preset == "paper")
    assert offered[None] == 0
    assert offered["paper"] > 0


def test_the_settings_of_the_preset_give_way_to_those_that_are_given():
    """``preset`` is short for its settings; a variant's id depends on them and not on its name."""
    config = CobaConfig(preset="paper", attempts=3)
    assert (config.attempts, config.precedence, config.keep_words) == (3, "spurious", None)
    spelled_out = CobaConfig(
        calls="steps",
        principal="vote",
        vote="literal",
        precedence="spurious",
        keep_words=None,
        permute=True,
        gender="triples",
        attempts=1,
        verify=False,
    )
    assert CobaConfig(preset="paper").digest() == spelled_out.digest()


def test_the_preset_needs_a_language_model():
    """Rules do not take the paper's steps."""
    with pytest.raises(ConfigError, match="a language model does its steps"):
        create("coba", preset="paper")
