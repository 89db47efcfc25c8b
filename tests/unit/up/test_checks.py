import pytest

from pbem.up import checks
from pbem.up.errors import StartError


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("games.example.org", False)],
)
def test_loopback_is_known(host: str, *, expected: bool) -> None:
    assert checks.is_loopback(host) is expected


@pytest.mark.parametrize(("host", "port", "text"), [("127.0.0.1", 25, "127.0.0.1:25"), ("::1", 25, "[::1]:25")])
def test_an_address_is_written_and_read_again(host: str, port: int, text: str) -> None:
    assert checks.joined(host, port) == text
    assert checks.parted(text) == (host, port)


def test_an_address_without_a_port_is_refused() -> None:
    with pytest.raises(StartError, match="“localhost” is no address with a port"):
        checks.parted("localhost")


def test_nobody_there_is_not_ready() -> None:
    assert not checks.greets("127.0.0.1", checks.listenable("127.0.0.1", 0))
