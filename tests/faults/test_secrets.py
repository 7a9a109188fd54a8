"""Keys and the secrets of addresses reach no file and no message, in whatever spelling."""

import json
from base64 import b64encode
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.usefixtures("hide_torch")

KEY = "sk-very-secret-4711"
USER, PASSWORD, TOKEN = "mallory", "pa§s/w0rd", "t0ken=&value"
ROWS = [{"text": f"Film number {i} was good.", "label": "ab"[i % 2]} for i in range(4)]


def spellings(secret):
    """The secret raw, percent-encoded, as JSON, and with every character escaped."""
    yield secret
    yield quote(secret, safe="")
    yield quote(secret, safe="").lower()
    yield "".join(f"%{byte:02X}" for byte in secret.encode())
    yield json.dumps(secret)[1:-1]
    yield "".join(f"\\u{ord(character):04x}" for character in secret)
    yield b64encode(secret.encode()).decode()


def leaks(text):
    """The secrets that a text holds, and their spelling."""
    secrets = (KEY, USER, PASSWORD, TOKEN, f"{USER}:{PASSWORD}")
    return [spelled for secret in secrets for spelled in spellings(secret) if spelled in text]


def with_secrets(url):
    """The address with a user, a password, a query and a fragment."""
    login = f"{USER}:{quote(PASSWORD, safe='')}"
    return f"{url.replace('://', f'://{login}@')}?token={quote(TOKEN, safe='')}#{TOKEN}"


@pytest.fixture
def command(write_rows, tmp_path, monkeypatch):
    """The words of a run with a language model, without its address."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    config = tmp_path / "once.yaml"
    config.write_text("connection: {attempts: 1}\n")
    return [
        "run", "-m", "paraphrase", "-d", str(write_rows(ROWS)), "--llm", "openai:tiny",
        "--config", str(config), "--out", str(tmp_path / "out"), "--set", "log_exchanges=true",
        "--set", f"cache={tmp_path / 'cache.sqlite'}",
        "--set", "text_gates.enabled=false", "--set", "judge.by=none",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("mix", [{}, {"echo-key": 1.0}])
def test_no_byte_of_a_folder_holds_a_secret(augkit, serve, command, tmp_path, mix):
    """Neither does the output: of a dry run, a trial, a run, a resume, its page and its card."""
    server = serve(mix=mix)
    address = with_secrets(server.url)
    said = [augkit(*command, "--base-url", address, "--dry-run")]
    said.append(augkit("try", "-m", "paraphrase", *command[3:7], "--set", f"base_url={address}"))
    said.append(augkit(*command, "--base-url", address))
    assert said[-1].code == (4 if mix else 0), said[-1].err
    assert server.calls
    said.append(augkit(*command, "--base-url", address, "--resume"))
    said.append(augkit("report", tmp_path / "out"))
    for result in said:
        assert not leaks(result.out + result.err)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"manifest.json", "report.html", "README.md", "exchanges.jsonl"} <= {
        path.name for path in written
    }
    for path in written:
        assert not leaks(path.read_bytes().decode("utf-8", "replace")), path
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["connection"]["base_url"] == server.url
    assert f"--base-url {server.url}" in (tmp_path / "out" / "report.html").read_text()
    # The server was reached with them all the same.
    assert "token=" in server.paths[-1]
    assert server.headers[-1]["authorization"].startswith(("Basic ", "Bearer "))


@pytest.mark.parametrize(
    "address",
    [
        "http://mallory:pa/ss@host/v1",
        "http://mallory:pa?ss@host/v1",
        "http://mallory:pa ss@host/v1",
    ],
)
def test_an_address_whose_secrets_are_unclear_is_refused(augkit, command, address, monkeypatch):
    """Without a word of it, also where the environment has it."""
    refused = augkit(*command, "--base-url", address)
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    for result in (refused, augkit(*command)):
        assert result.code == 2
        assert "%2F" in result.err
        assert "mallory" not in result.err


@pytest.mark.slow
def test_a_resume_sends_nothing_to_an_address_that_only_the_folder_names(
    augkit, serve, command, tmp_path, monkeypatch
):
    """The user gives the address, on the command line, in a file or in the environment."""
    server, other = serve(mix={"500": 1.0}), serve()
    out = tmp_path / "out"
    assert augkit(*command, "--base-url", server.url).code == 4
    calls = server.calls
    resume = ("run", "--resume", "--out", out, "--workers", "2")
    refused = augkit(*resume)
    assert refused.code == 2
    assert f"reached at {server.url}" in refused.err
    typed = f"augkit run --resume --out {out} --workers 2 --base-url {server.url}"
    assert refused.err.rstrip().endswith(f"continue with: {typed}")
    assert server.calls == calls

    # Somebody else's folder: its address is never used, whoever else is named.
    path = out / "manifest.json"
    path.write_text(path.read_text().replace(server.url, "http://evil.example.org/v1"))
    assert "evil.example.org" in augkit(*resume).err
    monkeypatch.setenv("OPENAI_BASE_URL", other.url)
    assert augkit(*resume).code == 0
    assert (server.calls, other.calls) == (calls, 4)
    manifest = json.loads(path.read_text())
    assert manifest["connection"]["base_url"] is None

    # A finished run asks nothing, so its address is not needed.
    monkeypatch.delenv("OPENAI_BASE_URL")
    path.write_text(
        path.read_text().replace('"base_url": null', '"base_url": "http://evil.example.org/v1"')
    )
    assert augkit(*resume).code == 0


@pytest.mark.slow
def test_a_folder_names_no_cluster_to_connect_to(augkit, serve, command, tmp_path):
    """Where the work is done is said by the user alone."""
    out, server = tmp_path / "out", serve(mix={"500": 1.0})
    assert augkit(*command, "--base-url", server.url).code == 4
    path = out / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["settings"] |= {"engine": "ray", "ray_address": "203.0.113.1:6379"}
    path.write_text(json.dumps(manifest))
    server.behave(type(server.behaviour)())
    assert augkit("run", "--resume", "--out", out, "--base-url", server.url).code == 0


def test_secrets_in_a_config_file_are_used_and_not_repeated(tmp_path):
    """They reach the server, and no command or manifest."""
    from augkit.runs.repeat import resume_command, settings_text
    from augkit.runs.settings import merge_settings

    address = with_secrets("http://models.example.org:8000/v1")
    config = tmp_path / "own.yaml"
    config.write_text(json.dumps({"connection": {"base_url": address}}))
    settings = merge_settings({"llm": "openai:tiny", "seed": 3}, config)
    assert settings.connection.base_url == address
    bare = "--base-url http://models.example.org:8000/v1"
    assert (
        settings_text(settings)
        == "method: coba\ndataset: reviews-demo\nseed: 3\nllm: openai:tiny\n"
    )
    assert resume_command(settings, tmp_path).endswith(
        f"{bare}  # add what is secret in the address"
    )
    assert not leaks(settings.model_dump_json())
