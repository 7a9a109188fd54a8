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
import reference
from docs_style import FENCE, commands, page_faults, pages
from reference_python import public_things
from site_pages import generated_names

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = pages()
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
GENERATED = {DOCS / f"{name}.md" for name in generated_names()}
"""Pages that the build of the site makes."""

MARKED = re.compile(
    r"^<!-- (?P<what>file|prints|shown in|run)(?:: (?P<argument>.+?))? -->\n"
    r"```(?P<kind>[\w-]*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
CITED = re.compile(r"\b[a-z]{3,}(?:19|20)\d\d[a-z]+\b")
DOTTED = re.compile(r"`(augkit(?:\.\w+)+)\b")
IMPORT = re.compile(r"^ *(?:>>> )?(from augkit[\w.]* import [\w, ]+)$", re.MULTILINE)
GROUPS = {"augmenters", "benchmarks", "finders", "gates", "llms", "metrics"}
BENCHMARK = re.compile(r"-m (lab\.\w+)([^`\n]*)")
COMMAND = re.compile(r"\baugkit ([a-z-]+)([^`\n]*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
ENTRY = re.compile(r"^@\w+\{(\w+),", re.MULTILINE)


def test_links_lead_somewhere():
    """Relative links name a file, or on the site a generated page; headings of files are there.

    The links of the built site are in ``test_site.py``.
    """
    dead = []
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "AGENTS.md", ROOT / "CHANGELOG.md"]:
        for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            path, _, anchor = link.partition("#")
            if re.match(r"\w+:", path):
                continue
            target = (page.parent / path).resolve() if path else page
            is_generated = DOCS in page.parents and target in GENERATED
            is_wrong = target.suffix == ".md" and anchor and anchor not in anchors(target)
            if not is_generated and (not target.exists() or is_wrong):
                dead.append(f"{page.relative_to(ROOT)}: {link}")
    assert not dead, "\n".join(dead)


def anchors(page):
    """The names under which a page's headings can be linked to."""
    if not page.exists():
        return set()
    titles = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_pages_keep_to_their_limits():
    """No cell or sentence is too long; code is run here, or a mark says why not."""
    faults = [f"{page.relative_to(ROOT)}: {fault}" for page in PAGES for fault in page_faults(page)]
    assert not faults, "\n".join(faults)


def test_python_blocks_are_python():
    """Code marked as Python can be parsed."""
    for name, text in TEXTS.items():
        for block in FENCE.finditer(text):
            if block["kind"] == "python":
                # Empty lines before it make the line of an error that of the page.
                ast.parse("\n" * text.count("\n", 0, block.start("code")) + block["code"], name)


def test_names_exist_and_are_public():
    """Dotted names of augkit exist; what a page imports is on the page of public names."""
    public = [thing for _, thing in public_things()]
    wrong = []
    for page, text in TEXTS.items():
        for name in DOTTED.findall(text):
            is_entry_point = name.count(".") == 1 and name.partition(".")[2] in GROUPS
            if not is_entry_point and not resolves(name):
                wrong.append(f"{page}: there is no {name}")
        for line in IMPORT.findall(text):
            (statement,) = ast.parse(line).body
            for alias in statement.names:
                name = f"{statement.module}.{alias.name}"
                if not resolves(name) or value_of(name) not in public:
                    wrong.append(f"{page}: {name} is not public: add it to reference_python.py")
    assert not wrong, "\n".join(wrong)


def resolves(name):
    """Whether a dotted name is a module, or an attribute of one."""
    try:
        value_of(name)
    except (ModuleNotFoundError, AttributeError):
        return False
    return True


def value_of(name):
    """The module or attribute of a dotted name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        if not module:
            raise
        return getattr(value_of(module), attribute)


def test_options_exist():
    """Every option of a command exists, and every one of a benchmark is one of some benchmark."""
    parts = "\n".join(reference.cli_page()).split("## augkit ")[1:]
    options = {part.split("\n")[0]: set(OPTION.findall(part)) | {"--help"} for part in parts}
    lab = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lab").glob("*.py"))
    maps = {path.name: path.read_text("utf-8") for path in sorted(DOCS.glob("paper-map/*.yaml"))}
    unknown = []
    for page, text in {**TEXTS, **maps}.items():
        for command, rest in COMMAND.findall(text):
            used = set(OPTION.findall(rest.split("#")[0].split(" && ")[0]))
            if command in options and not used <= options[command]:
                unknown.append(f"{page}: augkit {command} {used - options[command]}")
        for module, rest in BENCHMARK.findall(text):
            if not (ROOT / f"{module.replace('.', '/')}.py").exists():
                unknown.append(f"{page}: {module}")
            unused = {option for option in OPTION.findall(rest) if f'"{option}"' not in lab}
            if unused:
                unknown.append(f"{page}: {module} {unused}")
    assert not unknown, "\n".join(unknown)


@pytest.mark.slow
def test_citations_exist():
    """Every citation key in code, prompts and pages is one entry of references.bib."""
    keys = ENTRY.findall((DOCS / "references.bib").read_text(encoding="utf-8"))
    assert len(keys) == len(set(keys))
    sources = [*(ROOT / "augkit").rglob("*.py"), *(ROOT / "augkit").rglob("*.yaml"), *PAGES]
    cited = {path: set(CITED.findall(path.read_text(encoding="utf-8"))) for path in sources}
    assert any(cited.values())
    assert not {str(path): found - set(keys) for path, found in cited.items() if found - set(keys)}


def pages_with(*signs):
    """A parameter for each page that has one of these signs, called like the page."""
    named = [
        pytest.param(text, id=name) for name, text in TEXTS.items() if any(s in text for s in signs)
    ]
    return pytest.mark.parametrize("text", named)


@pytest.mark.slow
@pages_with("```pycon\n")
def test_sessions_give_what_they_show(text, monkeypatch, tmp_path):
    """A Python session (a block marked pycon) prints what is below each line.

    The sessions of a page follow one another: names defined in one exist in the next.
    """
    monkeypatch.chdir(tmp_path)
    session = "\n".join(block["code"] for block in FENCE.finditer(text) if block["kind"] == "pycon")
    test = doctest.DocTestParser().get_doctest(session, {}, "page", "page", 0)
    printed = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=printed.append)
    assert not runner.failures, "".join(printed)


@pytest.mark.slow
@pages_with("<!-- prints: ", "<!-- run -->", "<!-- shown in: ")
def test_commands_print_what_is_shown(text, tmp_path, augkit, monkeypatch):
    """Marked blocks do what they say, in page order, in a folder with the page's own files.

    ``<!-- file: NAME -->`` makes the block below it a file, ``<!-- prints: COMMAND -->`` compares,
    ``<!-- run -->`` runs every command of the block, or its Python code, and
    ``<!-- shown in: PAGE -->`` looks for the block in a page that has it from a command. A line
    with … alone stands for lines that are left out.
    """
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("augkit.cli.terminal._EVERY_SECONDS", inf)  # on a slow machine, too
    for mark in MARKED.finditer(text):
        if mark["what"] == "file":
            (tmp_path / mark["argument"]).write_text(mark["code"], encoding="utf-8")
        elif mark["what"] == "prints":
            _, shown = outcome(mark["argument"], augkit)
            assert agrees(mark["code"], shown), f"{mark['argument']} prints\n{shown}"
        elif mark["what"] == "shown in":
            source = MARKED.finditer(TEXTS[mark["argument"]])
            printed = [other["code"] for other in source if other["what"] == "prints"]
            assert any(agrees(f"…\n{mark['code']}…\n", code) for code in printed)
        elif mark["kind"] == "python":
            exec(compile(mark["code"], "page", "exec"), {"__name__": "__main__"})
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
