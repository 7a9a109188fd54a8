"""EDA written out plainly, with nothing kept or shared: the method gives the same."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.augmenters.baselines.eda import casing
from augkit.augmenters.create import create
from augkit.core.edits import Edit, apply
from augkit.core.types import Pair, example
from augkit.lexicons.load import synonyms
from augkit.text.articles import refit
from augkit.text.casing import match_case
from augkit.text.hash_random import HashRandom
from augkit.text.tokens import plain_word_spans

NAMES = ["replace", "insert", "swap", "delete"]
NEGATIONS = "no not never none nothing nobody nowhere neither nor cannot without hardly".split()
WORDS = (
    "a an An the film movies FILM Good good bad, (excellent) old hour not no I it's 3 <br> ;"
    " kids kids"
).split()
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).flatmap(
    lambda words: st.sampled_from([" ", "  ", "\n"]).map(lambda space: space.join(words))
)
WEIGHTS = st.lists(st.sampled_from([0, 0.3, 1, 2.5]), min_size=4, max_size=4).filter(any)


def plainly(parent, asked, draws):
    """The text of one variant and its edits; None where nothing can be changed."""
    text = parent.fields["text"]
    spans = plain_word_spans(text)
    words = [text[start:end] for start, end in spans]
    count = max(1, int(asked["alpha"] * len(words)))
    left = {name: asked[name] for name in NAMES if asked[name]}
    while left:
        name = chosen(left, draws)
        changed = {"replace": replaced, "insert": inserted, "swap": swapped, "delete": deleted}[
            name
        ](words, count, draws)
        if changed:
            changed = with_articles(text, spans, words, changed)
            edits = made(text, spans, changed)
            return apply(parent.fields, edits)["text"], edits
        del left[name]
    return None


def chosen(weights, draws):
    point = draws.below(1 << 30) * sum(weights.values()) / (1 << 30)
    for name, weight in weights.items():
        point -= weight
        if point < 0:
            return name
    return list(weights)[-1]


def replaced(words, count, draws):
    known = [at for at, word in enumerate(words) if word.lower() in synonyms()]
    changed = {}
    for at in draws.sample(known, count):
        others = synonyms()[words[at].lower()]
        changed[at] = match_case(others[draws.below(len(others))], words[at])
    return changed


def inserted(words, count, draws):
    """Synonyms after words."""
    known = [word.lower() for word in words if word.lower() in synonyms()]
    changed = {}
    for at in draws.sample(range(len(words)), count) if known else ():
        others = synonyms()[known[draws.below(len(known))]]
        new = others[draws.below(len(others))]
        shouted = words[at].isupper() and len(words[at]) > 1
        changed[at] = f"{words[at]} {new.upper() if shouted else new}"
    return changed


def swapped(words, count, draws):
    alike = {"lower": []}
    for at in sorted(range(len(words)), key=lambda at: not words[at].islower()):
        alike.setdefault(casing(words[at]), []).append(at)
    groups = [group for group in alike.values() if len({words[at] for at in group}) > 1]
    order = list(words)
    for _ in range(count if groups else 0):
        group = groups[0]
        if len(groups) > 1:
            number = draws.below(sum(map(len, groups)))
            group = next(
                group for at, group in enumerate(groups) if number < sum(map(len, groups[: at + 1]))
            )
        first = group[draws.below(len(group))]
        second = group[draws.below(len(group))]
        while order[first] == order[second]:
            second = group[draws.below(len(group))]
        order[first], order[second] = order[second], order[first]
    return {at: new for at, new in enumerate(order) if new != words[at]}


def deleted(words, count, draws):
    spare = [
        at
        for at, word in enumerate(words)
        if word.lower() not in NEGATIONS and casing(word) != "Capitalised"
    ]
    return dict.fromkeys(draws.sample(spare, min(count, len(words) - 1)), "")


def with_articles(text, spans, words, changed):
    """The article before a changed word follows it, where only space is between them."""
    fitted = dict(changed)
    for at, word in enumerate(words[:-1]):
        if word not in {"a", "an", "A", "An", "AN"} or not {at, at + 1} & set(changed):
            continue
        head, *inserted = changed.get(at, word).split(" ")
        following = inserted[0] if inserted else ""
        for later in range(at + 1, len(words)):
            between = text[spans[later - 1][1] : spans[later][0]]
            if following or not re.fullmatch(r"\s+", between):
                break
            following = changed.get(later, words[later]).split(" ")[0]
        if head == word and following:
            fitted[at] = " ".join([refit(head, words[at + 1], following), *inserted])
    return {at: new for at, new in fitted.items() if new != words[at]}


def made(text, spans, changed):
    """The edits; a deleted word takes a space along."""
    edits = []
    for at in sorted(changed):
        start, end = spans[at]
        if (
            not changed[at]
            and text[:start][-1:].isspace()
            and start > (edits[-1].end if edits else 0)
        ):
            start -= 1
        elif not changed[at] and text[end:][:1].isspace():
            end += 1
        edits.append(Edit("text", start, end, text[start:end], changed[at]))
    return tuple(edits)


@pytest.mark.slow
@settings(deadline=None)
@given(TEXT, st.integers(0, 3), st.sampled_from([0.1, 0.4, 1.0]), WEIGHTS)
def test_eda_gives_what_its_rules_written_out_plainly_give(text, seed, alpha, weights):
    """Every copy of every text has the words and the edits of the obvious way, or none has any."""
    asked = {"seed": seed, "alpha": alpha, **dict(zip(NAMES, weights, strict=True))}
    parent = example(text)
    draws = HashRandom(parent.id, str(seed), "eda")
    expected = [plainly(parent, asked, draws) if plain_word_spans(text) else None for _ in range(3)]
    augmenter = create("eda", copies=3, **asked)
    for draft in augmenter.propose([parent]):
        found = (draft.fields["text"], draft.edits) if not draft.reason else None
        assert found == expected[draft.copy]
    for outcome in augmenter.outcomes([parent]):
        if isinstance(outcome, Pair):
            signed = outcome.provenance
            assert (outcome.variant.fields["text"], signed.edits) == expected[signed.copy]
