"""Checks that every augmenter must pass, for augkit's own methods and for yours.

    from augkit.testing import check_augmenter

    def test_contract():
        check_augmenter("my-method")          # a registered name, or the class itself
        check_augmenter("joined", settings={"file": path})      # one that cannot do without

No model is needed: a scripted one answers every request with made-up text that fits what was
asked. A broken promise is an ``AssertionError`` that says which one and for which text.
"""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import isclose
from pathlib import Path
from typing import Any
from unittest import mock

import yaml

from augkit.augmenters.base import Augmenter
from augkit.core import registry
from augkit.core.config import parse_yaml, validate
from augkit.core.errors import ConfigError, NotFitted
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Tools
from augkit.core.types import EMPTY, FREE, Example, Outcome, Pair, Rejection, example
from augkit.llm.conforming import conforming
from augkit.llm.scripted import Scripted
from augkit.text.diff import apply

ORDINARY: tuple[Example, ...] = (
    *(
        example(text, label, columns={"number": number})
        for number, (text, label) in enumerate(
            [
                ("A truly wonderful movie with an excellent cast.", "positive"),
                ("The kids enjoyed the story, and so did I!", "positive"),
                ("Great acting; a big, warm-hearted film.", "positive"),
                ("An excellent, funny script. I started smiling at once.", "positive"),
                ("I bought it twice: excellent value, excellent service.", "positive"),
                ("A truly awful movie with a boring cast.", "negative"),
                ("The kids hated the story, and so did I!", "negative"),
                ("Terrible acting; a small, cold-hearted film.", "negative"),
                ("An awful, boring script. I stopped watching at once.", "negative"),
                ("It didn't work: awful value, awful service.", "negative"),
            ]
        )
    ),
    *(
        example({"premise": premise, "hypothesis": hypothesis}, label, columns={"number": number})
        for number, (premise, hypothesis, label) in enumerate(
            [
                ("A man buys a big house.", "Someone purchases a home.", "entailment"),
                ("Two kids watch a movie.", "Nobody watches anything.", "contradiction"),
                ("A black dog runs on the beach.", "A dog plays with a ball.", "neutral"),
            ],
            100,
        )
    ),
)
"""Labelled texts, single and in pairs, that most methods can change.

Each has a number of its own in the column ``number``, for methods that join rows with a file.
"""

HARD: tuple[Example, ...] = tuple(
    example(text, "negative")
    for text in [
        "",
        "   \n\t ",
        "Movie",
        "?!",
        "A good film. " * 3_000,
        "x" * 200_000,
        "Der Film war überraschend gut, aber zu lang.",
        "यह फिल्म बहुत अच्छी है।",
        "这部电影非常好看。",
        "😀 great 👨‍👩‍👧 movie 🎬!!",
        "<p class='a'>A <b>good</b> film &amp; more</p><br/>",
        "هذا الفيلم جيد جدا ويستحق المشاهدة",
        "\u202eהסרט הזה טוב מאוד\u202c",  # noqa: RUF001 - Hebrew is meant
        "a good\x00 film",
        "a good \ud800 film",
        "A  good\r\n\tfilm …\u00a0indeed\u2028again",
        "{{ film }} {% raw %} %s {0} \\1 $movie",
    ]
)
"""Texts that break careless code."""


class MeteredLLM:
    """Any LLM, with the cost of everything that was asked of it."""

    def __init__(self, llm: LLM) -> None:
        """Count what ``llm`` is asked."""
        self._llm = llm
        self.spent = FREE

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies of the model underneath."""
        replies = self._llm.generate(requests)
        self.spent = sum((reply.cost for reply in replies), self.spent)
        return replies


@dataclass
class Kit:
    """An augmenter under test: made anew for each question, with a scripted model."""

    method: type[Augmenter[Any]]
    examples: Sequence[Example] = ORDINARY
    settings: Mapping[str, Any] = EMPTY
    """What the method cannot do without: a file, a model's folder."""
    llm: MeteredLLM = field(default_factory=lambda: MeteredLLM(Scripted(conforming)))
    judged: bool = False
    """Whether a method that can do without a judge has one: a scripted judge likes nothing."""
    offline: bool = False
    """Whether a method that can do without a model has none, and works by its rules."""

    def tools(self) -> Tools:
        """The scripted model in every place where the method wants one."""
        if self.offline:
            return Tools()
        judge = self.llm if self.judged or "judge" in self.method.needs else None
        return Tools(llm=self.llm, judge=judge)

    def make(self, **settings: Any) -> Augmenter[Any]:
        """The augmenter, having learnt from the examples where it learns."""
        return self.unfitted(**settings).fit(self.examples)

    def unfitted(self, **settings: Any) -> Augmenter[Any]:
        """The augmenter as it is before it has seen the examples."""
        config = validate(self.method.Config, {**self.settings, **settings})
        return self.method(config, self.tools())

    def outcomes(self, examples: Sequence[Example], **settings: Any) -> list[Outcome]:
        """What a new augmenter gives for the examples."""
        return list(self.make(**settings).outcomes(examples))


def check_augmenter(
    method: str | type[Augmenter[Any]],
    examples: Sequence[Example] = ORDINARY,
    settings: Mapping[str, Any] = EMPTY,
) -> None:
    """Run every check on a registered name or a class, without a network.

    ``settings`` are those that the method cannot be made without.
    """
    kit = kit_of(method, examples, settings)
    with no_network():
        for check in CHECKS:
            check(kit)


def kit_of(
    method: str | type[Augmenter[Any]],
    examples: Sequence[Example] = ORDINARY,
    settings: Mapping[str, Any] = EMPTY,
) -> Kit:
    """What the single checks take."""
    found = registry.find("augmenters", method) if isinstance(method, str) else method
    return Kit(found, examples, settings)


def batches_do_not_matter(kit: Kit) -> None:
    """One by one, in batches of any size and in any order, each row gives the same."""
    if kit.method.scope != "example":
        return
    augmenter = kit.make(copies=2)
    alone = {row.id: list(augmenter.outcomes([row])) for row in kit.examples}
    for size in (1, 3, 1000):
        for rows in (kit.examples, kit.examples[::-1]):
            together = kit.outcomes(rows, copies=2, batch_size=size)
            expected = [outcome for row in rows for outcome in alone[row.id]]
            _same(kit, together, expected, f"batches of {size} differ from rows one by one")


def the_same_work_gives_the_same_ids(kit: Kit) -> None:
    """Two augmenters with one seed and one config agree in everything, ids included."""
    first, second = (kit.outcomes(kit.examples, seed=7, copies=2) for _ in range(2))
    _same(kit, first, second, "the same seed gave something else")
    ids = [pair.variant.id for pair in _pairs(first)]
    _hold(kit, len(ids) == len(set(ids)), "two variants have one id")


def edits_lead_to_the_variant(kit: Kit) -> None:
    """A variant names existing parents, and its edits turn the first one into it."""
    known = {row.id: row for row in kit.examples}
    for pair in _pairs(kit.outcomes(kit.examples, copies=2)):
        parents = pair.provenance.parents
        _hold(kit, bool(parents) and set(parents) <= set(known), "a parent does not exist", pair)
        before = known[parents[0]].fields
        _hold(kit, _spans_fit(pair, before), "an edit's 'before' is not in the parent", pair)
        after = apply(before, pair.provenance.edits)
        _hold(kit, after == dict(pair.variant.fields), "the edits do not give the variant", pair)


def nothing_is_re_emitted(kit: Kit) -> None:
    """No variant equals its original or is one of the inputs, and none is given twice."""
    seen: set[tuple[str, ...]] = set()
    for pair in _pairs(kit.outcomes(kit.examples, copies=3)):
        content = (pair.original.id, str(pair.variant.label), *pair.variant.fields.values())
        same = dict(pair.variant.fields) == dict(pair.original.fields)
        _hold(kit, not same, "a variant equals its original", pair)
        _hold(kit, pair.variant.id not in {row.id for row in kit.examples}, "an input came out")
        _hold(kit, content not in seen, "one variant was given twice", pair)
        seen.add(content)


def the_config_survives_yaml(kit: Kit) -> None:
    """Settings written as YAML and read again are the same; a wrong key is told the right one."""
    config = kit.make(seed=3).config
    written = yaml.safe_dump(config.model_dump(mode="json"))
    read = validate(kit.method.Config, parse_yaml(written, "round trip"))
    _hold(kit, read == config, "the config changed on its way through YAML")
    try:
        validate(kit.method.Config, {"seeed": 3})
    except ConfigError as error:
        _hold(kit, "'seed'" in str(error), f"a wrong key was not told the nearest: {error}")
    else:
        _hold(kit, condition=False, what="an unknown key was accepted")


def costs_add_up(kit: Kit) -> None:
    """The cost over everything kept and refused is what the model was paid."""
    for judged in (False, True):
        checked = replace(kit, judged=judged)
        augmenter = checked.make(copies=2)
        total = kit.llm.spent
        for outcome in augmenter.outcomes(kit.examples):
            total += outcome.provenance.cost if isinstance(outcome, Pair) else outcome.cost
        same = replace(total, usd=0) == replace(kit.llm.spent, usd=0)
        _hold(
            kit,
            same and isclose(total.usd, kit.llm.spent.usd),
            f"costs add up to {total}, paid: {kit.llm.spent}",
        )


def something_is_made(kit: Kit) -> None:
    """With the scripted model alone, at least one ordinary text has a variant."""
    outcomes = kit.outcomes(kit.examples)
    reasons = {outcome.reason for outcome in outcomes if isinstance(outcome, Rejection)}
    _hold(kit, bool(_pairs(outcomes)), f"nothing was made; reasons: {sorted(reasons)}")


def hard_texts_do_not_crash(kit: Kit) -> None:
    """Empty, long, foreign, broken or marked-up texts give a variant or a stated rejection."""
    for row in HARD:
        _answered(kit, row)
        hard_pair = {"premise": "A good film.", "hypothesis": row.fields["text"]}
        _answered(kit, example(hard_pair, row.label))


def what_was_learnt_can_be_kept(kit: Kit) -> None:
    """A method that learns says so when it has not, and its artifact survives being saved."""
    learns = kit.method.learns
    if learns is None:
        return
    kit = replace(kit, judged=True)  # a method may learn for its judge alone
    fresh = kit.unfitted()
    try:
        list(fresh.outcomes(kit.examples))
    except NotFitted:
        pass
    else:
        _hold(kit, condition=False, what="it worked before it had seen the corpus")
    fitted = kit.make()
    with tempfile.TemporaryDirectory() as folder:
        fitted.artifact.save(Path(folder))
        again = fresh.with_artifact(learns.load(Path(folder)))
    expected = list(fitted.outcomes(kit.examples))
    _same(kit, list(again.outcomes(kit.examples)), expected, "what was saved is another")


CHECKS: tuple[Callable[[Kit], None], ...] = (
    batches_do_not_matter,
    the_same_work_gives_the_same_ids,
    edits_lead_to_the_variant,
    nothing_is_re_emitted,
    the_config_survives_yaml,
    costs_add_up,
    something_is_made,
    hard_texts_do_not_crash,
    what_was_learnt_can_be_kept,
)
"""One function a promise; each takes a ``Kit``."""


@contextmanager
def no_network() -> Iterator[None]:
    """Make every attempt to open a connection fail while this lasts."""

    def refuse(_: socket.socket, address: object) -> None:
        raise AssertionError(f"an augmenter under test tried to reach {address}")

    with mock.patch.object(socket.socket, "connect", refuse):
        yield


def _answered(kit: Kit, row: Example) -> None:
    shown = {name: text[:40] for name, text in row.fields.items()}
    try:
        outcomes = kit.outcomes([row])
    except Exception as error:
        raise AssertionError(f"{kit.method.name}: {error!r} for {shown!r}") from error
    _hold(kit, bool(outcomes), f"no answer at all for {shown!r}")
    for outcome in outcomes:
        said = isinstance(outcome, Pair) or bool(outcome.reason)
        _hold(kit, said, f"a rejection without a reason for {shown!r}")


def _spans_fit(pair: Pair, before: Any) -> bool:
    return all(
        before[edit.field][edit.start : edit.end] == edit.before for edit in pair.provenance.edits
    )


def _pairs(outcomes: Sequence[Outcome]) -> list[Pair]:
    return [outcome for outcome in outcomes if isinstance(outcome, Pair)]


def _same(kit: Kit, got: list[Outcome], expected: list[Outcome], what: str) -> None:
    for one, other in zip(got, expected, strict=False):
        _hold(kit, one == other, f"{what}: {one} instead of {other}")
    _hold(kit, len(got) == len(expected), f"{what}: {len(got)} outcomes, not {len(expected)}")


def _hold(kit: Kit, condition: bool, what: str, pair: Pair | None = None) -> None:
    if not condition:
        where = f" ({dict(pair.original.fields)} → {dict(pair.variant.fields)})" if pair else ""
        raise AssertionError(f"{kit.method.name}: {what}{where}")
