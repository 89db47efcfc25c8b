import socket
import threading
from pathlib import Path

import pytest

from pbem.ops.up import sockets
from pbem.ops.up.errors import StartError


def test_a_socket_is_asked(tmp_path: Path) -> None:
    place = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        server.listen()

        def serve() -> None:
            with server.accept()[0] as line:
                line.sendall(line.recv(64).upper())

        thread = threading.Thread(target=serve)
        thread.start()
        assert sockets.query(place, b"ping") == b"PING"
        thread.join()
    assert sockets.query(place, b"ping") == b""


def test_a_short_path_is_taken_as_it_is(short_path: Path) -> None:
    assert sockets.socket_folder(short_path / "run") == short_path / "run"
    assert (short_path / "run").stat().st_mode & 0o777 == 0o700
    assert list((short_path / "run").iterdir()) == []


@pytest.mark.parametrize("name", ["long" * 25, "a,b"])
def test_a_path_that_no_socket_can_have_is_replaced(
    short_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_path))
    folder = sockets.socket_folder(short_path / name)
    assert folder.parent == short_path
    assert folder.name.startswith("pbem-")
    # The same data folder always has the same one, another data folder another.
    assert sockets.socket_folder(short_path / name) == folder
    assert sockets.socket_folder(short_path / f"{name},2") != folder


def test_a_temporary_place_with_a_long_name_is_no_help(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_path / ("long" * 25)))
    folder = sockets.socket_folder(short_path / ("deep" * 25))
    assert str(folder.parent) == sockets.SHARED_FOLDER
    folder.rmdir()


def test_a_folder_that_takes_no_sockets_is_known() -> None:
    assert not sockets.supports_sockets(Path("/proc"))


def test_a_link_laid_by_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/")
    with pytest.raises(StartError, match="belongs to another user: remove it"):
        sockets.make_private(tmp_path / "link")
