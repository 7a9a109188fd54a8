"""The README for the package index: its links lead to the repository, its picture is shown.

Hatchling calls this while it builds the package (``[tool.hatch.metadata.hooks.custom]``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "https://github.com/augkit/augkit"
LINK = re.compile(r"(?P<picture>!?)(?P<text>\[[^\]]*\])\((?!\w+:|#)(?P<path>[^)\s]+)\)")


def absolute_links(text: str) -> str:
    """Markdown whose relative links are addresses of the repository."""

    def address(link: re.Match[str]) -> str:
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}{link['text']}({REPOSITORY}/{kind}/main/{link['path']})"

    return LINK.sub(address, text)


class Readme(MetadataHookInterface):
    """Adds the README to the metadata of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme``."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute_links(text)}
