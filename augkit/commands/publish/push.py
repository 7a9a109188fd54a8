"""Upload the dataset of a run to the Hugging Face hub, with a dataset card."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from augkit.core.errors import BackendFailed, ConfigError, DataError, MissingExtra
from augkit.runs.manifest import read_manifest

FILES = ("dataset.jsonl", "variants.jsonl", "rejected.jsonl", "manifest.json", "scores.json")
"""What is uploaded; the card is made from them. Replies and progress are not."""
CARD = "README.md"


def files_of(folder: Path) -> list[Path]:
    """The files of a finished run to upload."""
    manifest = read_manifest(folder)
    if manifest.status != "done":
        raise DataError(
            f"{folder}: this run is not finished ({manifest.status}). Continue it: "
            f"augkit run --resume --out {folder}"
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
        made = api.create_repo(name, repo_type="dataset", private=private, exist_ok=True)
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
    return str(made)


def _content(path: Path) -> str | bytes:
    """The file; of the manifest a copy without the connection settings."""
    if path.name != "manifest.json":
        return str(path)
    manifest = read_manifest(path.parent).model_copy(update={"connection": {}})
    return (manifest.model_dump_json(indent=2) + "\n").encode()
