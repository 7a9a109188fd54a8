"""Upload the dataset of a run to the Hugging Face hub, with a dataset card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import yaml

from augkit.core.errors import BackendFailed, ConfigError, DataError, MissingExtra
from augkit.core.results import read_evaluation
from augkit.runs.ledger import DATASET, REJECTED, VARIANTS, resume_line
from augkit.runs.manifest import Manifest, read_manifest
from augkit.runs.records import read_variants
from augkit.text.printable import harmless

FILES = (DATASET, VARIANTS, REJECTED, "manifest.json", "scores.json")
"""What is uploaded; the card is made from them. Replies and progress are not."""
CARD = "README.md"
_ADDRESS = re.compile(r" --base-url (?:\$?'[^']*'|\S+)")


def files_of(folder: Path) -> list[Path]:
    """The files to upload of a run that went on to its end; its card says which rows are open."""
    manifest = read_manifest(folder)
    if not manifest.has_dataset:
        raise DataError(
            f"{folder}: this run is not finished ({manifest.status}). Continue it: "
            f"{resume_line(folder)}"
        )
    return [path for name in FILES if (path := folder / name).is_file()]


def check_name(name: str) -> None:
    """A repository's name is OWNER/NAME."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        raise ConfigError(
            f"'{name}' is not a repository name: give OWNER/NAME, as in me/films-coba"
        )


def push(folder: Path, name: str, card: str, *, private: bool) -> str:
    """Upload in one commit and return the address; the hub's library finds the token."""
    check_name(name)
    if find_spec("huggingface_hub") is None:
        raise MissingExtra("data", "augkit push")
    from huggingface_hub import CommitOperationAdd, HfApi
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError

    additions = [CommitOperationAdd(path.name, _content(path)) for path in files_of(folder)]
    additions.append(CommitOperationAdd(CARD, card.encode()))
    api = HfApi()
    try:
        address = api.create_repo(name, repo_type="dataset", private=private, exist_ok=True)
        api.create_commit(
            name, additions, commit_message="Dataset made by augkit", repo_type="dataset"
        )
    except LocalTokenNotFoundError as error:
        raise ConfigError(f"not logged in to the hub: run `hf auth login` ({error})") from error
    except HfHubHTTPError as error:
        raise BackendFailed(f"the hub rejected {name}: {error}") from error
    except Exception as error:  # of whatever transport the hub's library uses
        raise BackendFailed(
            f"the hub cannot be reached: {error}. Nothing was uploaded: try again when you are "
            "connected"
        ) from error
    return str(address)


def _content(path: Path) -> str | bytes:
    """The file; of the manifest a copy without the addresses of models."""
    if path.name != "manifest.json":
        return str(path)
    return (_published(path.parent).model_dump_json(indent=2) + "\n").encode()


def _published(folder: Path) -> Manifest:
    """The manifest of a run without the addresses of models, which may be of a private network."""
    manifest = read_manifest(folder)
    command = _ADDRESS.sub("", manifest.command)
    return manifest.model_copy(update={"connection": {}, "command": command})


_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
_EXAMPLES = 3
_LONGEST = 600
"""Characters of an example."""


def dataset_card(folder: Path, name: str) -> str:
    """The card of a run's dataset: metadata for the hub, then sections for people."""
    from jinja2 import Environment, StrictUndefined

    manifest, evaluation = _published(folder), read_evaluation(folder)
    rows = manifest.counts.read + manifest.counts.accepted
    data_files = [{"split": "train", "path": DATASET}]
    head = {
        "pretty_name": name,
        "language": ["en"],
        "license": "other",
        "license_name": "that-of-the-original",
        "task_categories": ["text-classification"],
        "size_categories": [next((size for most, size in _SIZES if rows < most), "n>1M")],
        "tags": ["augkit", "augmented", manifest.method],
        "configs": [{"config_name": "default", "data_files": data_files}],
    }
    here = files(__package__)
    limits = yaml.safe_load((here / "limits.yaml").read_text(encoding="utf-8"))
    versions = [f"{package} {version}" for package, version in manifest.versions.items()]
    page = Environment(
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Markdown, which ``plain`` escapes
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    page.filters["plain"] = _plain
    template = (here / "templates" / "card.md").read_text(encoding="utf-8")
    card = page.from_string(template).render(
        head=yaml.safe_dump(head, sort_keys=False, allow_unicode=True),
        name=name,
        manifest=manifest,
        examples=list(_examples(folder)),
        verdict=evaluation.verdict if evaluation else {},
        limits=[
            " ".join(text.split())
            for method in (*manifest.method.split(","), "any")
            for text in limits.get(method, [])
        ],
        versions=", ".join(versions),
    )
    return harmless(card)


def _examples(folder: Path) -> Iterator[tuple[str, str]]:
    """A few variants as they are, and a fence so that their text is not read as Markdown."""
    for record in islice(read_variants(folder), _EXAMPLES):
        texts = [f"{field}: {text}"[:_LONGEST] for field, text in record.fields.items()]
        edits = [f"- {edit.before!r} → {edit.after!r}" for edit in record.edits]
        block = "\n".join([*texts, f"label: {record.label}", *edits])
        yield "`" * (3 + max((len(run) for run in re.findall(r"`+", block)), default=0)), block


def _plain(text: str) -> str:
    """One line with Markdown escaped: text of a dataset cannot make a link, a tag or a heading."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(str(text).split()))
