"""The documentation: links, citations and names exist; code and commands do what is shown."""

import ast
import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
from math import inf
from pathlib import Path

import pytest
from docs_style import FENCE, commands, page_faults, pages

ROOT = Path(__file__).parents[2]
PAGES = pages()
NAMED = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
SOURCES = [*(ROOT / "augkit").rglob("*.py"), *(ROOT / "augkit").rglob("*.yaml"), *PAGES]

MARKED = re.compile(
    r"^<!-- (?P<what>file|prints|shown in|run)(?:: (?P<argument>.+?))? -->\n"
    r"```(?P<kind>[\w-]*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
CITED = re.compile(r"\b[a-z]{3,}(?:19|20)\d\d[a-z]+\b")
DOTTED = re.compile(r"`(augkit(?:\.\w+)+)\b")
IMPORTED = re.compile(r"^(?:>>> )?from (augkit[\w.]*) import ([\w, ]+)$", re.MULTILINE)
GROUPS = {"augmenters", "benchmarks", "finders", "gates", "llms", "metrics", "trackers"}
BENCHMARK = re.compile(r"-m (benchmarks(?:\.\w+){2})([^`\n]*)")
COMMAND = re.compile(r"\baugkit ([a-z-]+)([^`\n]*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
ENTRY = re.compile(r"^@\w+\{(\w+),", re.MULTILINE)


def blocks(page, *kinds):
    """The code blocks of these kinds, with the line they begin on."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start("code")) + 1, match["code"])
        for match in FENCE.finditer(text)
        if match["kind"] in kinds
    ]


def prose(page):
    """The page without its code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page):
    """The names under which a page's headings can be linked to."""
    titles = HEADING.findall(prose(page))
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


@NAMED
def test_links_lead_somewhere(page):
    """Every relative link names a file of the repository, and a heading of it where it says so."""
    for link in LINK.findall(prose(page)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: no heading for {link}"


@NAMED
def test_a_page_is_short_and_its_code_is_run(page):
    """Pages, cells and sentences keep to their limits; code is run here, or says why not."""
    assert page_faults(page) == []


@NAMED
def test_python_blocks_are_python(page):
    """Code marked as Python can be parsed."""
    for line, code in blocks(page, "python"):
        # Empty lines before it make the line of an error that of the page.
        ast.parse("\n" * (line - 1) + code, str(page))


@pytest.mark.slow
@NAMED
def test_sessions_give_what_they_show(page, monkeypatch, tmp_path):
    """A Python session (a block marked pycon) prints what is below each line.

    The sessions of a page follow one another: names defined in one exist in the next.
    """
    if page.parent.name == "reference":
        pytest.skip("taken from docstrings, whose doctests run with the package")
    monkeypatch.chdir(tmp_path)
    session = "\n".join(code for _, code in blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    printed = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=printed.append)
    assert not runner.failures, "".join(printed)


@pytest.mark.slow
@NAMED
def test_commands_print_what_is_shown(page, tmp_path, augkit, monkeypatch):
    """Marked blocks do what they say, in page order, in a folder with the page's own files.

    ``<!-- file: NAME -->`` makes the block below it a file, ``<!-- prints: COMMAND -->`` compares,
    ``<!-- run -->`` runs every command of the block, or its Python code, and
    ``<!-- shown in: PAGE -->`` looks for the block in a page that has it from a command. A line
    with … alone stands for lines that are left out.
    """
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("augkit.cli.terminal._EVERY_SECONDS", inf)  # on a slow machine, too
    text = page.read_text(encoding="utf-8")
    for mark in MARKED.finditer(text):
        if mark["what"] == "file":
            (tmp_path / mark["argument"]).write_text(mark["code"], encoding="utf-8")
        elif mark["what"] == "prints":
            _, shown = outcome(mark["argument"], augkit)
            assert agrees(mark["code"], shown), f"{mark['argument']} prints\n{shown}"
        elif mark["what"] == "shown in":
            source = MARKED.finditer((ROOT / mark["argument"]).read_text(encoding="utf-8"))
            printed = [other["code"] for other in source if other["what"] == "prints"]
            assert any(agrees(f"…\n{mark['code']}…\n", code) for code in printed)
        elif mark["kind"] == "python":
            exec(compile(mark["code"], str(page), "exec"), {"__name__": "__main__"})
        else:
            for command in commands(mark["code"]):
                code, shown = outcome(command, augkit)
                assert code == 0, f"{command}\n{shown}"


def outcome(command, augkit):
    """The exit code of a command and what it prints, with the programs of this environment."""
    program, *arguments = shlex.split(command)
    if program == "augkit":
        done = augkit(*arguments)
        return done.code, done.out + done.err
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [program, *arguments],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def agrees(shown, printed):
    """Whether a page shows what was printed; a line with … alone stands for any lines."""
    lines = [r"(.*\n)*" if line == "…" else re.escape(line) + r"\n" for line in comparable(shown)]
    return re.fullmatch("".join(lines), "\n".join([*comparable(printed), ""])) is not None


@pytest.mark.parametrize(
    ("shown", "same"),
    [
        ("a\nb\nc\n", True),
        ("a\n…\n", True),
        ("…\nb\n…\n", True),
        ("a\n…\nb\nc\n", True),
        ("a\nc\n", False),
        ("…\nb\n", False),
        ("c\n…\na\n…\n", False),
    ],
)
def test_only_an_ellipsis_leaves_lines_out(shown, same):
    """Lines are left out where the page says so, and nowhere else; their order counts."""
    assert agrees(shown, "a\nb\nc\n") is same


def comparable(text):
    """The lines, without spaces at their ends, without the time and the lines of a slow run."""
    timeless = re.sub(r"\d+\.\d s\b", "TIME", text)
    timeless = re.sub(r"^[\d,]+ of [\d,]+ rows\n", "", timeless, flags=re.MULTILINE)
    return [line.rstrip() for line in timeless.strip().splitlines()]


@NAMED
def test_names_exist(page):
    """Every dotted name of augkit, and every import of a code block, can be resolved."""
    text = page.read_text(encoding="utf-8")
    imports = [(module, names.split(",")) for module, names in IMPORTED.findall(text)]
    named = {f"{module}.{name.strip()}" for module, names in imports for name in names}
    named |= {name for name in DOTTED.findall(text) if name.split(".")[1] not in GROUPS}
    named |= {name for name in DOTTED.findall(text) if name.count(".") > 1}
    assert sorted(name for name in named if not resolves(name)) == []


def resolves(name):
    """Whether a dotted name is a module, or an attribute of one."""
    module, _, attribute = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return bool(module) and resolves(module) and hasattr(value_of(module), attribute)
    return True


def value_of(name):
    """The module or attribute of a dotted name."""
    module, _, attribute = name.rpartition(".")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return getattr(value_of(module), attribute)


@NAMED
def test_options_exist(page):
    """Every option of a command exists, and every one of a benchmark is one of some benchmark."""
    text = page.read_text(encoding="utf-8")
    reference = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    benchmarks = "".join(path.read_text("utf-8") for path in (ROOT / "benchmarks").rglob("*.py"))
    sections = {part.split("\n")[0]: part for part in reference.split("\n## augkit ")[1:]}
    unknown = [
        (command, option)
        for command, rest in COMMAND.findall(text)
        for option in OPTION.findall(rest.split("#")[0].split(" && ")[0])
        if option != "--help"
        and command in sections
        and not re.search(rf"{option}\b", sections[command])
    ]
    unknown += [
        (script, option)
        for script, rest in BENCHMARK.findall(text)
        for option in OPTION.findall(rest)
        if not (ROOT / f"{script.replace('.', '/')}.py").exists() or f'"{option}"' not in benchmarks
    ]
    assert unknown == []


def test_citations_exist():
    """Every citation key in code, prompts and pages is an entry of references.bib."""
    known = set(ENTRY.findall((ROOT / "docs" / "references.bib").read_text(encoding="utf-8")))
    cited = {path: set(CITED.findall(path.read_text(encoding="utf-8"))) for path in SOURCES}
    assert any(cited.values())
    assert not {str(path): keys - known for path, keys in cited.items() if keys - known}


def test_entries_are_unique():
    """No two entries of references.bib have one key."""
    keys = ENTRY.findall((ROOT / "docs" / "references.bib").read_text(encoding="utf-8"))
    assert len(keys) == len(set(keys))
