"""A server with the batch end of the OpenAI API, in a thread of this process."""

from __future__ import annotations

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest


class BatchEnd:
    """Takes files and batches; ``finish`` answers what is open, each line as ``outcome`` says.

    ``outcome(body)`` gives "ok", "expired", or a status and a body. ``lose_next`` closes the
    connection after the next call of that kind ("files", "batches") was served; ``hold`` keeps the
    answers to calls of a method and kind ("POST batches") and sets ``held``.
    """

    def __init__(self, faults):
        self.faults = faults
        self.files, self.batches, self.direct, self.served = {}, {}, [], []
        self.outcome = lambda body: "ok"
        self.fail = ""
        self.automatic = False
        self.lose_next = ""
        self.hold = ""
        self.held, self.released = threading.Event(), threading.Event()
        end = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self._reply("GET")

            def do_POST(self):
                self._reply("POST")

            def _reply(self, method):
                size = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(size)
                status, answer = end.answer(method, urlsplit(self.path).path, body)
                if status is None:
                    self.close_connection = True
                    return
                text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method, path, body):
        kind, _, rest = path.removeprefix("/v1/").partition("/")
        if kind == "chat":
            self.direct.append(json.loads(body))
            return 200, self.completion(json.loads(body))
        served = getattr(self, f"_{method.lower()}_{kind}", None)
        found = served and served(rest, body)
        if self.hold == f"{method} {kind}":
            self.held.set()
            self.released.wait()
        if method == "POST" and self.lose_next == kind:
            self.lose_next = ""
            return None, None
        return (404, {"error": {"message": "not here"}}) if found is None else (200, found)

    def _post_files(self, _rest, body):
        assert b'name="purpose"\r\n\r\nbatch' in body
        content = re.search(rb'filename="[^"]*"\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--', body, re.DOTALL)
        name = f"file-{len(self.files)}"
        self.files[name] = content.group(1)
        return {"id": name, "object": "file", "purpose": "batch"}

    def _get_files(self, rest, _body):
        return self.files[rest.removesuffix("/content")]

    def _post_batches(self, _rest, body):
        asked = json.loads(body)
        assert asked["completion_window"] == "24h"
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        assert len({line["custom_id"] for line in lines}) == len(lines)
        assert {(line["method"], line["url"]) for line in lines} == {("POST", asked["endpoint"])}
        batch = {
            "id": f"batch_{len(self.batches)}",
            "object": "batch",
            "created_at": int(time.time()),
            "endpoint": asked["endpoint"],
            "completion_window": "24h",
            "input_file_id": asked["input_file_id"],
            "metadata": asked["metadata"],
            "status": "in_progress",
            "request_counts": {"total": len(lines), "completed": 0, "failed": 0},
        }
        self.batches[batch["id"]] = batch
        return batch

    def _get_batches(self, rest, _body):
        if rest:
            if self.automatic:
                self.finish()
            return self.batches.get(rest)
        listed = list(reversed(self.batches.values()))
        return {"object": "list", "data": listed, "has_more": False}

    def submitted(self):
        """The ids of all lines of all batches."""
        files = [self.files[batch["input_file_id"]] for batch in self.batches.values()]
        return [json.loads(line)["custom_id"] for file in files for line in file.splitlines()]

    def finish(self):
        """Answer all open batches."""
        for batch in self.batches.values():
            if batch["status"] == "in_progress":
                self._finish(batch)

    def _finish(self, batch):
        if self.fail:
            errors = {"object": "list", "data": [{"code": "bad", "message": self.fail}]}
            batch |= {"status": "failed", "errors": errors}
            return
        output, errors = [], []
        for line in map(json.loads, self.files[batch["input_file_id"]].splitlines()):
            outcome = self.outcome(line["body"])
            about = {"id": "x", "custom_id": line["custom_id"]}
            if outcome == "expired":
                expired = {"code": "batch_expired", "message": "not in time"}
                errors.append(about | {"response": None, "error": expired})
            elif outcome == "ok":
                answer = {"status_code": 200, "body": self.completion(line["body"])}
                self.served.append(self.faults.question(line["body"]))
                output.append(about | {"response": answer, "error": None})
            elif outcome != "lost":
                answer = {"status_code": outcome[0], "body": outcome[1]}
                errors.append(about | {"response": answer, "error": None})
        for field, lines in (("output_file_id", output), ("error_file_id", errors)):
            if lines:
                name = batch[field] = f"file-{len(self.files)}"
                self.files[name] = "\n".join(map(json.dumps, lines)).encode()
        batch["status"] = "expired" if errors and not output else "completed"
        counts = {"completed": len(output), "failed": len(errors)}
        batch["request_counts"] |= counts

    def completion(self, body):
        text = self.faults.answer(body)
        message = {"role": "assistant", "content": text}
        return {
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": self.faults.usage(body, text),
        }


@pytest.fixture
def end(faults):
    server = BatchEnd(faults)
    yield server
    server.close()


@pytest.fixture(scope="module")
def another_end(faults):
    server = BatchEnd(faults)
    yield server
    server.close()
