"""Results on a terminal: sentences and tables for people, JSON for programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from textwrap import TextWrapper, wrap
from typing import Any

from augkit.core.results import (
    Comparison,
    Evaluation,
    LLMAnswers,
    Result,
    Spent,
    Survey,
    read_answers,
)
from augkit.evaluation.verdict import mixed_headline, tone
from augkit.llm.prices import no_price
from augkit.report.marked import marked_lines, split_spans
from augkit.text.printable import counted, printable, shown_p
from augkit.text.screen import safe_console, show, show_error, show_json

Record = Mapping[str, Any]
_COLOURS = {"good": "green", "caveat": "yellow", "bad": "red", "even": ""}
"""Of a verdict, on a terminal."""
_FIGURE = re.compile(r"[+-]?\d[^a-z]*( to |$)|$")
_PADDING = 3
"""Columns of the terminal between two columns of a table."""


def print_rows(rows: Sequence[Record], *, as_json: bool = False, spare: Sequence[str] = ()) -> None:
    """Print mappings with the same keys; a narrow terminal may leave those of ``spare`` out."""
    if as_json:
        show_json(list(rows))
        return
    cells = ([printable(str(value)) for value in row.values()] for row in rows)
    _print_table(list(rows[0]) if rows else [], cells, spare)


def print_catalogue(rows: Sequence[Record], *, as_json: bool) -> None:
    """Print named things with their descriptions; as JSON, with everything about them."""
    if not as_json:
        shown = ("name", "description", "task", "fields", "here")
        rows = [{key: row[key] for key in shown if key in row} for row in rows]
    print_rows(rows, as_json=as_json)


def print_entry(facts: Record, settings: Sequence[Record], *, as_json: bool) -> None:
    """Print everything about one thing of the catalogue, and its settings."""
    if as_json:
        show_json({**facts, "settings": list(settings)})
        return
    _print_table(["", ""], ([key, printable(str(value))] for key, value in facts.items()))
    if settings:
        print_rows(settings)


def print_benchmark(record: Record, *, as_json: bool) -> None:
    """Print what was measured, the scores with their intervals, and the caveats."""
    if as_json:
        show_json(record)
        return
    print_lines(f"{record['benchmark']} ({record['score']}): {record['about']}")
    print_rows([_benchmark_row(score) for score in record["scores"]])
    print_lines(*llm_notes(read_answers(record.get("llm"))))
    print_lines(*(f"Caveats: {caveat}" for caveat in record["caveats"]))


def print_survey(survey: Survey, subject: Record, *, as_json: bool) -> None:
    """Print a survey; ``subject`` says of which dataset and by which finder."""
    if as_json:
        show_json({**subject, **survey.record()})
        return
    print_lines(", ".join(f"{key}: {value}" for key, value in survey.about.items()))
    for table in survey.tables:
        print_lines(f"\n{table.title}")
        if table.rows:
            rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
            print_rows(rows, spare=table.spare)
        else:
            print_lines("  nothing")
    if survey.marked:
        print_lines("\nTexts with these words marked")
    for marked_text in survey.marked:
        print_lines(*map(printable, marked_lines(marked_text)))
    print_lines(*(f"Note: {warning}" for warning in survey.warnings))


def print_scores(evaluation: Evaluation, *, as_json: bool) -> None:
    """Print an evaluation: the verdict, then a table for each metric and test set.

    As JSON, a single result stands alone.
    """
    if as_json:
        content = evaluation.as_json()
        results = content["results"]
        show_json(results[0] if len(results) == 1 else content)
        return
    if together := mixed_headline(evaluation.verdict):
        print_lines(together, head=(len(together), _COLOURS["caveat"]))
    for heading, sentences in evaluation.verdict.items():
        for sentence in sentences:
            title = f"{heading.capitalize()}:"
            print_lines(f"{title} {sentence}", head=(len(title), _COLOURS[tone(heading)]))
    tables: dict[tuple[str, str], list[Result | Comparison]] = {}
    for record in evaluation.records:
        tables.setdefault((record.metric, record.test), []).append(record)
    for (metric, test), records in tables.items():
        print_lines(f"\n{metric} on {test}")
        print_rows(list(_score_rows(records)))
        print_lines(*_score_notes(records))


def print_written(files: Sequence[Path]) -> None:
    """Say where results were written; not on the standard output, which may be JSON."""
    for path in files:
        show_error(f"Written: {path}")


def print_training(record: Record, folder: Path, *, as_json: bool) -> None:
    """Print the content of ``training.json`` as JSON, or a summary."""
    if as_json:
        show_json(record)
    else:
        write = _pretraining_lines if record["kind"] == "mlm" else _training_lines
        print_lines(*write(record, folder))


def _training_lines(record: Record, folder: Path) -> Iterator[str]:
    validation = record["validation"]
    seeds = record["seeds"]
    robust = record["robust"]
    spread = validation["deviation"]
    around = "" if spread is None else f" ± {100 * spread:.1f}"
    kind = "plain" if robust is None else robust["method"]
    yield (
        f"{folder}: {record['kind']}, {kind} training on {record['train']['rows']:,} rows of "
        f"{record['train']['name']}, {len(seeds)} seed{'s' * (len(seeds) > 1)}"
    )
    yield (
        f"accuracy {100 * validation['mean']:.1f}{around} % on held-out rows; the best is "
        f"{record['best']}"
    )


def _pretraining_lines(record: Record, folder: Path) -> Iterator[str]:
    losses = [epoch["validation_loss"] for epoch in record["epochs"]]
    yield (
        f"{folder}: masked language model, {record['trained_on']:,} texts of "
        f"{record['train']['name']}; loss on held-out texts {losses[0]:.4f} → "
        f"{losses[record['best']]:.4f} (epoch {record['best']} of {len(losses) - 1})"
    )


def print_perturbed(text: str, answer: Record, *, json_line: bool) -> None:
    """Print the new text, then the old one with every edit in brackets; or all of it as JSON."""
    if json_line:
        show_json(answer)
        return
    print_lines(printable(answer["output"]))
    rejected = answer["rejected"]
    print_lines(printable(f"rejected: {rejected}" if rejected else marked(text, answer["edits"])))


def marked(text: str, edits: list[Record]) -> str:
    """The text with edits as ``[before → after]``.

    >>> marked("He ran.", [{"start": 0, "end": 2, "before": "He", "after": "She"}])
    '[He → She] ran.'
    """
    spans = [(e["start"], e["end"], f"[{e['before']} → {e['after']}]") for e in edits]
    return "".join(change or part for part, change in split_spans(text, spans))


def money_spent(cost: Spent) -> str:
    """What calls cost; where some have no price, what the others cost.

    >>> money_spent(Spent(calls=5, usd=0.02))
    '$0.0200'
    >>> money_spent(Spent(calls=5, usd=None, priced_usd=0.01, unpriced={"qwen3": 3}))
    '$0.0100 for 2 calls; cost of 3 unknown: no price is configured for qwen3 (--set prices=FILE)'
    """
    if cost.usd is not None:
        return f"${cost.usd:.4f}"
    unpriced = sum(cost.unpriced.values())
    why = no_price(cost.unpriced or ["the model"])
    if cost.priced_usd:
        priced = counted(cost.calls - unpriced, "call")
        return f"${cost.priced_usd:.4f} for {priced}; cost of {unpriced:,} unknown: {why}"
    return f"cost unknown: {why}"


def llm_notes(answers: LLMAnswers | None) -> Iterator[str]:
    """How an LLM under test answered: its position effect, and what it cost."""
    if answers is None:
        return
    for name, score in answers.position_effect.items():
        yield f"position effect, {name}: {score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
    if (cost := answers.cost) is not None:
        money = f", {money_spent(cost)}" if cost.usd != 0 else ""
        yield (
            f"{cost.calls:,} calls, {cost.prompt_tokens:,} tokens read and "
            f"{cost.completion_tokens:,} written{money}"
        )


def p_cell(p: float) -> str:
    """A p-value in a column that is called p.

    >>> p_cell(0.0312), p_cell(1e-9)
    ('0.031', '< 0.001')
    """
    return shown_p(p).removeprefix("p ").removeprefix("= ")


def print_lines(*lines: str, head: tuple[int, str] = (0, "")) -> None:
    """Lines; on a terminal none is wider than it, and no word is broken.

    ``head``: how many characters at the beginning have which colour on a terminal.
    """
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
    wrapper = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    for line in "\n".join(lines).split("\n") if lines else ():
        wrapper.subsequent_indent = line[: len(line) - len(line.lstrip())]
        parts = wrapper.wrap(line) if width else []
        length, colour = head
        if not width or not colour:
            show("\n".join(parts or [line]))
            continue
        from rich.text import Text

        text = Text("\n".join(parts or [line]))
        text.stylize(colour, 0, length)
        safe_console().print(text, soft_wrap=True)


def _print_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], spare: Sequence[str] = ()
) -> None:
    """A table; where the longest words do not fit side by side, one block of lines per row.

    Before that, columns of ``spare`` are left out.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console = safe_console()
    listed = [list(row) for row in rows]
    columns = list(zip(header, *listed, strict=True))
    for count in range(len(spare) + 1):
        shown = [column for column in columns if column[0] not in spare[:count]]
        widths = _fitted(shown, console.width - _PADDING * len(shown) + 1)
        if widths is not None:
            break
    else:
        print_lines(*_stacked(header, listed, console.width))
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, width in zip(shown, widths, strict=True):
        table.add_column(column[0], width=width)
    for row in zip(*(column[1:] for column in shown), strict=True):
        table.add_row(*map(Text, row))
    console.print(table)
    if count:
        print_lines(f"Not shown at this width: {', '.join(spare[:count])} (--json has all)")


def _fitted(columns: Sequence[Sequence[str]], space: int) -> list[int] | None:
    """The widths of columns that fit into the space with whole words; None where they cannot.

    Where the cells do not fit on one line each, the columns with the most to spare are narrowed.

    >>> _fitted([["a", "b"], ["words", "several words"]], 10), _fitted([["longer"]], 5)
    ([1, 9], None)
    """
    from rich.cells import cell_len

    least = [_longest_word(cells) for cells in columns]
    widths = [max(1, *map(cell_len, cells)) for cells in columns]
    while sum(widths) > space:
        spare = [width - low for width, low in zip(widths, least, strict=True)]
        if not any(spare):
            return None
        widths[spare.index(max(spare))] -= 1
    return widths


def _longest_word(cells: Sequence[str]) -> int:
    """The width of the longest word; figures, such as an interval, are one.

    >>> _longest_word(["95 % interval", "+0.1 to +0.2"]), _longest_word(["method", "eda, 3 times"])
    (12, 6)
    """
    from rich.cells import cell_len

    figures = all(_FIGURE.match(cell) for cell in cells[1:])
    words = (word for cell in cells for word in cell.split())
    return max(map(cell_len, (*words, *(cells[1:] if figures else ()))), default=1)


def _stacked(header: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Iterator[str]:
    """Each row as lines "key  value"; long values go on in the next line, indented."""
    first = max(map(len, header)) + 2
    for row in rows:
        for key, cell in zip(header, row, strict=True):
            if not cell:
                continue
            indent = " " * first
            lines = wrap(cell, max(20, width - first), break_long_words=False) or [""]
            yield f"{key:<{first}}{lines[0]}".rstrip()
            yield from (f"{indent}{line}" for line in lines[1:])
        yield ""


def _benchmark_row(score: Record) -> Record:
    """A score that is not an estimate (a p-value, a mean over fixed tests) has no interval."""
    certain = score["low"] == score["value"] == score["high"]
    return {
        "score": score["name"],
        "value": f"{score['value']:.3f}",
        "95 % interval": "" if certain else f"{score['low']:.2f} to {score['high']:.2f}",
        "items": f"{score['n']:,}",
    }


def _score_rows(records: Sequence[Result | Comparison]) -> Iterator[Record]:
    for record in records:
        if isinstance(record, Comparison):
            what = f"{record.second} - {record.first}"
            model = "trained on"
            scores = {_difference_title(record, records): record.difference}
        else:
            untrained = record.llm is not None or (record.rows and not record.rows.train)
            what = record.train
            model = "model" if untrained else "trained on"
            scores = dict(record.scores)
        for name, score in scores.items():
            yield {
                model: what,
                "score": name.replace("_", " "),
                "value": f"{score.value:.4f}",
                "95 % interval": f"{score.low:.4f} to {score.high:.4f}",
                "rows": f"{score.n:,}",
            }


def _difference_title(comparison: Comparison, records: Sequence[Result | Comparison]) -> str:
    """The difference, and of which score where that is not the main one."""
    results = (record for record in records if isinstance(record, Result))
    main = next(iter(next(results).scores), "")
    return "difference" if comparison.score == main else f"difference, {comparison.score}"


def _score_notes(records: Sequence[Result | Comparison]) -> Iterator[str]:
    several = len({record.second for record in records if isinstance(record, Comparison)}) > 1
    for record in records:
        if isinstance(record, Comparison):
            title = _difference_title(record, records)
            sides = f" ({record.second} - {record.first})" if several else ""
            holm = "" if record.p_corrected is None else f" ({shown_p(record.p_corrected)} by Holm)"
            yield f"{title}{sides}: {shown_p(record.p)}{holm}"
            continue
        if record.seeds is not None:
            values = ", ".join(f"{value:.4f}" for value in record.seeds.values)
            yield f"{record.train}, {record.seeds.of}: {values}"
        yield from llm_notes(record.llm)
