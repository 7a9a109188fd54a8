"""Tables of grammar features for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.core.results import Table

_SHOWN_PATTERNS = 5


def tables_of(
    records: Sequence[Mapping[str, Any]], ruled: Sequence[Mapping[str, Any]]
) -> tuple[Table, ...]:
    """The groups, the rules and, where there is one, a classifier on the groups."""
    header = ("root", "label", "patterns", "rows", "share", "held-out share", "corrected p")
    lines = [
        (str(record["root"]), record["label"], _patterns(record), *_figures(record))
        for record in records
    ]
    tables = [Table("Subtrees by root and label, strongest first", header, lines)]
    header = ("rule", "label", "for example", *header[3:])
    lines = [
        (record["rule"], record["label"], record["example"], *_figures(record)) for record in ruled
    ]
    tables.append(Table("Rules, strongest first", header, lines))
    if records and "linear" in records[0]:
        tables.append(_classifier_table(records))
    return tuple(tables)


def _classifier_table(records: Sequence[Mapping[str, Any]]) -> Table:
    header = (
        "root",
        "label",
        "patterns",
        "rows that agree",
        "accuracy",
        "others",
        "accuracy there",
    )
    lines = [
        (
            str(record["root"]),
            record["label"],
            _patterns(record),
            f"{record['linear']['supporting']:,}",
            _percent(record["linear"]["supporting_accuracy"]),
            f"{record['linear']['counter']:,}",
            _percent(record["linear"]["counter_accuracy"]),
        )
        for record in records
    ]
    return Table("A linear classifier on held-out rows that hold a group", header, lines)


def _patterns(record: Mapping[str, Any]) -> str:
    return " · ".join(pattern["pattern"] for pattern in record["patterns"][:_SHOWN_PATTERNS])


def _figures(record: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return (
        f"{record['count']:,}",
        _percent(record["share"]),
        _percent(record["held_out_share"]),
        f"{record['corrected_p']:.2g}",
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


_COLOURS = ("#3b6ea8", "#c8553d", "#6a9955", "#8e6bb0", "#c49a3a", "#5b8c8c")
_PATTERNS = 3
_LONGEST = 44


def draw_groups(records: Sequence[Mapping[str, Any]], names: Sequence[str], path: Path) -> None:
    """Write an SVG with one bar a group: shares of the labels among its held-out rows.

    A mark on the bar is the share of the group's own label on the picking rows, so that what did
    not hold up is seen at once. Beside the bar is the number of held-out rows.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    shown = [record for record in records if record["held_out_count"]]
    figure = Figure(figsize=(9, 1.1 + 0.32 * len(shown)))
    axes = figure.add_subplot()
    for position, record in enumerate(shown):
        _bar(axes, position, record, names)
    axes.set_yticks(range(len(shown)), [_name(record) for record in shown], fontsize=8)
    axes.set_ylim(len(shown) - 0.4, -0.6)  # the first on top
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the labels among held-out rows that hold the feature")
    handles = [
        Patch(color=_COLOURS[number % len(_COLOURS)], label=name)
        for number, name in enumerate(names)
    ]
    figure.legend(handles=handles, loc="upper center", ncols=min(len(names), 4), fontsize=8)
    figure.tight_layout(rect=(0, 0, 1, 0.96))
    # Text stays text and ids do not change from run to run.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "augkit"}):
        figure.savefig(str(path), format="svg", metadata={"Date": None})


def _bar(axes: Any, position: int, record: Mapping[str, Any], names: Sequence[str]) -> None:
    """The group's own label first, so that bars can be compared."""
    counts, total = record["held_out_counts"], record["held_out_count"]
    own = record["label"]
    left = 0.0
    for name in [own, *(name for name in names if name != own)]:
        share = counts[name] / total
        colour = _COLOURS[list(names).index(name) % len(_COLOURS)]
        axes.barh(position, share, left=left, color=colour, height=0.7)
        left += share
    axes.plot(
        [record["share"]] * 2, [position - 0.42, position + 0.42], color="black", linewidth=1.5
    )
    axes.text(1.01, position, f"{total:,}", va="center", fontsize=8)


def _name(record: Mapping[str, Any]) -> str:
    words = ", ".join(pattern["pattern"] for pattern in record["patterns"][:_PATTERNS])
    cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    return f"{record['root']}: {cut}".replace("$", r"\$")
