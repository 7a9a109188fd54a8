"""The pages of the site as Sphinx reads them: those of ``docs``, completed, and generated ones.

The pages of ``docs`` are plain Markdown and notebooks, which GitHub shows as well. What only the
site needs is added here: the tables of stored results, the navigation, and the addresses of links
that leave ``docs``. The reference and the gallery are generated and in no commit.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import normpath
from typing import Any, NamedTuple

import gallery
import reference
import yaml

from lab.tables import fill, read_results

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
REPOSITORY = "https://github.com/augkit/augkit"
ADDRESS = "https://augkit.github.io/augkit"

LINK = re.compile(r"\]\((?P<path>(?!\w+:)[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
CITED = re.compile(r"(?<!\[)`[a-z]{3,}(?:19|20)\d\d[a-z]+`")
ENTRY = re.compile(r"(?:(?P<title>.+) <)?(?P<name>[\w./-]+)>?")
PICTURES = {".svg", ".png"}


def generated_names() -> list[str]:
    """The names of the pages that are on the site and not in ``docs``."""
    return [*reference.names(), *gallery.names()]


def write_pages(folder: Path, *, with_gallery: bool = True) -> None:
    """Write all pages and pictures into a folder, for Sphinx.

    Args:
        folder: Where to write them.
        with_gallery: Run the methods of the gallery. Otherwise its pages say what they would show.
    """
    pages = dict(written_pages())
    pages |= reference.pages()
    pages |= gallery.pages(run=with_gallery)
    navigation = read_navigation(pages)
    results = read_results()
    for name, text in pages.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        complete = complete_links(name, fill(text, results))
        if not name.startswith("reference/"):
            complete = link_citation(complete)
        path.write_text(complete + toctree(navigation, name), encoding="utf-8")
    for picture in DOCS.rglob("*"):
        if picture.suffix in PICTURES:
            copy = folder / picture.relative_to(DOCS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, copy)
    (folder / "llms.txt").write_text(llms_txt(pages, navigation), encoding="utf-8")


def written_pages() -> Iterator[tuple[str, str]]:
    """Name and Markdown of every page of ``docs``, notebooks too."""
    for path in sorted(DOCS.rglob("*.md")):
        yield page_name(path), path.read_text(encoding="utf-8")
    for path in sorted(DOCS.glob("notebooks/*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        yield page_name(path), "\n\n".join(notebook_parts(notebook))


def page_name(path: Path) -> str:
    """The name of a page: its path in ``docs`` without the suffix."""
    return path.relative_to(DOCS).with_suffix("").as_posix()


def notebook_parts(notebook: Mapping[str, Any]) -> Iterator[str]:
    """The cells of a notebook as blocks of Markdown."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source
            continue
        kind = "bash" if source.startswith("%%bash\n") else "python"
        yield f"```{kind}\n{source.removeprefix('%%bash').strip()}\n```"
        for output in cell.get("outputs", []):
            printed = output.get("text") or output.get("data", {}).get("text/plain", [])
            yield f"```text\n{''.join(printed).rstrip()}\n```"


# Links


def complete_links(name: str, text: str) -> str:
    """A page whose links lead to pages of the site, or to GitHub where a file is no part of it."""

    def address(link: re.Match[str]) -> str:
        anchor = link["anchor"] or ""
        target = normpath(f"docs/{name}/../{link['path']}")
        if target.startswith("docs/") and target.endswith((".md", *PICTURES)):
            return link[0]
        if target.startswith("docs/notebooks/") and target.endswith(".ipynb"):
            return f"]({link['path'].removesuffix('.ipynb')}.md{anchor})"
        kind = "tree" if (ROOT / target).is_dir() else "blob"
        return f"]({REPOSITORY}/{kind}/main/{target}{anchor})"

    return LINK.sub(address, text)


def link_citation(text: str) -> str:
    """A page whose first citation in running text leads to the list of works."""
    for line in text.splitlines():
        if line[:1] not in {"#", "|"} and CITED.search(line):
            linked = CITED.sub(r"[\g<0>](/reference/references.md)", line, count=1)
            return text.replace(line, linked, 1)
    return text


# The navigation


class Navigation(NamedTuple):
    """What every page is called, and which pages are below it."""

    titles: dict[str, str]
    below: dict[str, list[str]]


def read_navigation(pages: Mapping[str, str]) -> Navigation:
    """The order of ``docs/navigation.yaml``; pages of a folder that it leaves out come last."""
    titles = {name: short_title(text) for name, text in pages.items()}
    navigation = Navigation(titles, {name: [] for name in pages})
    listed = yaml.safe_load((DOCS / "navigation.yaml").read_text(encoding="utf-8"))
    add_below(navigation, "index", listed)
    placed = {"index", *all_below(navigation, "index")}
    for name in sorted(pages.keys() - placed):
        parent = name.rpartition("/")[0]
        if parent in pages:
            navigation.below[parent].append(name)
            placed.add(name)
    if placed != pages.keys():
        raise SystemExit(
            f"docs/navigation.yaml: pages that do not exist: {sorted(placed - pages.keys())}; "
            f"pages that are not listed: {sorted(pages.keys() - placed)}"
        )
    return navigation


def add_below(navigation: Navigation, parent: str, listed: Mapping[str, Any]) -> None:
    """Add listed pages, and those below them, to the pages below another one."""
    for entry, own in listed.items():
        match = ENTRY.fullmatch(entry)
        if match is None:
            raise ValueError(f"docs/navigation.yaml: {entry} is neither PAGE nor TITLE <PAGE>")
        name = match["name"]
        if match["title"]:
            navigation.titles[name] = match["title"]
        navigation.below.setdefault(parent, []).append(name)
        add_below(navigation, name, own or {})


def short_title(text: str) -> str:
    """The title of a page up to its colon: what the navigation has room for."""
    return text.removeprefix("# ").partition("\n")[0].partition(":")[0].replace("`", "")


def toctree(navigation: Navigation, name: str) -> str:
    """The pages below a page as Sphinx reads them, or nothing."""
    below = navigation.below[name]
    if not below:
        return ""
    entries = [f"{navigation.titles[page]} </{page}>" for page in below]
    return "\n".join(["", "```{toctree}", ":hidden:", ":titlesonly:", "", *entries, "```", ""])


# For language models


def llms_txt(pages: Mapping[str, str], navigation: Navigation) -> str:
    """The pages of the site for language models (https://llmstxt.org)."""
    lines = ["# augkit", "", f"> {first_sentence(pages['index'])}", ""]
    for section in navigation.below["index"]:
        lines += [f"## {navigation.titles[section]}", ""]
        for name in all_below(navigation, section):
            about = first_sentence(pages[name])
            lines.append(f"- [{navigation.titles[name]}]({ADDRESS}/{name}.html): {about}")
        lines.append("")
    return "\n".join(lines)


def all_below(navigation: Navigation, name: str) -> Iterator[str]:
    """The pages below a page, each followed by those below it."""
    for page in navigation.below.get(name, []):
        yield page
        yield from all_below(navigation, page)


def first_sentence(text: str) -> str:
    """The first sentence of a page without marks, links and code; its title where it has none."""
    prose = re.sub(
        r"^(```|~~~).*?^\1$|<!--.*?-->|^\|.*?$", "", text, flags=re.DOTALL | re.MULTILINE
    )
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", prose)]
    sentences = [part for part in paragraphs if part and part[0] not in "#<-!["]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`]", r"\1", [*sentences, paragraphs[0]][0])
    return re.split(r"(?<=[.!?])\s(?=[A-Z`])", " ".join(plain.split()), maxsplit=1)[0].strip("# :")
