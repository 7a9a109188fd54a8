"""A run's dataset, pushed to a real HTTP server that speaks as much of the hub as is needed."""

import base64
import json
import threading
import time
from dataclasses import dataclass, field

import pytest
import yaml

from augkit.commands.publish.push import dataset_card, files_of, push
from augkit.core.errors import BackendFailed, ConfigError, DataError
from augkit.runs.settings import RunSettings

EVIL = "<script>alert(1)</script> ```` [link](http://evil) {{ braces }}"


@dataclass
class Hub:
    """What the server was sent."""

    url: str = ""
    made: list[dict] = field(default_factory=list)
    heads: list[dict] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    refuse: bool = False


@pytest.fixture
def hub(monkeypatch):
    """A hub on this machine; nothing else can be reached by the client."""
    pytest.importorskip("huggingface_hub")
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    state = Hub()

    async def create(request):
        state.made.append(await request.json())
        return JSONResponse({"url": f"{state.url}/datasets/me/films"})

    async def validate(request):
        content = (await request.json())["content"]
        state.heads.append(yaml.safe_load(content.split("---\n")[1]))
        return JSONResponse({"errors": [], "warnings": []})

    async def preupload(request):
        asked = (await request.json())["files"]
        regular = {"uploadMode": "regular", "shouldIgnore": False, "oid": None}
        return JSONResponse({"files": [{"path": one["path"], **regular} for one in asked]})

    async def commit(request):
        if state.refuse:
            return JSONResponse({"error": "the disk is full"}, status_code=507)
        for line in (await request.body()).decode().splitlines():
            record = json.loads(line)
            if record["key"] == "file":
                content = base64.b64decode(record["value"]["content"])
                state.files[record["value"]["path"]] = content
        address = f"{state.url}/datasets/me/films/commit/1"
        return JSONResponse({"commitUrl": address, "commitOid": "1", "pullRequestUrl": None})

    routes = [
        Route("/api/validate-yaml", validate, methods=["POST"]),
        Route("/api/repos/create", create, methods=["POST"]),
        Route("/api/datasets/{owner}/{name}/preupload/main", preupload, methods=["POST"]),
        Route("/api/datasets/{owner}/{name}/commit/main", commit, methods=["POST"]),
    ]
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    state.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", state.url)
    monkeypatch.setattr("huggingface_hub.hf_api.constants.ENDPOINT", state.url)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    yield state
    server.should_exit = True
    thread.join()


@pytest.fixture
def run(tmp_path):
    """A real run over texts with markup in them."""
    from augkit.runs.execute import run

    rows = [{"text": f"A good film, number {n}. {EVIL}", "label": EVIL} for n in range(3)]
    data = tmp_path / "films.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = {"pairs": [["film", "movie"]]}
    return run(RunSettings(method="swap", dataset=str(data), options=options), tmp_path / "run")


@pytest.mark.slow
def test_what_was_made_arrives_whole(hub, run):
    """All files and the card are there byte for byte, and nothing that tells of the connection."""
    address = push(run, "me/films", dataset_card(run, "me/films"), private=True)
    assert address.endswith("/datasets/me/films")
    created = hub.made[0]  # the client's versions spell it in two ways
    assert created.get("private") or created.get("visibility") == "private"
    assert hub.heads[0]["tags"] == ["augkit", "augmented", "swap"]
    assert hub.files["dataset.jsonl"] == (run / "dataset.jsonl").read_bytes()
    assert set(hub.files) == {path.name for path in files_of(run)} | {"README.md"}
    assert json.loads(hub.files["manifest.json"])["connection"] == {}
    assert not any(b"hf_secret" in content for content in hub.files.values())


def test_the_card_can_be_read_by_the_hub_and_by_people(run):
    """Its head is YAML with the file of the split; text of the data stays inside fences."""
    card = dataset_card(run, "me/films")
    _, head, body = card.split("---\n", 2)
    metadata = yaml.safe_load(head)
    assert metadata["configs"][0]["data_files"] == [{"split": "train", "path": "dataset.jsonl"}]
    assert metadata["size_categories"] == ["n<1K"]
    assert "`swap`" in body
    assert "3 variants were accepted" in body
    assert "augkit run --method swap" in body
    outside, fence = [], ""
    for line in body.splitlines():
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if len(ticks) >= 3 and not fence:
            fence = ticks
        elif fence and line == fence:
            fence = ""
        elif not fence:
            outside.append(line)
    assert fence == ""
    assert not any("<script>" in line or "](http" in line for line in outside)


def test_every_method_has_its_warnings(run):
    """The papers' warnings stand on the card of their method; what holds for all on every card."""
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "method": "panda"}))
    card = dataset_card(run, "me/films")
    assert "misinformation" in card
    assert "licence" in card


@pytest.mark.slow
def test_mistakes_are_errors_and_nothing_goes_up(hub, run):
    card = dataset_card(run, "me/films")
    with pytest.raises(ConfigError, match="OWNER/NAME"):
        push(run, "films", card, private=False)
    hub.refuse = True
    with pytest.raises(BackendFailed, match="rejected me/films"):
        push(run, "me/films", card, private=False)
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "status": "interrupted"}))
    with pytest.raises(DataError, match="not finished"):
        push(run, "me/films", card, private=False)
    assert hub.files == {}


@pytest.mark.slow
def test_a_hub_that_cannot_be_reached_is_one_sentence(run, monkeypatch):
    """Nobody answers at this port."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(BackendFailed, match=r"the hub cannot be reached: .+ Nothing was uploaded"):
        push(run, "me/films", dataset_card(run, "me/films"), private=False)
