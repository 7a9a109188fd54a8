"""A run's dataset on the Hugging Face hub, with a card that tells how it was made."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from augkit.core.errors import BackendFailed, ConfigError, DataError, MissingExtra
from augkit.runs.manifest import read_manifest

FILES = ("dataset.jsonl", "variants.jsonl", "rejected.jsonl", "manifest.json", "scores.json")
"""What goes up; the card is made from them. Paid answers and progress stay here."""
CARD = "README.md"


def files_of(folder: Path) -> list[Path]:
    """The files of a finished run that go up, with the connection left out of its manifest."""
    manifest = read_manifest(folder)
    if manifest.status != "done":
        raise DataError(
            f"{folder}: this run is not finished ({manifest.status}). Go on with it: "
            f"augkit run --resume --out {folder}"
        )
    return [path for name in FILES if (path := folder / name).is_file()]


def check_name(name: str) -> None:
    """A repository's name is OWNER/NAME."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        raise ConfigError(f"'{name}' is no name of a repository: give OWNER/NAME, as me/films-coba")


def push(folder: Path, name: str, card: str, *, private: bool) -> str:
    """Upload in one commit; the address of the dataset. The token is the hub's own to find."""
    check_name(name)
    if find_spec("huggingface_hub") is None:
        raise MissingExtra("data", "augkit push")
    from huggingface_hub import CommitOperationAdd, HfApi
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError

    additions = [CommitOperationAdd(path.name, _content(path)) for path in files_of(folder)]
    additions.append(CommitOperationAdd(CARD, card.encode()))
    api = HfApi()
    try:
        made = api.create_repo(name, repo_type="dataset", private=private, exist_ok=True)
        api.create_commit(
            name, additions, commit_message="Dataset made by augkit", repo_type="dataset"
        )
    except LocalTokenNotFoundError as error:
        raise ConfigError(f"the hub asks who you are: run `hf auth login` ({error})") from error
    except (HfHubHTTPError, OSError) as error:
        raise BackendFailed(f"the hub did not take {name}: {error}") from error
    return str(made)


def _content(path: Path) -> str | bytes:
    """The file; of the manifest a copy that does not tell how the models were reached."""
    if path.name != "manifest.json":
        return str(path)
    manifest = read_manifest(path.parent).model_copy(update={"connection": {}})
    return (manifest.model_dump_json(indent=2) + "\n").encode()
