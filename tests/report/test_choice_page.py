"""The report and the summary of a run on choices."""

import pytest

from augkit.commands.report_page import write_page
from augkit.core.edits import undo
from augkit.core.results import LONGEST_WINS, LengthBin, Result, Score, Survey
from augkit.evaluation.statistics.intervals import share_bounds
from augkit.report.page.choice_charts import choice_survey_charts, reward_charts
from augkit.report.page.run import read_choice_rows
from augkit.report.summary import print_summary
from augkit.runs.manifest import CountsRecord, DatasetRecord
from augkit.text.diff import diff
from tests.data import read_jsonl, run_manifest, write_jsonl
from tests.report.test_page import CONTRAST, EVIL, browse, needs_browser

MANIFEST = run_manifest(
    method="compose",
    settings={"method": "compose", "dataset": "prefs"},
    command="augkit run prefs --method compose",
    mix="replace",
    dataset=DatasetRecord(name="prefs", source="here", rows=4, digest="ab" * 16, choices=True),
    counts=CountsRecord(read=4, selected=4, proposed=4, accepted=2, rejected=2, in_dataset=2),
    original_labels={"1": 3, "2": 1},
    result_labels={"1": 2, "2": 1},
    rejected_by_reason={"longer won too often": 1, "no change": 1},
)
MARKDOWN = {"prompt": f"Why {EVIL}?", "candidate 1": f"**Because** {EVIL}", "candidate 2": "No."}
PLAIN = {**MARKDOWN, "candidate 1": f"Because {EVIL}"}
OPTIONS = {"candidate 1": "a b", "candidate 2": "c d", "candidate 3": "e f"}
TURNED = {"candidate 1": "e f!", "candidate 2": "c d", "candidate 3": "a b"}


def variant(before, after, label, **about):
    edits = [
        {name: getattr(edit, name) for name in ("field", "start", "end", "before", "after")}
        for edit in diff(before, after)
    ]
    record = {
        "id": "v",
        "fields": after,
        "label": label,
        "parents": ["p"],
        "method": "m",
        "edits": edits,
    }
    return {**record, "contract": "kept", **({"about": about} if about else {})}


@pytest.fixture
def run(tmp_path):
    """A run folder with a pair without its Markdown, turned options, and two rejections."""
    variants = [variant(MARKDOWN, PLAIN, "1"), variant(OPTIONS, TURNED, "3", order="3 2 1")]
    rejected = {"fields": MARKDOWN, "label": "1", "parents": ["p"], "detail": "", "method": "m"}
    left_out = {**rejected, "reason": "longer won too often", "weight": 0.0}
    (tmp_path / "manifest.json").write_text(MANIFEST.model_dump_json())
    write_jsonl(tmp_path / "variants.jsonl", variants)
    write_jsonl(tmp_path / "rejected.jsonl", [left_out, {**rejected, "reason": "no change"}])
    return tmp_path


def test_a_variant_in_another_order_is_compared_with_the_candidate_it_was(run):
    """The texts stand in the new order, and only what was changed in a text is an edit."""
    rows = read_choice_rows(run, 10)
    texts, edits, state, _, before, after, *_ = rows.rows[1]
    shown = dict(zip(rows.fields, texts, strict=True))
    assert shown == {
        "prompt": None,
        "candidate 1": "e f",
        "candidate 2": "c d",
        "candidate 3": "a b",
    }
    assert [[rows.fields[edit[0]], *edit[1:]] for edit in edits] == [["candidate 1", 3, 3, "!"]]
    assert [rows.names[n] for n in (state, before, after)] == [
        "accepted",
        "candidate 1",
        "candidate 3",
    ]


def test_edits_lead_from_the_text_shown_to_the_variant(run):
    """Undone on the variant of the file, they give the text of the page."""
    rows = read_choice_rows(run, 10)
    record = read_jsonl(run / "variants.jsonl")[0]
    texts = dict(zip(rows.fields, rows.rows[0][0], strict=False))
    before = undo(record["fields"], list(diff(MARKDOWN, record["fields"])))
    assert {name: texts[name] for name in before} == MARKDOWN


def test_items_that_were_left_out_are_told_from_rejections(run):
    """A weight of 0 says that the row is not in the result."""
    rows = read_choice_rows(run, 10)
    states = [(rows.names[row[2]], rows.names[row[6]]) for row in rows.rows[2:]]
    assert states == [("left out", "longer won too often"), ("rejected", "no change")]


@pytest.mark.slow
@needs_browser
def test_candidates_stand_side_by_side_and_the_winner_is_marked(run):
    """Each in a box of its own with what changed; no word of labels; data is text."""
    found, console = browse(
        write_page(run),
        """
        const cards = [...document.querySelectorAll('#list > li')].map((card) => ({
          heads: [...card.querySelectorAll('.candidate .head')].map((one) => one.textContent),
          tops: [...card.querySelectorAll('.candidate')].map((one) => one.offsetTop),
          gone: [...card.querySelectorAll('del')].map((one) => one.textContent),
          came: [...card.querySelectorAll('ins')].map((one) => one.textContent),
          won: card.querySelectorAll('.winner').length,
        }));
        return { cards, text: document.body.innerText, images: document.images.length,
                 scripts: document.scripts.length, title: document.title };
        """,
    )
    pair, turned, left_out, _ = found["cards"]
    assert pair["heads"] == ["candidate 1won", "candidate 2"]
    assert pair["tops"][0] == pair["tops"][1]
    assert "".join(pair["gone"]).count("*") == 4
    assert turned["heads"] == ["candidate 1, before 3", "candidate 2", "candidate 3, before 1won"]
    assert (turned["gone"], turned["came"]) == ([], ["!"])
    assert left_out["heads"] == ["candidate 1won", "candidate 2"]
    assert [card["won"] for card in found["cards"]] == [1, 1, 1, 1]
    assert "4 of 4 items" in found["text"]
    assert "label" not in found["text"].lower()
    assert EVIL in found["text"]
    assert (found["images"], found["scripts"], found["title"]) == (0, 3, "compose on prefs")
    assert console == []


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1000, 390])
def test_it_can_be_read_in_the_light_in_the_dark_and_on_a_phone(run, dark, width):
    """Contrast of at least 4.5 (WCAG AA) for all text, and nothing wider than the window."""
    found, _ = browse(
        write_page(run), CONTRAST.replace("WIDTH", str(width)), width=width, dark=dark
    )
    assert found["low"] == []
    assert found["wide"] == []


def test_the_summary_speaks_of_items_and_winners(run, capsys, monkeypatch):
    """Within 80 columns, without a word of labels or rows."""
    monkeypatch.setenv("COLUMNS", "80")
    print_summary(run)
    printed = capsys.readouterr().out
    table = printed[printed.index("method") :]
    assert "prefs: 4 items" in table
    assert "3 at place 1, 1 at place 2" in table
    assert "3 items: 2 at place 1, 1 at place 2" in table
    assert "2 rejected or left out" in table
    assert "the candidates in the order 3 2 1\n  candidate 3 wins" in printed
    assert "label" not in printed
    assert max(map(len, table.splitlines())) <= 80


def test_a_method_that_only_leaves_items_out_has_done_something(run, capsys):
    """No caveat that nothing was changed; where all items stay, there is one."""
    counts = CountsRecord(read=4, selected=4, proposed=4, rejected=4)
    for left, said in (({"1": 2}, False), ({"1": 4}, True)):
        manifest = MANIFEST.model_copy(update={"counts": counts, "result_labels": left})
        (run / "manifest.json").write_text(manifest.model_dump_json())
        print_summary(run)
        assert ("no row was changed" in capsys.readouterr().out) == said


def test_how_often_the_longest_wins_is_drawn_before_and_after():
    """A dot for each part of the items, with the exact interval of its share."""
    row = {"kind": LONGEST_WINS, "least": 2.0, "most": 3.0, "before": {"items": 10, "share": 0.8}}
    after = {"items": 4, "share": 0.5}
    survey = Survey([{**row, "after": after}, {**row, "least": 3.0, "most": None}])
    (drawn,) = choice_survey_charts(survey)
    assert [name for name, _ in drawn["names"]] == [
        "2 to 3 times as long as the shortest",
        "3 times or more as long as the shortest",
    ]
    low, high = (100 * bound for bound in share_bounds(8, 10))
    assert drawn["lines"][0]["text"] == f"80.0 ({low:.1f} to {high:.1f})"
    assert [line["series"] for line in drawn["lines"]] == ["before", "after", "before"]


def test_a_reward_model_is_drawn_by_difficulty_and_by_length():
    """Before and after, and how often the longest truly wins; on the page with its verdict."""
    scores = {
        name: Score(name, value, value - 0.1, value + 0.1, 40)
        for name, value in {"accuracy": 0.6, "easy": 0.9, "normal": 0.6, "hard": 0.3}.items()
    }
    scores["picks the longest"] = Score("picks the longest", 0.8, 0.7, 0.9, 40)
    scores["the longest wins"] = Score("the longest wins", 0.5, 0.4, 0.6, 40)
    bins = (LengthBin(1.0, 1.1, 10, 0.5, 0.7), LengthBin(3.0, None, 5, 0.4, 1.0))
    results = [
        Result("choice-accuracy", "higher", train, "t", scores, by_length=bins)
        for train in ("before", "after")
    ]
    levels, picks, lengths = reward_charts(results)
    names = [name for name, _ in levels["names"]]
    assert names == ["accuracy, t", "easy, t", "normal, t", "hard, t"]
    assert len(levels["lines"]) == 8
    assert [line["text"][:4] for line in picks["lines"]] == ["80.0", "80.0", "50.0"]
    assert [line["text"][:4] for line in lengths["lines"]][:3] == ["70.0", "70.0", "50.0"]
    assert lengths["title"] == "The same by length, t"
