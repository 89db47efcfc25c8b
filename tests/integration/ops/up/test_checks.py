import socket
import threading
from collections.abc import Iterator

import pytest

from pbem.ops.up import checks
from pbem.ops.up.errors import StartError


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def once(answer: bytes) -> tuple[int, list[bytes], threading.Thread]:
    """Serve one answer to the first who asks, and keep the question."""
    server = socket.create_server(("127.0.0.1", 0))
    questions: list[bytes] = []

    def serve() -> None:
        with server, server.accept()[0] as line:
            line.sendall(answer)
            line.settimeout(2)
            questions.append(line.recv(1000))

    port = server.getsockname()[1]
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return port, questions, thread


def test_a_taken_port_is_refused_in_one_sentence(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "PORT_RELEASE_SECONDS", 0.2)
    with pytest.raises(StartError, match=rf"^Port {taken} is in use: choose another with --port\.$"):
        checks.find_free_port("127.0.0.1", taken, "--port")


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(StartError, match=r"^Nothing can listen on 192\.0\.2\.1:8000: "):
        checks.find_free_port("192.0.2.1", 8000, "--port")


def test_port_0_asks_for_any() -> None:
    assert checks.find_free_port("127.0.0.1", 0, "--port") > 0


@pytest.mark.parametrize(
    ("answer", "ready"), [(b"HTTP/1.1 200 OK\r\n", True), (b"HTTP/1.1 503 No\r\n", False), (b"", False)]
)
def test_a_page_is_served_when_the_answer_is_200(answer: bytes, *, ready: bool) -> None:
    port, questions, thread = once(answer)
    assert checks.serves_page("127.0.0.1", port, "/readyz", "games.example.org", "https") is ready
    thread.join()
    if ready:
        assert b"Host: games.example.org\r\nX-Forwarded-Proto: https\r\n" in questions[0]


@pytest.mark.parametrize(("answer", "ready"), [(b"220 hello\r\n", True), (b"421 later\r\n", False)])
def test_an_smtp_server_greets(answer: bytes, *, ready: bool) -> None:
    assert checks.serves_smtp("0.0.0.0", once(answer)[0]) is ready


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("games.example.org", False)],
)
def test_loopback_is_known(host: str, *, expected: bool) -> None:
    assert checks.is_loopback(host) is expected


@pytest.mark.parametrize(("host", "port", "text"), [("127.0.0.1", 25, "127.0.0.1:25"), ("::1", 25, "[::1]:25")])
def test_an_address_is_written_and_read_again(host: str, port: int, text: str) -> None:
    assert checks.join_address(host, port) == text
    assert checks.split_address(text) == (host, port)


def test_an_address_without_a_port_is_refused() -> None:
    with pytest.raises(StartError, match="“localhost” is not an address with a port"):
        checks.split_address("localhost")


def test_nobody_there_is_not_ready() -> None:
    assert not checks.serves_smtp("127.0.0.1", checks.try_listen("127.0.0.1", 0))
