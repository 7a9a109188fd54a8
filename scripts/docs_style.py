"""List what is wrong with the pages: too long, not run, hidden, or a figure that is not stored.

    python scripts/docs_style.py                       # every page; 1 if anything is listed
    python scripts/docs_style.py docs/concepts/coba.md

A page is as long as its one job needs. A table cell has at most 30 words and a sentence 200
characters; code does not count, and a link counts with its text.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from docs_figures import figure_faults

ROOT = Path(__file__).parent.parent
CELL_WORDS, SENTENCE_CHARACTERS = 30, 200

FENCE = re.compile(
    r"^(?P<fence>`{3,}) *(?P<kind>[\w-]*)[^\n]*\n(?P<code>.*?)^(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
MARK = re.compile(
    r"<!-- (?P<what>file|prints|shown in|run|not run|newcomer)(?:: (?P<argument>.+?))? -->$"
)
LINKED = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
ITEM = re.compile(r"^\s*(?:[-*>]|\d+\.)\s+", re.MULTILINE)


def pages() -> list[Path]:
    """The pages that people read: the README and all of ``docs``."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def page_faults(page: Path) -> list[str]:
    """All that is wrong with a page."""
    hidden = [*hidden_commands(page), *hidden_files(page)]
    return [*style_faults(page), *unmarked_blocks(page), *hidden]


def style_faults(page: Path) -> Iterator[str]:
    """What is too long on a page."""
    text = page.read_text(encoding="utf-8")
    for cell in cells(text):
        if len(cell.split()) > CELL_WORDS:
            yield f"table cell of {len(cell.split())} words: {cell[:60]} …"
    for sentence in sentences(text):
        if len(sentence) > SENTENCE_CHARACTERS:
            yield f"sentence of {len(sentence)} characters: {sentence[:60]} …"


def rendered(text: str) -> str:
    """A page as read: without code blocks and comments, links as their text."""
    return LINKED.sub(r"\1", COMMENT.sub("", FENCE.sub("\n\n", text)))


def cells(text: str) -> Iterator[str]:
    """The cells of all tables."""
    for line in rendered(text).splitlines():
        if line.lstrip().startswith("|"):
            yield from (cell.strip() for cell in line.strip().strip("|").split(" | "))


def sentences(text: str) -> Iterator[str]:
    """The sentences of paragraphs and lists; a colon or a semicolon ends none."""
    lines = [
        line
        for line in rendered(text).splitlines()
        if not line.lstrip().startswith(("|", "#", "$$"))
    ]
    for part in re.split(r"\n\s*\n", ITEM.sub("\n\n", "\n".join(lines))):
        yield from re.split(r"(?<=[.!?])[\"')*_]*\s+(?=\S)", " ".join(part.split()))


def unmarked_blocks(page: Path) -> Iterator[str]:
    """Code blocks that are neither run nor marked with the reason why not."""
    text = page.read_text(encoding="utf-8")
    compared = set(re.findall(r"<!-- prints: (.+?) -->", text))
    for block in FENCE.finditer(text):
        before = text[: block.start()].removesuffix("\n").rsplit("\n", 1)[-1]
        mark = MARK.match(before)
        shown = block["kind"] == "bash" and set(commands(block["code"])) <= compared
        if block["kind"] != "pycon" and not shown and (mark is None or not _complete(mark)):
            yield f"code block that is not run, line {text.count(chr(10), 0, block.start()) + 1}"


def hidden_commands(page: Path) -> Iterator[str]:
    """Output whose command stands only in a comment, where no reader sees it."""
    text = page.read_text(encoding="utf-8")
    visible = " ".join(COMMENT.sub("", text).replace("\\\n", " ").split())
    for command in re.findall(r"<!-- prints: (.+?) -->", text):
        if command not in visible:
            yield f"output without its command: {command}"


def hidden_files(page: Path) -> Iterator[str]:
    """Files whose name stands only in a comment: a reader must know under which name to save."""
    text = page.read_text(encoding="utf-8")
    for file in re.finditer(r"<!-- file: (.+?) -->", text):
        before = COMMENT.sub("", text[: file.start()]).rstrip().rsplit("\n\n", 1)[-1]
        if file[1] not in before:
            yield f"file whose name is not in the paragraph above it: {file[1]}"


def _complete(mark: re.Match[str]) -> bool:
    """Whether a mark says what it must: ``run`` alone stands without an argument."""
    return (mark["argument"] is None) == (mark["what"] == "run")


def commands(code: str) -> list[str]:
    """The commands of a block for the shell, without comments; a backslash continues a line."""
    lines = code.replace("\\\n", " ").splitlines()
    bare = [re.sub(r"(^|\s+)#.*", "", line) for line in lines]
    return [" ".join(line.split()) for line in bare if line.strip()]


def main() -> None:
    """List the faults of the named pages, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("pages", nargs="*", type=Path)
    found = False
    for page in [path.resolve() for path in parser.parse_args().pages] or pages():
        for fault in [*page_faults(page), *figure_faults(page)]:
            print(f"{page.relative_to(ROOT)}: {fault}")
            found = True
    sys.exit(found)


if __name__ == "__main__":
    main()
