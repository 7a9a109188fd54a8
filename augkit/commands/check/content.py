"""What needs no statistics: repeated rows, leakage, forbidden words, label balance, language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from augkit.commands.check.choice_rows import EMPTY, EQUAL, CheckedChoices
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
from augkit.commands.check.rows import CheckedRows, RowsOfDataset
from augkit.core.errors import ConfigError, DataError, nearest
from augkit.text.printable import counted

_SHOWN_ROWS = 20


def check_duplicates(rows: RowsOfDataset, section: DuplicatesSection) -> CheckRun:
    """Rows whose texts and label were there before, whatever their case, spaces and last signs."""
    import numpy as np

    # Sorted so that equal rows follow each other in their order.
    order = np.lexsort((rows.all_labels, rows.all_keys))
    same = [np.diff(column[order]) == 0 for column in (rows.all_keys, rows.all_labels)]
    repeated = np.sort(order[1:][same[0] & same[1]])
    unit = rows.unit
    what = f"{unit}s repeat an earlier {unit}"
    return _share("duplicates", what, repeated.tolist(), rows.total, section.limit)


def check_conflicts(rows: RowsOfDataset, section: ConflictsSection) -> CheckRun:
    """Rows with the same texts and different labels."""
    import numpy as np

    order = np.argsort(rows.all_keys, kind="stable")
    keys = rows.all_keys[order]
    labels = rows.all_labels[order]
    starts = np.flatnonzero(np.append(True, np.diff(keys) != 0))
    differ = np.minimum.reduceat(labels, starts) < np.maximum.reduceat(labels, starts)
    sizes = np.diff(starts, append=len(keys))
    conflicting = np.sort(order[np.repeat(differ, sizes)]).tolist()
    what = "rows have the texts of a row with another label"
    if rows.unit == "item":
        what = "items have the candidates of an item with another winner"
    return _share("conflicting_labels", what, conflicting, rows.total, section.limit)


def check_equal(rows: CheckedChoices, section: EqualSection) -> CheckRun:
    """Choices in which a winner has the text of a loser."""
    equal = rows.flagged(EQUAL)
    what = "items have a winner and a loser with the same text"
    return _share("equal_candidates", what, equal, rows.total, section.limit)


def check_empty(rows: CheckedChoices, section: EmptySection) -> CheckRun:
    """Choices with a candidate that has no text."""
    empty = rows.flagged(EMPTY)
    what = "items have an empty candidate"
    return _share("empty_candidates", what, empty, rows.total, section.limit)


def check_leakage(rows: RowsOfDataset, section: LeakageSection, test: RowsOfDataset) -> CheckRun:
    """Rows of the test set whose texts are in this dataset; the rows shown are of this one."""
    import numpy as np

    if test.fields != rows.fields:
        raise DataError(
            f"the test set {test.source} has the text fields {', '.join(test.fields)}, and "
            f"{rows.source} has {', '.join(rows.fields)}: name them with --text-column"
        )
    held, first = np.unique(test.all_keys, return_index=True)
    held_words = test.all_word_keys[first]
    is_leaked = np.isin(held, rows.all_keys)
    is_near = ~is_leaked & (held_words != 0) & np.isin(held_words, rows.all_word_keys)
    leaked = held[is_leaked]
    near = held[is_near]
    shares = (len(leaked) / max(len(held), 1), (len(leaked) + len(near)) / max(len(held), 1))
    share, near_share = shares
    summary = f"{len(leaked):,} of {len(held):,} test texts are in this dataset ({share:.1%})"
    if len(near):
        summary += f", and {len(near):,} more but for punctuation ({near_share:.1%} in all)"
    if share <= section.limit and near_share <= section.near_limit:
        return CheckRun("leakage", f"{summary}; limit {section.limit:.1%}")
    what = ""
    value = share
    limit = section.limit
    words = near[:0]
    if share <= section.limit:
        what = " in all"
        value = near_share
        limit = section.near_limit
        words = held_words[is_near]
    shows = np.isin(rows.all_keys, leaked) | np.isin(rows.all_word_keys, words)
    shown = np.flatnonzero(shows)[:_SHOWN_ROWS].tolist()
    message = f"{summary}; limit {limit:.1%}{what}"
    finding = Finding("leakage", message, value, limit, rows=tuple(shown))
    return CheckRun("leakage", message, [finding])


def check_words(rows: RowsOfDataset, section: WordsSection) -> CheckRun:
    """Words and phrases that must not occur, one finding each."""
    name = "forbidden_words"
    fields = fields_to_check(name, section.fields, rows.fields)
    places = [rows.fields.index(field) for field in fields]
    patterns = [
        re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE) for word in section.words
    ]
    hits_of: list[list[int]] = [[] for _ in patterns]
    for number, texts in enumerate(rows.read_again()):
        for pattern, hits in zip(patterns, hits_of, strict=True):
            if any(pattern.search(texts[place]) for place in places):
                hits.append(number)
    findings = []
    for word, hits in zip(section.words, hits_of, strict=True):
        if hits:
            shown = hits[:_SHOWN_ROWS]
            message = f"'{word}' occurs in {counted(len(hits), rows.unit)}"
            times = float(len(hits))
            finding = Finding(name, message, times, 0.0, feature=word, rows=tuple(shown))
            findings.append(finding)
    return CheckRun(name, f"{len(section.words):,} words", findings)


def check_balance(rows: CheckedRows, section: BalanceSection) -> CheckRun:
    """The share of the rarest label."""
    label, rarest = min(rows.label_counts.items(), key=lambda count: (count[1], count[0]))
    share = rarest / rows.total
    message = f"'{label}' is the label of {share:.1%} of {rows.total:,} rows"
    if share >= section.limit:
        return CheckRun("label_balance", f"{message}; at least {section.limit:.1%}")
    message += f"; at least {section.limit:.1%} must have it"
    finding = Finding("label_balance", message, share, section.limit, feature=label)
    return CheckRun("label_balance", message, [finding])


def check_language(rows: RowsOfDataset, section: LanguageSection) -> CheckRun:
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
    foreign = []
    languages = Counter[str]()
    for number, texts in enumerate(zip(*rows.texts.values(), strict=True)):
        not_allowed = {not_english(text) or "en" for text in texts} - set(section.allowed)
        languages.update(not_allowed)
        if not_allowed:
            foreign.append(rows.numbers[number])
    named = ", ".join(f"{code} {count:,}" for code, count in languages.most_common(5))
    what = f"{rows.unit}s are in another language" + (f" ({named})" if named else "")
    return _share("language", what, foreign, len(rows), section.limit)


def _share(check: str, what: str, numbers: Sequence[int], total: int, limit: float) -> CheckRun:
    """A share of rows that must not be over a limit."""
    share = len(numbers) / total
    message = f"{len(numbers):,} of {total:,} {what} ({share:.1%}); limit {limit:.1%}"
    if share <= limit:
        return CheckRun(check, message, count=len(numbers))
    shown = tuple(numbers[:_SHOWN_ROWS])
    finding = Finding(check, message, share, limit, rows=shown)
    return CheckRun(check, message, [finding], count=len(numbers))
