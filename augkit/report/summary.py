"""The end of a run on a terminal: counts, reasons, cost, and three variants to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from augkit.core.choices import holds_choice
from augkit.core.edits import Edit
from augkit.core.json_files import find_json
from augkit.evaluation.run_effects import label_shift, shortcut_lines
from augkit.report.terminal import money_spent
from augkit.runs.manifest import ADVICE, Manifest, read_manifest
from augkit.runs.records import RUN_INFO, VariantRecord, read_variants
from augkit.shortcuts.thinning import NEW_SHORTCUT
from augkit.text.printable import counted, options_line, printable, shown_labels
from augkit.text.screen import safe_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_SHOWN = 3
_REASONS = 5
_WIDEST = 300
"""Characters of a text shown; a review can be a page long."""
_BEFORE = 60
"""Characters shown before the first edit of a longer text."""


def print_summary(folder: Path) -> None:
    """What a finished run did, with three before/after examples and where the files are."""
    console = safe_console()
    manifest = read_manifest(folder)
    run_info = find_json(folder / RUN_INFO, dict, ADVICE) or {}
    _print_examples(console, folder)
    _print_counts(console, manifest, run_info.get("caveats", []), shortcut_lines(folder))
    console.print(f"\n{folder}", style="bold", soft_wrap=True)
    console.print(f"  dataset.jsonl   the new training set ({manifest.mix})")
    console.print("  variants.jsonl  every variant with its edits and parents")
    console.print("  rejected.jsonl  every rejection with its reason")
    console.print("  manifest.json   settings, versions, counts, cost")
    console.print("  report.html     a report for your browser")
    console.print("  README.md       a card of the dataset, for whoever gets it")


def print_estimate(estimate: Mapping[str, object]) -> None:
    """What a run would do; marked as an estimate."""
    from rich.text import Text

    console = safe_console()
    nothing = ": nothing was written, nothing was spent."
    console.print(Text.assemble(("Dry run", "bold"), nothing))
    for key, value in estimate.items():
        console.print(printable(f"  {key:<18}{value}"), soft_wrap=True)


def _print_counts(
    console: Console, manifest: Manifest, caveats: list[str], shortcuts: list[str]
) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    counts = manifest.counts
    cost = manifest.cost
    dataset = manifest.dataset
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    table.add_row("method", manifest.method)
    if options := manifest.settings.get("options"):
        table.add_row("settings", printable(options_line(options)))
    part = "" if counts.read == dataset.rows else f"{counts.read:,} of "
    rows = "items" if dataset.choices else "rows"
    table.add_row("dataset", printable(f"{dataset.name}: {part}{dataset.rows:,} {rows}"))
    for name, answers in _answers(manifest):
        table.add_row(name, answers)
    for index, note in enumerate(manifest.fitted):
        table.add_row("" if index else "fitted", printable(note))
    table.add_row("augmented", f"{counts.selected:,} {rows}")
    rejected = f"{counts.rejected:,} {'rejected or left out' if dataset.choices else 'rejected'}"
    accepted = (f"{counts.accepted:,} accepted", "green")
    table.add_row("variants", Text.assemble(accepted, f", {rejected}"))
    for line in _of_the_variants(manifest):
        table.add_row("", line)
    reasons = list(manifest.rejected_by_reason.items())
    rare = [number for _, number in reasons[_REASONS:]]
    others = [(f"others ({len(rare)})", sum(rare))] if rare else []
    for reason, number in [*reasons[:_REASONS], *others]:
        times = "time" if number == 1 else "times"
        table.add_row("", Text(f"{number:,} {times}: {printable(reason)}", "dim"))
    for caveat in [*filter(None, [counts.open_line]), *caveats, *_caveats(manifest)]:
        table.add_row("caveat", Text(printable(caveat), "yellow"))
    if result := _result(manifest):
        table.add_row("result", result)
    for index, line in enumerate(shortcuts):
        table.add_row("" if index else "shortcuts", printable(line))
    if cost.calls or cost.cached:
        table.add_row("model", printable(_cost(manifest)))
    table.add_row("time", f"{cost.seconds:.1f} s")
    console.print(table)


def _of_the_variants(manifest: Manifest) -> Iterator[str]:
    """How many of them are parts of rows, and how many are not in the training set."""
    counts = manifest.counts
    if counts.parts:
        verb = "is" if counts.parts == 1 else "are"
        of_row = "only a part of a row: a sentence, a clause, or the text without some sentences"
        yield f"{counts.parts:,} of them {verb} {of_row}"
    if left_out := counts.accepted - counts.in_dataset:
        limits = "per_row, --mix balance" if manifest.mix == "balance" else "per_row"
        if NEW_SHORTCUT in manifest.rejected_by_reason:
            limits += ", new shortcuts"
        verb = "is" if left_out == 1 else "are"
        yield f"{left_out:,} {verb} not in the training set ({limits})"


def _caveats(manifest: Manifest) -> Iterator[str]:
    """That nothing was changed, or that a label has another share."""
    counts = manifest.counts
    choices = manifest.dataset.choices
    left = manifest.result_labels
    weighed = choices and (not counts.rejected or sum(left.values()) < counts.read)
    if counts.selected > counts.open and not counts.accepted and not weighed:
        yield "no row was changed: see rejected.jsonl for the reasons; change settings with --set"
    if not choices:
        yield from label_shift(manifest.original_labels, left, manifest.mix)


def _answers(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """The labels; of choices the places of winners, where there are several."""
    labels = manifest.original_labels
    if not manifest.dataset.choices:
        yield "labels", _labels(labels)
    elif len(labels) > 1:
        yield "winners", _winners(labels)


def _result(manifest: Manifest) -> str:
    """What is in the new training set; "" where that is not known."""
    labels = manifest.result_labels
    if not labels or not manifest.dataset.choices:
        return _labels(labels) if labels else ""
    places = f": {_winners(labels)}" if len(labels) > 1 else ""
    return counted(sum(labels.values()), "item") + places


def _winners(labels: Mapping[str, int]) -> str:
    """The places of the winners of choices.

    >>> _winners({"2": 1200, "1": 300, "": 4})
    '300 at place 1, 1,200 at place 2, 4 without a winner'
    """
    places = sorted(filter(None, labels), key=lambda place: (len(place), place))
    shown = [f"{labels[place]:,} at place {place}" for place in places]
    ties = [f"{labels['']:,} without a winner"] if labels.get("") else []
    more = f" and {len(shown) - 6} more" if len(shown) > 6 else ""
    return printable(", ".join([*shown[:6], *ties]) + more)


def _labels(labels: Mapping[str, int]) -> str:
    named = {name: count for name, count in labels.items() if name}
    if not named:
        return "none found (--label-column names their column)"
    return printable(shown_labels(named))


def _cost(manifest: Manifest) -> str:
    cost = manifest.cost
    calls = counted(cost.calls, "call")
    if cost.unsettled:
        calls += f" ({cost.unsettled:,} of them never reported their usage)"
    if cost.cached:
        calls += f", {cost.cached:,} from the cache"
    calls += f", {cost.prompt_tokens + cost.completion_tokens:,} tokens"
    listed = cost.usd and is_local(manifest.connection.get("base_url"))
    return f"{calls}, {money_spent(cost)}" + (" at list prices" if listed else "")


def is_local(url: str | None) -> bool:
    """Whether a server is on this machine or in a private network, where most are free.

    >>> [is_local(f"http://{host}:80/v1") for host in ("localhost", "10.0.0.7", "example.com")]
    [True, True, False]
    """
    host = urlsplit(url or "").hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost"


def _print_examples(console: Console, folder: Path) -> None:
    soft = not console.is_terminal  # there lines break between words
    for record in islice(read_variants(folder), _SHOWN):
        original = record.original
        if holds_choice(original):
            _print_choice(console, record, original)
            continue
        _print_edits(console, original, record.edits)
        label = record.label if record.label is not None else "no label"
        console.print(f"  label {record.contract}: {label}", style="dim")
        for triple in filter(None, record.about.get("triples", "").split("; ")):
            shown = printable(triple)[:_WIDEST]
            console.print(f"  triple {shown}", style="dim", soft_wrap=soft)
        console.print()


def _print_choice(console: Console, record: VariantRecord, original: Mapping[str, str]) -> None:
    """A variant of a choice: every candidate that changed, and which one won."""
    if order := record.about.get("order"):
        console.print(f"  the candidates in the order {order}", style="dim")
    else:
        _print_edits(console, original, record.edits, with_names=True)
    winner = "no candidate" if record.label is None else f"candidate {record.label}"
    console.print(f"  {winner} wins\n", style="dim")


def _print_edits(
    console: Console,
    original: Mapping[str, str],
    edits: Sequence[Edit],
    *,
    with_names: bool = False,
) -> None:
    """Every field that changed, before and after."""
    for name in dict.fromkeys(edit.field for edit in edits):
        in_field = [edit for edit in edits if edit.field == name]
        in_field.sort(key=lambda edit: edit.start)
        if with_names:
            console.print(f"  {name}", style="dim")
        for after in (False, True):
            marked = _marked(original[name], in_field, after=after)
            console.print(marked, soft_wrap=not console.is_terminal)


def _marked(original: str, edits: list[Edit], *, after: bool) -> Text:
    """The text with its changed words in colour: removed ones red, inserted ones green."""
    from rich.text import Text

    shown = Text("after   " if after else "before  ", style="")
    style = "bold green" if after else "bold red"
    last = max(0, edits[0].start - _BEFORE) if len(original) > _WIDEST else 0
    if last:
        shown.append("…", style="none")
    for edit in edits:
        shown.append(printable(original[last : edit.start]), style="none")
        shown.append(printable(edit.after if after else edit.before), style=style)
        last = edit.end
    shown.append(printable(original[last:]), style="none")
    shown.truncate(_WIDEST, overflow="ellipsis")
    return shown
