"""The report of a run, in a real browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import asdict, replace
from html import escape

import pytest

from augkit.commands.report_page import write_page
from augkit.commands.sweep.text import study_summary, summary_tables
from augkit.core.edits import Edit
from augkit.core.errors import DataError
from augkit.core.results import Evaluation, Result, Score
from augkit.report.page.chart import Bar, chart
from augkit.report.page.run import PageRows
from tests.data import (
    audit_answers,
    marked_tickets,
    run_manifest,
    study_row,
    verdicts,
    write_jsonl,
)

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="needs a browser: apt-get install chromium"
)
EVIL = '</script><script>document.title="stolen"</script><img src=x onerror=alert(1)>'

MANIFEST = run_manifest(
    rejected_by_reason={"no triple": 7, EVIL: 3},
    fitted=[f"important and to be edited: {EVIL}"],
)


def result(train, value):
    scores = {"accuracy": Score("accuracy", value, value - 0.05, value + 0.05, 200)}
    return Result("accuracy", "higher", train, "t", scores)


EVALUATION = Evaluation(
    {
        "improved": ["accuracy on films:challenge: 50.0 % → 80.0 %"],
        "worse": [],
        "no clear change": [],
        "caveats": ["2 comparisons"],
    },
    [result("before", 0.5), result("after", 0.8)],
)
STRONGEST = [{"kind": "token", "feature": EVIL, "label": "negative", "z": 8.5, "documents": 9}]
STRENGTH = {"kind": "token", "z": 8.1, "documents": 90, "label": "negative", "judges": False}
STRENGTHS = [
    {**STRENGTH, "feature": "vale", "z after": 0.5, "documents after": 12, "left": False},
    {**STRENGTH, "feature": EVIL, "z after": 7.5, "documents after": 88, "left": True},
]
TRAJECTORY = [
    {"round": 0, "objective": 4.6, "strongest": STRONGEST},
    {"round": 1, "objective": 4.4, "strongest": STRONGEST},
]
RUN_INFO = {"trajectory": TRAJECTORY, "shortcuts": STRENGTHS, "caveats": ["1 of 90 rows"]}
SURVEY = {
    "about": {"rows": 40},
    "warnings": ["these are candidates"],
    "rows": [
        {"feature": "vale", "label": "negative", "share": 0.94, "after": {"share": 0.61}},
        {"feature": EVIL, "label": "positive", "share": 0.8, "after": {"share": 0.5}},
    ],
}
PATTERN = {"tree": "(11 (12 dorian) (26 vale))", "count": 4, "share": 1.0, "held_out_share": None}
GROUP = {
    "root": 11,
    "label": EVIL,
    "count": 34,
    "share": 0.735,
    "held_out_share": 0.6,
    "held_out_count": 10,
    "corrected_p": 0.001,
    "patterns": [PATTERN, {**PATTERN, "tree": f"(3 (4 {EVIL}))"}],
}
RESULT = study_row()


@pytest.fixture
def survey(tmp_path):
    """A folder as `augkit shortcuts --by grammar --out` leaves it."""
    (tmp_path / "survey.json").write_text(json.dumps(SURVEY))
    (tmp_path / "features.jsonl").write_text(json.dumps(GROUP) + "\n")
    return tmp_path


@pytest.fixture
def study(tmp_path, run):
    """A study of two seeds, and a trial that failed for a hostile reason."""
    folder = tmp_path / "study"
    for name in ("eda-films-0", "eda-films-1"):
        shutil.copytree(run, folder / "trials" / name, ignore=shutil.ignore_patterns("study"))
    failed = folder / "trials" / "panda-films-0"
    failed.mkdir()
    (failed / "failure.json").write_text(json.dumps({"error": EVIL}))
    second = replace(
        RESULT, trial="eda-films-1", seed=1, after=0.8, difference=0.3, low=-0.1, training_set="b"
    )
    (folder / "study.json").write_text(json.dumps({"name": "films", "seeds": [0, 1]}))
    (folder / "results.json").write_text(json.dumps([asdict(RESULT), asdict(second)]))
    return folder


@pytest.fixture
def run(tmp_path):
    """A run folder with plain, hostile and odd texts."""
    texts = [f"The film number {n} was a bad one." for n in range(28)]
    texts += [f"A bad {EVIL} film.", "😀 A bad film, \u200f\u05d0\u200e, \u200b {{ braces }}."]
    variants, originals = [], []
    for n, text in enumerate(texts):
        start = text.index("bad")
        edit = {"field": "text", "start": start, "end": start + 3, "before": "bad", "after": "good"}
        variants.append(
            {
                "id": f"v{n}",
                "fields": {"text": text.replace("bad", "good", 1)},
                "label": "positive" if n % 2 else "neutral",
                "parents": [f"p{n}"],
                "method": "coba",
                "copy": 0,
                "edits": [edit],
                "contract": "flipped",
                "about": {"unit": "text", "triples": f"it | was | bad; {EVIL} | is | good"},
            }
        )
        originals.append({"text": text, "augkit_id": f"p{n}"})
    originals += [{"text": f"Refused {n}.", "augkit_id": f"r{n}"} for n in range(10)]
    original = {"label": "negative", "augkit_origin": "original", "augkit_parent": None}
    rejected = {"reason": "no triple", "detail": "", "method": "coba"}
    write_jsonl(tmp_path / "variants.jsonl", variants)
    write_jsonl(tmp_path / "dataset.jsonl", [row | original for row in originals])
    write_jsonl(tmp_path / "rejected.jsonl", [{"parents": [f"r{n}"]} | rejected for n in range(10)])
    (tmp_path / "manifest.json").write_text(MANIFEST.model_dump_json())
    (tmp_path / "scores.json").write_text(json.dumps(EVALUATION.as_json()))
    (tmp_path / "run_info.json").write_text(json.dumps(RUN_INFO))
    (tmp_path / "shortcuts").mkdir()
    (tmp_path / "shortcuts" / "survey.json").write_text(json.dumps(SURVEY))
    return tmp_path


def browse(page, script, *, width=1000, dark=False):
    """What a script finds in the page, and what the browser's console said."""
    probe = page.with_name("probe.html")
    found = "<script>addEventListener('load', async () => { const found = "
    found += f"await (async () => {{{script}}})();"
    found += "const out = document.createElement('pre'); out.id = 'found';"
    found += "out.textContent = JSON.stringify(found); document.body.append(out); });</script>"
    text = page.read_text(encoding="utf-8")
    probe.write_text(text.replace("</body>", found + "</body>"), "utf-8")
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--window-size={width},1200",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--virtual-time-budget=20000",
        "--dump-dom",
        probe.resolve().as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    import html

    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(found[1])), console


@pytest.mark.slow
@needs_browser
def test_filters_search_and_pages_work(run):
    """Counts follow the filters, the next page differs, and the console stays silent."""
    found, console = browse(
        write_page(run),
        """
        const count = () => document.getElementById('count').textContent;
        const set = (id, text) => {
          const select = document.getElementById(id);
          select.value = [...select.options].find((one) => one.text.startsWith(text)).value;
          select.dispatchEvent(new Event('change'));
        };
        const found = { all: count(), first: document.querySelector('#list li').textContent };
        document.getElementById('next').click();
        found.second = document.querySelector('#list li').textContent;
        set('state', 'rejected'); found.rejected = count();
        set('state', 'all'); set('after', 'neutral'); found.neutral = count();
        set('after', 'all');
        const search = document.getElementById('search');
        search.value = 'NUMBER 7 '; search.dispatchEvent(new Event('input'));
        await new Promise((done) => setTimeout(done, 400));
        found.searched = count();
        found.changed = document.querySelector('#list li del').textContent
          + ' ' + document.querySelector('#list li ins').textContent;
        return found;
        """,
    )
    assert found["all"] == "40 of 40 rows"
    assert found["first"] != found["second"]
    assert found["rejected"] == "10 of 40 rows"
    assert found["neutral"] == "15 of 40 rows"
    assert found["searched"] == "1 of 40 rows"
    assert found["changed"] == "bad good"
    assert console == []


@pytest.mark.slow
@needs_browser
def test_dataset_text_is_text(run):
    """Markup in the data shows as letters, starts no script, and edits after an emoji sit right."""
    found, console = browse(
        write_page(run),
        """
        const shown = [];
        for (let page = 0; page < 2; page += 1) {
          for (const one of document.querySelectorAll('#list .text')) shown.push(one.textContent);
          document.getElementById('next').click();
        }
        const marks = [...document.querySelectorAll('#list del')].map((one) => one.textContent);
        return { title: document.title, images: document.images.length, shown, marks,
                 scripts: document.scripts.length };
        """,
    )
    assert found["title"] == "coba on films:train"
    assert found["images"] == 0
    assert found["scripts"] == 3  # the data, the page's own, and this probe
    assert any(EVIL in text for text in found["shown"])
    assert any(text.startswith("😀 A badgood film") for text in found["shown"])
    assert any("film, \\u200f\u05d0\\u200e, \u200b" in text for text in found["shown"])
    assert set(found["marks"]) <= {"bad"}
    assert console == []


def test_edits_sit_right_behind_escapes():
    """What turns the direction is shown as an escape, and the offsets count its letters."""
    rows = PageRows()
    edits = [Edit("text", 2, 5, "bad", "go\u202eod"), Edit("text", 9, 9, "", "!")]
    rows.add({"text": "\u202e\tbad\u200f one"}, edits, ("accepted", "\x1b", "", "", "", "a\tb"))
    ((texts, shown, *_),) = rows.rows
    assert texts == ["\\u202e\\tbad\\u200f one"]
    assert [texts[0][start:end] for _, start, end, _ in shown] == ["bad", ""]
    assert [after for *_, after in shown] == ["go\\u202eod", "!"]
    assert rows.names == ["accepted", "\\x1b", "", "a\tb"]


CONTRAST = """
  document.documentElement.style.width = WIDTH + 'px'; // no window can be as narrow as a phone
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/, 0\\)$/.test(colour) && colour !== 'transparent') return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest('svg, script, style, noscript') || element.disabled) continue;
    if (!element.checkVisibility()) continue;
    const pair = [light(getComputedStyle(element).color), light(behind(element))].sort();
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) low.push([element.tagName, element.className, ratio]);
  }
  const wide = [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && !one.closest('.skip, .wide table'))
    .filter((one) => one.getBoundingClientRect().right > WIDTH + 0.5)
    .map((one) => one.outerHTML.slice(0, 80));
  return { low, wide, back: behind(document.body) };
"""


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("kind", ["run", "study", "survey"])
@pytest.mark.parametrize("width", [1000, 390])
def test_it_can_be_read_in_the_light_in_the_dark_and_on_a_phone(request, kind, dark, width):
    """Contrast of at least 4.5 (WCAG AA) for all text, and nothing wider than the window."""
    script = CONTRAST.replace("WIDTH", str(width))
    page = write_page(request.getfixturevalue(kind))
    found, _ = browse(page, script, width=width, dark=dark)
    assert found["low"] == []
    assert found["wide"] == []
    assert (found["back"] == "rgb(255, 255, 255)") != dark


def test_nothing_comes_from_elsewhere(run):
    """No address of another place stands in the page, and a policy forbids to fetch one."""
    page = write_page(run).read_text(encoding="utf-8")
    without_data = re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
    assert not re.search(r'(?:src|href)="(?!#)', without_data)
    assert "default-src 'none'" in page


@pytest.mark.slow
@needs_browser
def test_a_study_shows_means_over_seeds_failures_and_its_trials(study):
    """Two seeds at 60 and 80 stand at 70; failures are listed; each trial has its own page."""
    found, console = browse(
        write_page(study),
        """
        return { text: document.body.innerText, title: document.title,
                 links: [...document.links].map((one) => one.getAttribute('href')) };
        """,
    )
    assert "70.0 (60.0 to 80.0)" in found["text"]
    assert "+0.200 ± 0.141" in found["text"]
    assert "±: the standard deviation over seeds" in found["text"]
    assert found["text"].count("fewer than 100 rows were compared (eda)") == 1
    assert "1 of 2" in found["text"]  # one interval leaves 0 out
    assert EVIL in found["text"]
    assert found["title"] == "Study study"
    assert [(study / link).is_file() for link in found["links"]] == [True, True]
    assert console == []


def test_a_study_of_one_seed_shows_intervals_and_p_values(study):
    """The same figures as in the terminal, and a score that is not its own interval."""
    (study / "results.json").write_text(json.dumps([asdict(RESULT)]))
    page = write_page(study).read_text(encoding="utf-8")
    (line,) = study_summary([RESULT])
    assert {"95 % interval", "p"} < line.keys()
    ((title, (cells,)),) = summary_tables([line]).items()
    assert f"<h3>{title}</h3>" in page
    assert all(f"<td>{escape(str(cell))}</td>" in page for cell in cells.values())
    assert f">{100 * RESULT.after:.1f}</text>" in page


def test_more_than_two_series_are_numbered():
    """Colours repeat, and not everybody sees them: a number ties each dot to its name."""
    bars = [Bar("test", f"method {number}", number / 10) for number in range(8)]
    drawn = chart("accuracy", bars, "")
    assert [line["text"] for line in drawn["lines"]][6:] == ["60.0 [7]", "70.0 [8]"]
    assert drawn["series"][6:] == [("[7] method 6", 0), ("[8] method 7", 1)]
    few = chart("accuracy", bars[:2], "")
    assert few["lines"][0]["text"] == "0.0"
    assert few["series"][0] == ("method 0", 0)


@pytest.mark.slow
@needs_browser
def test_trees_of_a_grammar_are_drawn(survey):
    """Words stand in their order below their symbols, and a hostile word is a word."""
    found, console = browse(
        write_page(survey),
        """
        const [first, second] = document.querySelectorAll('svg.tree');
        const words = [...first.querySelectorAll('.word')].map((one) => one.textContent);
        return { words, symbols: [...first.querySelectorAll('.tick')].map((one) => one.textContent),
                 text: document.body.innerText, images: document.images.length,
                 said: second.getAttribute('aria-label') };
        """,
    )
    assert found["words"] == ["dorian", "vale"]
    assert sorted(found["symbols"]) == ["11", "12", "26"]
    assert "34 rows, 73.5 %" in found["text"]
    assert found["images"] == 0
    assert found["said"] == f"(3 (4 {EVIL}))"
    assert console == []


@pytest.mark.slow
@needs_browser
def test_what_the_method_found_and_the_shortcuts_before_and_after(run):
    """The page tells words to be edited, triples, the objective by round, and shares."""
    found, _ = browse(write_page(run), "return document.body.innerText;")
    assert "94.0 → 61.0" in found
    assert f"important and to be edited: {EVIL}" in found
    assert "4.6" in found
    assert "4.4" in found
    assert "it | was | bad\n" in found


VERDICTS = """
  return [...document.querySelectorAll('#verdict-title ~ .verdict')].map(
    (line) => [line.innerText, getComputedStyle(line).color]);
"""


@pytest.mark.slow
@needs_browser
def test_the_verdict_is_amber_where_a_new_shortcut_took_the_place(run):
    """As the survey says, whenever it was made; without a new shortcut it is green."""
    page = write_page(run)
    (improved, green), (caveat, amber) = browse(page, VERDICTS)[0]
    assert improved.startswith("Improved accuracy on films:challenge")
    assert caveat == "Caveats 2 comparisons"
    assert green != amber
    figures = {"rows": 50, "share": 0.9, "base": 0.5, "p": 0.0}
    gone = {"rows": 0, "share": 0.0, "base": 0.5, "p": 1.0}
    names = {"field": "text", "kind": "token", "label": "negative"}
    rows = [
        {**names, "feature": "vale", **figures, "fate": "gone", "after": gone},
        {**names, "feature": "mask", **figures, "fate": "new"},
    ]
    survey = {**SURVEY, "rows": rows}
    (run / "shortcuts" / "survey.json").write_text(json.dumps(survey), encoding="utf-8")
    (improved, colour), _ = browse(write_page(run), VERDICTS)[0]
    assert improved.startswith("Improved, but a new shortcut took its place accuracy on films")
    assert colour == amber


def test_no_dot_where_no_row_is_left():
    """The figures say so; the dot before it stays."""
    bars = [Bar("'vale'", "before", 0.94), Bar("'vale'", "after", None)]
    drawn = chart("Rows", bars, "", together=True)
    assert [(line["series"], line["text"]) for line in drawn["lines"]] == [
        ("before", "94.0 → no rows")
    ]
    assert [name for name, _ in drawn["series"]] == ["before", "after"]


def test_each_shortcut_has_its_strength_and_what_is_left_a_command(run):
    """Before and after, with the method's caveats."""
    text = write_page(run).read_text(encoding="utf-8")
    assert "1 of 90 rows" in text
    assert "vale (token)" in text
    assert "90 \u2192 12" in text
    assert "1 of 2 are left" in text
    assert "settings.yaml --llm PROVIDER:MODEL</code>" in text


def test_a_run_with_a_model_is_not_advised_to_use_one(run):
    """What is left is left, though a language model was used."""
    manifest = MANIFEST.model_copy(update={"models": {"llm": "openai:tiny"}})
    (run / "manifest.json").write_text(manifest.model_dump_json())
    text = write_page(run).read_text(encoding="utf-8")
    assert "1 of 2 are left" in text
    assert "PROVIDER:MODEL" not in text


def test_a_value_of_another_form_is_damage(tmp_path):
    """A sentence of the verdict became a number: an error that names the file."""
    gap = {"value": 0.1, "low": 0.0, "high": 0.2, "n": 5}
    compared = {"axis": "a", "first": "x", "second": "y", "logit": None, "difference": gap}
    compared |= {"flips": gap, "p_corrected": 0.5, "alarm": False}
    record = {"verdict": [3.5], "caveats": [], "decisions": 5, "model": "m"}
    record |= {"groups": [], "pairs": [], "comparisons": [compared]}
    (tmp_path / "audit.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(DataError, match=r"audit\.json: .*float"):
        write_page(tmp_path)


MARKUP = (
    '</script><script>document.title="stolen"</script><img src=x onerror="document.title=`stolen`">'
)
NAME = "a<img src=x onerror=alert(1)>"
PROBE = """
  return { title: document.title, images: document.images.length, scripts: document.scripts.length,
           links: [...document.links].filter((link) => link.protocol === 'javascript:').length,
           text: document.body.innerText };
"""


def write_hostile(folder, count):
    """Write tickets with markup everywhere, also in the name of their file, and give the name."""
    rows = marked_tickets(count, MARKUP, text=f"text{MARKUP}", label=f"label{MARKUP}")
    return write_jsonl(folder / f"{NAME}.jsonl", rows).name


def make_fix(augkit, tmp_path):
    """The page of fix, and of a run that it made."""
    data = write_hostile(tmp_path, 400)
    columns = ("--text-column", f"text{MARKUP}", "--label-column", f"label{MARKUP}")
    done = augkit("fix", data, *columns, "--cue", "marta", "-o", "fixed")
    assert done.code == 0, done.err
    return [tmp_path / "fixed" / "report.html", *tmp_path.glob("fixed/runs/*/report.html")]


def make_audits(augkit, tmp_path):
    """The pages of an audit of answers, and of one of judges."""
    answers = write_jsonl(tmp_path / f"{NAME}.jsonl", audit_answers(30, MARKUP))
    judged = write_jsonl(tmp_path / f"{NAME}.verdicts.jsonl", verdicts(40, MARKUP))
    for option, path in (("--answers", answers), ("--judge", judged)):
        done = augkit("audit", option, path.name, "-o", f"audit{option}")
        assert done.code == 0, done.err
    return sorted(tmp_path.glob("audit-*/report.html"))


def make_study(augkit, tmp_path):
    """The page of a study, of its trial, and of the shortcuts of its data."""
    data = write_hostile(tmp_path, 60)
    columns = {"text_columns": [f"text{MARKUP}"], "label_column": f"label{MARKUP}"}
    study = {"methods": ["eda"], "datasets": [data], "tests": {data: [data]}, **columns}
    (tmp_path / "study.yaml").write_text(json.dumps(study), encoding="utf-8")
    done = augkit("sweep", "study.yaml", "--trials", 1, "-o", "study")
    assert done.code == 0, done.err
    return [tmp_path / "study" / "report.html", *tmp_path.glob("study/trials/*/report.html")]


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("make", [make_fix, make_audits, make_study])
def test_no_script_of_the_data_runs(augkit, tmp_path, make):
    """No title is changed, no picture asked for, no script added; mark-up is read as letters."""
    for page in make(augkit, tmp_path):
        own = page.read_text(encoding="utf-8").count("<script")
        found, console = browse(page, PROBE)
        assert found["title"] != "stolen"
        assert (found["images"], found["links"]) == (0, 0)
        assert found["scripts"] == own + 1  # the page's own and this probe
        assert "<img src=x" in found["text"]
        assert console == []
