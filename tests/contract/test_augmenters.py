"""The promises of architecture's augmenter, for every registered method and for compositions."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.augmenters.base import Augmenter
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.types import Pair, Variant, example, refused
from augkit.testing import CHECKS, ORDINARY, check_augmenter, kit_of, no_network

pytestmark = pytest.mark.slow

METHODS = registry.names("augmenters")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_method_keeps_every_promise(method, check, needed_settings):
    """Each promise holds with a scripted model and no network."""
    with no_network():
        check(kit_of(method, settings=needed_settings(method)))


@pytest.fixture(scope="module")
def fitted(needed_settings):
    """A function from a method's name and a seed to the fitted method, made once."""
    return cache(lambda name, seed: kit_of(name, settings=needed_settings(name)).make(seed=seed))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40, deadline=None)
@given(text=st.text(), other=st.text(max_size=30), seed=st.sampled_from([-5, 0, 2**70]))
def test_any_text_is_answered(method, fitted, text, other, seed):
    """Whatever the text or the seed: a variant that differs, or a reason."""
    rows = [example(text, "negative"), example({"premise": other, "hypothesis": text}, "neutral")]
    for outcome in fitted(method, seed).outcomes(rows):
        if isinstance(outcome, Pair):
            assert dict(outcome.variant.fields) != dict(outcome.original.fields)
        else:
            assert outcome.reason


def listed(settings):
    """The id or the reason of every outcome, for some methods and their settings."""
    return [
        f"{name} {outcome.variant.id if isinstance(outcome, Pair) else outcome.reason}"
        for name, options in settings.items()
        for outcome in kit_of(name, settings=options).outcomes(ORDINARY, copies=2)
    ]


def test_another_process_gives_the_same_ids(needed_settings):
    """Nothing depends on how Python happens to hash strings."""
    settings = {name: needed_settings(name) for name in METHODS}
    code = (
        "import json, sys\n"
        "from augkit.core.types import Pair\n"
        "from augkit.testing import ORDINARY, kit_of\n"
        f"{inspect.getsource(listed)}\n"
        "print(json.dumps([hash('a'), listed(json.loads(sys.argv[1]))]))"
    )
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(settings)],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True,
        text=True,
        check=True,
    )
    other_hash, other_ids = json.loads(done.stdout)
    assert other_hash != hash("a")
    assert other_ids == listed(settings)
    assert len(other_ids) >= len(ORDINARY)


class Broken(Augmenter[MethodConfig]):
    """A method that breaks promises on demand."""

    name = "broken"
    Config = MethodConfig
    fault = ""
    calls = 0

    def propose(self, batch):
        """Drafts that are wrong in the way that ``fault`` says."""
        for number, parent in enumerate(batch):
            type(self).calls += 1
            if self.fault == "crash" and any("\x00" in text for text in parent.fields.values()):
                raise ValueError("NUL")
            new = {"place": f"{number}", "history": f"{self.calls}"}.get(self.fault, "x")
            fields = {name: f"{text} {new}" for name, text in parent.fields.items()}
            if self.fault == "reason" and number == 0:
                yield refused(parent, "")
            else:
                label = "other" if self.fault == "label" else parent.label
                yield Variant(parent, fields, label)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("", None),
        ("place", "batches of"),
        ("history", "differ from rows one by one|the same seed"),
        ("crash", "ValueError.*for"),
        ("label", "the label 'positive' became 'other', but .* pass contract='flipped'"),
        ("reason", "batches of|rejection without a reason|nothing was made"),
    ],
)
def test_the_checks_catch_what_they_are_for(fault, said):
    """A method that keeps its promises passes; one that breaks one is told which."""
    method = type("Faulty", (Broken,), {"fault": fault})
    if said is None:
        check_augmenter(method)
    else:
        with pytest.raises(AssertionError, match=said):
            check_augmenter(method)


class Replace(Augmenter[MethodConfig]):
    """A method that changes few texts."""

    name = "replace-app"
    Config = MethodConfig

    def propose(self, batch):
        """Drafts of texts with the word "app"."""
        for parent in batch:
            fields = {name: text.replace(" app", " shop") for name, text in parent.fields.items()}
            changed = fields != parent.fields
            yield Variant(parent, fields, parent.label) if changed else refused(parent, "no word")


def test_a_method_that_changes_no_ordinary_text_is_checked_on_others():
    """The message says what to pass, and with it the method passes."""
    with pytest.raises(AssertionError, match=r"nothing was made. Pass examples=\[augkit.example"):
        check_augmenter(Replace)
    rows = [("Ordered through the app.", "bad"), ("The app works.", "good"), ("It broke.", "bad")]
    check_augmenter(Replace, examples=[example(*row) for row in rows])
