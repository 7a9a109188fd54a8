"""Which cues are fixed: those that the user names, exactly as they are typed, or the shortcuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from augkit.commands.fix.forms import is_inside_words
from augkit.commands.fix.places import words_pattern
from augkit.core.errors import ConfigError, nearest
from augkit.core.types import Example
from augkit.shortcuts.cues import Cue, Feature, Findings
from augkit.shortcuts.phrases import GrownPhrase, TokenTexts
from augkit.text.features.kinds import FORMAT, formats, lowered_words, ngram_kind

_NEAR = 0.75
"""How alike the spelling of two names is, for one to be suggested."""


def named_cues(names: Sequence[str], examples: Sequence[Example], findings: Findings) -> list[Cue]:
    """The cues that somebody names; ``ConfigError`` where a name is in no text or says nothing."""
    return [_named_cue(name, examples, findings) for name in dict.fromkeys(names)]


def _named_cue(name: str, examples: Sequence[Example], findings: Findings) -> Cue:
    words = tuple(lowered_words(name))
    found = _found_cue(name, words, findings)
    if found is not None and not found.feature.words:
        return _of_a_whole_form(name, found, examples)
    features = _features(name, words, examples)
    counted = [_counted(feature, examples) for feature in features]
    cues = [cue for cue in counted if cue.rows]
    if not cues:
        raise ConfigError(_not_there(name, examples, findings))
    cue = max(cues, key=lambda cue: cue.phi)
    cue = _of_a_whole_form(name, cue, examples)
    if cue.gain <= 0:
        raise ConfigError(
            f"--cue {name}: {cue.rows:,} rows have it, and it goes with no label: there is nothing "
            "to fix"
        )
    return replace(cue, reads_on=_reads_on(cue, examples)) if words else cue


def _reads_on(cue: Cue, examples: Sequence[Example]) -> float | None:
    """How well the texts read on without the words."""
    import numpy as np

    texts = [row.fields[cue.feature.field] for row in examples]
    tokens = TokenTexts.read(texts)
    everywhere = np.ones(len(texts), dtype=bool)
    return tokens.reads_on(GrownPhrase(cue.phrase, tokens.places(cue.phrase, everywhere)))


def _of_a_whole_form(name: str, cue: Cue, examples: Sequence[Example]) -> Cue:
    """The cue; an error where it is a sign inside of words, which no rule takes out."""
    feature = cue.feature
    texts = [row.fields[feature.field] for row in examples if feature.field in row.fields]
    if is_inside_words(feature, texts):
        shown = next(text for text in texts if feature.name[5:] in text)[:40]
        raise ConfigError(
            f"--cue {name}: it is inside of words or numbers ({shown}), which no rule takes out. "
            "Write them alike in all texts"
        )
    return cue


def _found_cue(name: str, words: tuple[str, ...], findings: Findings) -> Cue | None:
    """The finding of that name."""
    written = {name.strip().lower(), " ".join(words), f"sign {name.strip()}"}
    for cue in findings.cues:
        phrase = tuple(token for token in cue.phrase if token[:1].isalnum())
        if cue.feature.name.lower() in written or (words and phrase == words):
            return cue
    return None


def _features(name: str, words: tuple[str, ...], examples: Sequence[Example]) -> list[Feature]:
    """What a name may mean: its words in each field, else a form of the texts."""
    fields = list(examples[0].fields)
    if words:
        kind = ngram_kind(len(words))
        return [Feature(field, kind, " ".join(words)) for field in fields]
    forms = (f"sign {name.strip()}", name.strip())
    return [Feature(field, FORMAT, form) for field in fields for form in forms]


def _counted(feature: Feature, examples: Sequence[Example]) -> Cue:
    """Count a feature, and take the label that it goes with most."""
    having: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    pattern = words_pattern(feature.words) if feature.words else None
    for row in examples:
        text = row.fields[feature.field]
        has_it = pattern.search(text) if pattern else feature.name in set(formats(text))
        labels[str(row.label)] += 1
        having[str(row.label)] += bool(has_it)
    rows = sum(having.values())
    total = len(examples)

    def phi_of(label: str) -> float:
        base = labels[label] / total
        spread = base * (1 - base) * rows * (total - rows)
        return (having[label] - base * rows) * sqrt(total) / sqrt(spread) if spread else 0.0

    label = max(labels, key=phi_of)
    base = labels[label] / total
    share = having[label] / rows if rows else 0.0
    return Cue(
        feature=feature,
        also=(),
        phrase=feature.words,
        label=label,
        rows=rows,
        of_label=having[label],
        base=base,
        share=share,
        gain=(share - base) / (1 - base),
        phi=phi_of(label),
        p=1.0,
        is_shortcut=True,
        reason="you named it",
    )


def _not_there(name: str, examples: Sequence[Example], findings: Findings) -> str:
    """That no text has a name, with the words that look like it."""
    known = [cue.feature.name for cue in findings.cues]
    if any(name.lower() in text.lower() for row in examples for text in row.fields.values()):
        return (
            f"--cue {name}: no text has it as a whole word. Type the whole word or phrase, as it "
            "stands in the texts"
        )
    near = nearest(name, known, _NEAR)
    return f"--cue {name}: no text has it." + (f" Did you mean '{near}'?" if near else "")
