"""The server of `checker explore`: its page and its answers for whoever has the address, and a clear refusal for all
else."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from checker.cli.explore import _explorer, answers_of, page_of
from checker.cli.serving import LARGEST, Served
from checker.trace.read_itf import read_trace

QUESTIONS = ("run", "here", "picture", "trace", "find")


@pytest.fixture
def served(lock: str) -> Iterator[Served]:
    """The careless lock, served by a thread of this process."""
    explorer = _explorer(f"{lock}:Careless", (), ())
    found = Served(page_of(explorer, 20.0), answers_of(explorer, 20.0))
    thread = threading.Thread(target=found.serve)
    thread.start()
    yield found
    found.stop()
    thread.join(10)
    assert not thread.is_alive()


def asked(
    served: Served, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[HTTPResponse, bytes]:
    """What is answered to a request."""
    connection = HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response, content


def question(served: Served, name: str, fields: Any, **headers: str) -> tuple[int, Any]:
    """The status and the answer to a question, as the page asks it."""
    sent = {"Content_Type": "application/json", **headers}
    response, content = asked(served, "POST", f"/{served.token}/{name}", json.dumps(fields).encode(), **sent)
    return response.status, json.loads(content)


def refused(response: HTTPResponse, content: bytes, status: int) -> str:
    """The reason of a refusal: JSON with one sentence, no traceback, and the connection is closed."""
    assert (response.status, response.headers.get_content_type()) == (status, "application/json")
    found = json.loads(content)
    assert list(found) == ["error"] and "Traceback" not in found["error"] and response.headers["Connection"] == "close"
    return str(found["error"])


def test_the_page_is_one_file_and_may_load_nothing(served: Served) -> None:
    """One script, with the nonce of the policy; no address in it; nobody may frame or keep it."""
    response, content = asked(served, "GET", f"/{served.token}/")
    page, policy = content.decode(), response.headers["Content-Security-Policy"]
    assert response.status == 200 and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert nonce and page.count(f'<script nonce="{nonce}">') == 1 and page.count("<script") == 2
    assert "src=" not in page and "href=" not in page and "http://" not in page.replace("http://www.w3.org/", "")
    assert response.headers["Cache-Control"] == "no-store" and response.headers["Referrer-Policy"] == "no-referrer"
    again = asked(served, "GET", f"/{served.token}/")[0].headers["Content-Security-Policy"]
    assert again != policy


def test_a_run_its_choices_its_picture_and_its_trace_are_answered(served: Served) -> None:
    """What the page asks while somebody walks to the violation, and the file that is saved there."""
    status, run = question(served, "run", {"path": "1.1.1", "predicates": ["owner == c2"]})
    assert status == 200 and run["path"] == "1.1.1" and len(run["steps"]) == 3
    assert (
        run["pins"][0]["truths"] == ["false", "false", "true"]
        and ["alone", ["false", "false"]] in run["steps"][2]["verdicts"]
    )
    status, here = question(served, "here", {"path": "1.1"})
    assert [(c["number"], c["name"], c["breaks"]) for c in here["choices"]] == [
        (1, "take(c2)", ["alone"]),
        (2, "leave(c1)", []),
    ]
    assert here["choices"][0]["title"] == "c2: take" and "owner: c1 → c2" in here["choices"][0]["lines"]
    assert any("leave(c2) is disabled: c2 is not in inside" in text for text in here["refused"])
    picture = question(served, "picture", {"path": "1.1.1"})[1]
    assert picture.get("svg", "<svg").startswith("<svg")
    saved = question(served, "trace", {"path": "1.1.1"})[1]
    Path(saved["file"]).write_text(saved["itf"], encoding="utf-8")
    assert saved["file"] == "lock-Careless-alone.itf.json" and read_trace(saved["file"]).property == "alone"
    found = question(served, "find", {"path": "1", "predicate": "len(inside) == 2", "at_end": False})[1]
    assert (found["verdict"], found["path"]) == ("found", "1.1.1") and found["text"].startswith("2 steps from here")


def test_without_the_token_nothing_is_answered(served: Served) -> None:
    """The page, the questions, and what is no address at all."""
    wrong = "x" * len(served.token)
    for path in ("/", f"/{wrong}/", f"/{served.token[:-1]}/", "/favicon.ico", f"/{served.token}x/", "/%E2%82%AC/"):
        assert "token" in refused(*asked(served, "GET", path), 403)
    for name in QUESTIONS:
        assert "token" in refused(
            *asked(served, "POST", f"/{wrong}/{name}", b"{}", Content_Type="application/json"), 403
        )


def test_another_host_or_origin_is_refused(served: Served) -> None:
    """A name that was made to resolve to this machine; another page, also one of this machine on another port."""
    page, ask = f"/{served.token}/", f"/{served.token}/here"
    for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1", f"127.0.0.1:{served.port + 1}", ""):
        assert "another name" in refused(*asked(served, "GET", page, Host=host), 403)
    for host in ("127.0.0.1", "localhost"):
        assert asked(served, "GET", page, Host=f"{host}:{served.port}")[0].status == 200
    body = b'{"path": "1"}'
    for origin in (
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{served.port + 1}",
        f"https://127.0.0.1:{served.port}",
    ):
        sent = asked(served, "POST", ask, body, Content_Type="application/json", Origin=origin)
        assert "this page" in refused(*sent, 403)
    own = f"http://127.0.0.1:{served.port}"
    assert question(served, "here", {"path": "1"}, Origin=own, Sec_Fetch_Site="same-origin")[0] == 200
    assert question(served, "here", {"path": "1"}, Sec_Fetch_Site="cross-site")[0] == 403


def test_a_wrong_method_says_which_is_right(served: Served) -> None:
    """The page is read, questions are sent; nothing else is answered, not even what a browser asks before a question
    from another page."""
    page, ask = f"/{served.token}/", f"/{served.token}/here"
    for method, path, right in (
        ("POST", page, "GET"),
        ("GET", ask, "POST"),
        ("PUT", page, "GET, POST"),
        ("OPTIONS", ask, "GET, POST"),
        ("DELETE", ask, "GET, POST"),
    ):
        response, content = asked(served, method, path)
        refused(response, content, 405)
        assert response.headers["Allow"] == right and "Access-Control-Allow-Origin" not in response.headers
    assert asked(served, "HEAD", page)[0].status == 405
    for path in ("lock.py", "../lock.py", "here/", "run/here", "%2e%2e/lock.py"):
        refused(*asked(served, "GET", f"/{served.token}/{path}"), 404)


def test_what_is_too_long_or_no_question_is_refused(served: Served) -> None:
    """Before it is read, where its length says so."""
    ask, kind = f"/{served.token}/here", "application/json"
    assert str(LARGEST) in refused(
        *asked(served, "POST", ask, b"{}", Content_Type=kind, Content_Length=str(LARGEST + 1)), 413
    )
    for length in ("-1", "9" * 4000, "x", "٣".encode().decode("latin-1")):
        response, content = asked(served, "POST", ask, b"{}", Content_Type=kind, Content_Length=length)
        refused(response, content, 413 if length[0] == "9" else 411)
    refused(*asked(served, "POST", ask, b"{}", Content_Type=kind, Transfer_Encoding="chunked"), 411)
    refused(*asked(served, "POST", ask, b"{}", Content_Type="text/plain"), 415)
    refused(*asked(served, "GET", f"/{served.token}/?{'x' * 70_000}"), 414)
    for body in (b"", b"{", b"\xff", b"[" * 60_000, b"[]", b"1"):
        refused(*asked(served, "POST", ask, body, Content_Type=kind), 400)


@pytest.mark.parametrize(
    "name, fields, why",
    [
        ("here", {}, "the field path"),
        ("here", {"path": 1}, "the field path"),
        ("here", {"path": "x"}, "is no path"),
        ("here", {"path": "1.9"}, "step 1 of the path is number 9"),
        ("run", {"path": "2", "predicates": []}, "initial state 2"),
        ("run", {"path": "1", "predicates": [1]}, "the field predicates"),
        ("run", {"path": "1." + "1." * 3000 + "1", "predicates": []}, "at most"),
        ("find", {"path": "1", "predicate": "nobody", "at_end": False}, "nothing called nobody"),
        ("find", {"path": "1", "predicate": "open('x')", "at_end": False}, "open is a function"),
        ("find", {"path": "1", "predicate": "owner", "at_end": "no"}, "the field at_end"),
    ],
)
def test_a_question_that_is_wrong_is_answered_with_what_is_wrong(
    served: Served, name: str, fields: Any, why: str
) -> None:
    """And the next one is answered as if nothing had been."""
    status, answer = question(served, name, fields)
    assert status == 400 and why in answer["error"] and "Traceback" not in answer["error"]
    assert question(served, "here", {"path": "1"})[0] == 200


def test_an_internal_error_is_one_sentence_for_the_page_and_for_the_terminal(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback, and the server goes on."""

    def broken(fields: dict[str, Any]) -> Any:
        raise ZeroDivisionError("made for the test")

    served.answers = {**served.answers, "here": broken}
    status, answer = question(served, "here", {"path": "1"})
    assert (status, answer) == (500, {"error": "internal error: ZeroDivisionError: made for the test"})
    assert capsys.readouterr().err == "checker explore: internal error: ZeroDivisionError: made for the test\n"
    assert question(served, "picture", {"path": "1"})[0] == 200


def test_a_connection_that_says_nothing_holds_nobody_up(served: Served) -> None:
    """Browsers open connections ahead of time."""
    with socket.create_connection(("127.0.0.1", served.port)):
        assert question(served, "here", {"path": "1"})[0] == 200


def test_only_this_machine_is_listened_to(served: Served) -> None:
    """The socket is bound to 127.0.0.1; a port that is taken is an error with a remedy."""
    assert served._server.socket.getsockname()[0] == "127.0.0.1"
    with pytest.raises(Exception, match=f"--port {served.port}: cannot listen there"):
        Served(served.page, served.answers, served.port)


def test_ctrl_c_ends_it_with_exit_code_0(lock: str) -> None:
    """The address is printed before anything is asked; nothing of Python's is printed afterwards."""
    command = [sys.executable, "-m", "checker", "explore", lock, "--no-browser", "-D", "clients=3"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("lock.py: http://127.0.0.1:")
        port, token = first.strip().rpartition(":")[2].strip("/").split("/")
        connection = HTTPConnection("127.0.0.1", int(port), timeout=30)
        connection.request("GET", f"/{token}/")
        assert b"clients=3" in connection.getresponse().read()
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()  # else leaving the block waits for a command that heard nothing
    assert (process.returncode, err) == (0, "") and "Traceback" not in out


def test_a_trace_has_its_own_constants(checker: Any, lock: str) -> None:
    """-D and --property are for models; a model that there is not, and a property, are errors as everywhere."""
    checker("check", f"{lock}:Careless", "--out", "out")
    trace = next(str(p) for p in Path("out").rglob("trace.itf.json"))
    for arguments in (
        (trace, "-D", "clients=2"),
        (trace, "--property", "alone"),
        ("no.json",),
        (lock, "--property", "no"),
    ):
        assert checker("explore", *arguments, "--no-browser").code == 2
