"""How Sphinx makes the site of these pages: ``python scripts/site.py build``.

The pages are plain Markdown and notebooks, which GitHub shows as well. What only the site needs is
added while a page is read: the navigation, and the addresses of links that leave ``docs/``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent
REPOSITORY = "https://github.com/augkit/augkit"
SITE = "https://augkit.github.io/augkit"

# Section: folder, the pages that come first, the pages that come last; the others by name.
# The page index of the folder stands for the section: the navigation opens one at a time.
NAVIGATION = {
    "Start": ("start", ["tutorial", "tutorial-2", "which-method"], ["footguns"]),
    "Notebooks": ("notebooks", ["find-and-break-a-shortcut"], []),
    "How to": (
        "how-to",
        "fix own-data check test-sets evaluate train own-llm python-api choices reward-models "
        "judges audit-decisions evaluate-an-llm bias-benchmarks studies".split(),
        "resume-and-reproduce publish other-libraries write-a-plugin".split(),
    ),
    "Ideas": (
        "concepts",
        ["coba", "panda", "razor", "grammars", "contrast", "baselines"],
        ["shortcuts", "attribution", "evaluation", "fairscore", "models", "language"],
    ),
    "Reference": (
        "reference",
        ["cli", "methods", "settings", "python"],
        ["paper-map", "references", "changelog"],
    ),
    "Results": ("results", ["head-to-head"], []),
    "For contributors": ("contributors", [], []),
}
# Page: the pages below it, as patterns in its folder; the navigation shows them on request.
BELOW = {
    "concepts/coba": ["coba-*", "../how-to/coba-vote"],
    "concepts/panda": ["panda-*"],
    "concepts/razor": ["razor-*", "symmetric"],
    "concepts/grammars": ["../how-to/grammars"],
    "concepts/choices": ["prune", "normalise", "mirror", "positions", "restyle"],
    "concepts/baselines": (
        "swap eda typo masking random-edit human paraphrase auggpt back-translation gpt3mix "
        "c-bert crossaug autocad".split()
    ),
    "how-to/own-data": ["spans-and-chats", "data-messages"],
    "how-to/own-llm": ["llm-*", "prompts"],
    "how-to/studies": ["paper-studies", "clusters"],
    "how-to/write-a-plugin": ["write-a-finder"],
    "reference/paper-map": ["paper-map/*"],
    "results/gallery": ["gallery/*"],
    "start/demo-data": ["pairs-demo"],
    "results/reproductions": ["reproductions-*"],
    "results/0.1.0/index": ["*"],
    "contributors/index": ["../results/0.1.0/index"],
}
SHORT_TITLES = {
    "how-to/check": "Check a dataset, in a build too",
    "how-to/choices": "Preference pairs and multiple choice",
    "how-to/judges": "Audit a judge of answers",
    "how-to/reward-models": "Reward models before and after",
}
"""Pages whose title is a question: what the navigation calls them."""
NOT_SEARCHED = ("results/0.1.0/",)
"""Pages with every detail of a release, which would hide the others among the results."""
LINK = re.compile(r"\]\((?P<path>(?!\w+:)[^)#\s]+)\)")
CITED = re.compile(r"(?<!\[)`[a-z]{3,}(?:19|20)\d\d[a-z]+`")
PAGES = {".md", ".ipynb"}
ON_THE_SITE = {*PAGES, ".svg", ".png"}

project = "augkit"
author = "The augkit developers"
version = release = re.findall(
    r'__version__ = "(.+)"', (DOCS.parent / "augkit" / "__init__.py").read_text("utf-8")
)[0]
extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = ["notebooks/recorded"]
myst_heading_anchors = 4  # links to headings work as on GitHub
smartquotes_action = "qe"  # quotes and ellipses; "--" is an option
highlight_language = "none"
copybutton_exclude = ".linenos, .gp, .go"  # a copied session is its commands alone
html_theme = "furo"
html_title = "augkit"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "source_repository": REPOSITORY,
    "source_branch": "main",
    "source_directory": "docs/",
}


def page_names(folder: str, first: list[str], last: list[str]) -> list[str]:
    """The pages of a folder in the order of the navigation, with their short titles."""
    files = [path for path in (DOCS / folder).rglob("*") if path.suffix in PAGES]
    found = {path.relative_to(DOCS / folder).with_suffix("").as_posix(): path for path in files}
    nested = {path for parent in BELOW for path in pages_below(parent)}
    others = sorted(found.keys() - {*first, *last, "index"})
    names = [name for name in [*first, *others, *last] if name in found]
    return [entry(found[name]) for name in names if found[name] not in nested]


def pages_below(parent: str) -> list[Path]:
    """The pages that the navigation shows below another one."""
    page = DOCS / f"{parent}.md"
    found = [sorted(page.parent.glob(f"{pattern}.md")) for pattern in BELOW.get(parent, [])]
    return [path.resolve() for paths in found for path in paths if path != page]


def entry(path: Path) -> str:
    """A page in the navigation: its short title and its name."""
    return f"{short_title(path)} </{path.relative_to(DOCS).with_suffix('').as_posix()}>"


def title_and_name(listed: str) -> tuple[str, str]:
    """The short title and the name of a page in the navigation."""
    title, _, name = listed.removesuffix(">").partition(" </")
    return title, name


def with_pages_below(pages: list[str]) -> Iterator[str]:
    """Each page of the navigation, followed by those that it shows on request."""
    for listed in pages:
        yield listed
        yield from map(entry, pages_below(title_and_name(listed)[1]))


def toctree(pages: list[str]) -> str:
    """One part of the navigation, as Sphinx reads it."""
    return "\n".join(["```{toctree}", ":hidden:", ":titlesonly:", "", *pages, "```", ""])


def short_title(path: Path) -> str:
    """The title of a page up to its colon: what the navigation has room for."""
    name = path.relative_to(DOCS).with_suffix("").as_posix()
    if name in SHORT_TITLES:
        return SHORT_TITLES[name]
    text = markdown_of(path.suffix, path.read_text(encoding="utf-8"))
    return text.removeprefix("# ").partition("\n")[0].partition(":")[0].replace("`", "")


def markdown_of(suffix: str, text: str) -> str:
    """A page as it stands, a notebook as its texts, its code and what that printed."""
    return "\n\n".join(notebook_parts(json.loads(text))) if suffix == ".ipynb" else text


def notebook_parts(notebook: dict[str, Any]) -> Iterator[str]:
    """The cells of a notebook as blocks of Markdown."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        kind = "bash" if source.startswith("%%bash\n") else "python"
        code = f"```{kind}\n{source.removeprefix('%%bash').strip()}\n```"
        yield source if cell["cell_type"] == "markdown" else code
        for output in cell.get("outputs", []):
            printed = output.get("text") or output.get("data", {}).get("text/plain", [])
            yield f"```text\n{''.join(printed).rstrip()}\n```"


def complete(app: Sphinx, name: str, source: list[str]) -> None:
    """Add to a page what only the site needs."""
    path = Path(app.env.doc2path(name))
    text = markdown_of(path.suffix, source[0])
    if name == "reference/changelog":
        text = (DOCS.parent / "CHANGELOG.md").read_text("utf-8").replace("](docs/", "](../")
    source[0] = LINK.sub(lambda link: _address(link, path.parent), text)
    if path.parent.name != "reference":
        source[0] = link_citation(source[0])
    sections = {f"{folder}/index": (folder, *rest) for folder, *rest in NAVIGATION.values()}
    below = [entry(page) for page in pages_below(name)]
    if name in sections:
        below += page_names(*sections[name])
    if name == "index":
        below = [f"{title} </{parts[0]}/index>" for title, parts in NAVIGATION.items()]
    if below:
        source[0] += "\n" + toctree(below)
    if name.startswith(NOT_SEARCHED):
        source[0] = f"---\nnosearch: true\n---\n{source[0]}"


def link_citation(text: str) -> str:
    """A page whose first citation in running text leads to the list of works."""
    for line in text.splitlines():
        if line[:1] not in {"#", "|"} and CITED.search(line):
            linked = CITED.sub(r"[\g<0>](/reference/references.md)", line, count=1)
            return text.replace(line, linked, 1)
    return text


def _address(link: re.Match[str], folder: Path) -> str:
    """A link as it stands, or to GitHub where its file is no part of the site."""
    path = (folder / link["path"]).resolve()
    if DOCS in path.parents and path.suffix in ON_THE_SITE:
        return link[0]
    kind = "tree" if path.is_dir() else "blob"
    return f"]({REPOSITORY}/{kind}/main/{path.relative_to(DOCS.parent).as_posix()})"


def write_llms_txt(app: Sphinx, error: Exception | None) -> None:
    """Write ``llms.txt``, the pages of the site for language models (https://llmstxt.org)."""
    if error is not None:
        return
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    lines = [f"# {project}", "", f"> {first_sentence(index)}", ""]
    for caption, (folder, first, last) in NAVIGATION.items():
        lines += [f"## {caption}", ""]
        for listed in with_pages_below(page_names(folder, first, last)):
            title, name = title_and_name(listed)
            path = next((DOCS / name).parent.glob(f"{(DOCS / name).name}.*"))
            about = first_sentence(markdown_of(path.suffix, path.read_text(encoding="utf-8")))
            lines.append(f"- [{title}]({SITE}/{name}.html): {about}")
        lines.append("")
    Path(app.outdir, "llms.txt").write_text("\n".join(lines), encoding="utf-8")


def first_sentence(text: str) -> str:
    """The first sentence of a page without marks, links and code; its title where it has none."""
    prose = re.sub(
        r"^(```|~~~).*?^\1$|<!--.*?-->|^\|.*?$", "", text, flags=re.DOTALL | re.MULTILINE
    )
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", prose)]
    sentences = [part for part in paragraphs if part and part[0] not in "#<-!["]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`]", r"\1", [*sentences, paragraphs[0]][0])
    return re.split(r"(?<=[.!?])\s(?=[A-Z`])", " ".join(plain.split()), maxsplit=1)[0].strip("# :")


def setup(app: Sphinx) -> None:
    """Read every page through ``complete``, notebooks too."""
    app.add_source_suffix(".ipynb", "markdown")
    app.connect("source-read", complete)
    app.connect("build-finished", write_llms_txt)
