"""What needs no statistics: repeated rows, leakage, forbidden words, label balance, language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from augkit.commands.check.choice_rows import CheckedChoices
from augkit.commands.check.contract import (
    BalanceSection,
    ConflictsSection,
    DuplicatesSection,
    EmptySection,
    EqualSection,
    LanguageSection,
    LeakageSection,
    WordsSection,
    fields_to_check,
)
from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.rows import CheckedRows, TextRows
from augkit.core.errors import ConfigError, DataError, nearest
from augkit.text.printable import counted

_SHOWN_ROWS = 20


def check_duplicates(rows: TextRows, section: DuplicatesSection) -> CheckRun:
    """Rows whose texts and label were there before, whatever their case and spaces."""
    seen: set[tuple[str, str]] = set()
    repeated = []
    for number, row in enumerate(zip(rows.keys, rows.labels, strict=True)):
        if row in seen:
            repeated.append(number)
        seen.add(row)
    unit = rows.unit
    what = f"{unit}s repeat an earlier {unit}"
    return _share("duplicates", what, repeated, len(rows), section.limit)


def check_conflicts(rows: TextRows, section: ConflictsSection) -> CheckRun:
    """Rows with the same texts and different labels."""
    labels: dict[str, set[str]] = defaultdict(set)
    for key, label in zip(rows.keys, rows.labels, strict=True):
        labels[key].add(label)
    conflicting = [number for number, key in enumerate(rows.keys) if len(labels[key]) > 1]
    what = "rows have the texts of a row with another label"
    if rows.unit == "item":
        what = "items have the candidates of an item with another winner"
    return _share("conflicting_labels", what, conflicting, len(rows), section.limit)


def check_equal(rows: CheckedChoices, section: EqualSection) -> CheckRun:
    """Choices in which a winner has the text of a loser."""
    equal = []
    for number, choice in enumerate(rows.choices):
        texts = [" ".join(text.split()) for text in choice.candidates]
        won = {texts[place] for place in choice.winners}
        losers = (text for place, text in enumerate(texts) if place not in choice.winners)
        if not won.isdisjoint(losers):
            equal.append(number)
    what = "items have a winner and a loser with the same text"
    return _share("equal_candidates", what, equal, len(rows), section.limit)


def check_empty(rows: CheckedChoices, section: EmptySection) -> CheckRun:
    """Choices with a candidate that has no text."""
    empty = [n for n, c in enumerate(rows.choices) if not all(map(str.strip, c.candidates))]
    what = "items have an empty candidate"
    return _share("empty_candidates", what, empty, len(rows), section.limit)


def check_leakage(rows: TextRows, section: LeakageSection, test: TextRows) -> CheckRun:
    """Rows of the test set whose texts are in this dataset; the rows shown are of this one."""
    if test.fields != rows.fields:
        raise DataError(
            f"the test set {test.source} has the text fields {', '.join(test.fields)}, and "
            f"{rows.source} has {', '.join(rows.fields)}: name them with --text-column"
        )
    held = dict(zip(test.keys, test.word_keys, strict=True))
    leaked = held.keys() & set(rows.keys)
    own_words = set(rows.word_keys) - {""}
    near = {key for key, words in held.items() if words in own_words} - leaked
    share, near_share = (len(keys) / max(len(held), 1) for keys in (leaked, leaked | near))
    summary = f"{len(leaked):,} of {len(held):,} test texts are in this dataset ({share:.1%})"
    if near:
        summary += (
            f", and {len(near):,} more but for punctuation and digits ({near_share:.1%} in all)"
        )
    if share <= section.limit and near_share <= section.near_limit:
        return CheckRun("leakage", f"{summary}; limit {section.limit:.1%}")
    what, value, limit, words = "", share, section.limit, set[str]()
    if share <= section.limit:
        what, value, limit = " in all", near_share, section.near_limit
        words = {held[key] for key in near}
    keys = zip(rows.keys, rows.word_keys, strict=True)
    shown = [n for n, (key, word_key) in enumerate(keys) if key in leaked or word_key in words]
    message = f"{summary}; limit {limit:.1%}{what}"
    finding = Finding("leakage", message, value, limit, rows=tuple(shown[:_SHOWN_ROWS]))
    return CheckRun("leakage", message, [finding])


def check_words(rows: TextRows, section: WordsSection) -> CheckRun:
    """Words and phrases that must not occur, one finding each."""
    name = "forbidden_words"
    fields = fields_to_check(name, section.fields, rows.fields)
    columns = list(zip(*(rows.texts[field] for field in fields), strict=True))
    findings = []
    for word in section.words:
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
        hits = [n for n, texts in enumerate(columns) if any(map(pattern.search, texts))]
        if hits:
            shown = hits[:_SHOWN_ROWS]
            message = f"'{word}' occurs in {counted(len(hits), rows.unit)}"
            times = float(len(hits))
            finding = Finding(name, message, times, 0.0, feature=word, rows=tuple(shown))
            findings.append(finding)
    return CheckRun(name, f"{len(section.words):,} words", findings)


def check_balance(rows: CheckedRows, section: BalanceSection) -> CheckRun:
    """The share of the rarest label."""
    counts = Counter(rows.labels)
    label, rarest = min(counts.items(), key=lambda item: (item[1], item[0]))
    share = rarest / len(rows)
    message = f"'{label}' is the label of {share:.1%} of {len(rows):,} rows"
    if share >= section.limit:
        return CheckRun("label_balance", f"{message}; at least {section.limit:.1%}")
    message += f"; at least {section.limit:.1%} must have it"
    finding = Finding("label_balance", message, share, section.limit, feature=label)
    return CheckRun("label_balance", message, [finding])


def check_language(rows: TextRows, section: LanguageSection) -> CheckRun:
    """Rows with a text in another language."""
    from augkit.english.english import OTHER_SCRIPT, not_english
    from augkit.lexicons.load import trigram_languages

    known = ["en", *trigram_languages(), OTHER_SCRIPT]
    for code in section.allowed:
        if code not in known:
            near = nearest(code, known)
            hint = f" Did you mean '{near}'?" if near else ""
            raise ConfigError(
                f"language.allowed: '{code}' is not a known language.{hint} Known: "
                f"{', '.join(sorted(known))}"
            )
    foreign, languages = [], Counter[str]()
    for number, texts in enumerate(zip(*rows.texts.values(), strict=True)):
        not_allowed = {not_english(text) or "en" for text in texts} - set(section.allowed)
        languages.update(not_allowed)
        if not_allowed:
            foreign.append(number)
    named = ", ".join(f"{code} {count:,}" for code, count in languages.most_common(5))
    what = f"{rows.unit}s are in another language" + (f" ({named})" if named else "")
    return _share("language", what, foreign, len(rows), section.limit)


def _share(check: str, what: str, numbers: Sequence[int], total: int, limit: float) -> CheckRun:
    """A share of rows that must not be over a limit."""
    share = len(numbers) / total
    message = f"{len(numbers):,} of {total:,} {what} ({share:.1%}); limit {limit:.1%}"
    if share <= limit:
        return CheckRun(check, message)
    shown = tuple(numbers[:_SHOWN_ROWS])
    return CheckRun(check, message, [Finding(check, message, share, limit, rows=shown)])
