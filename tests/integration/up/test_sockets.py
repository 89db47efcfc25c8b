import socket
import threading
from pathlib import Path

from pbem.up import sockets


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
        assert sockets.answer(place, b"ping") == b"PING"
        thread.join()
    assert sockets.answer(place, b"ping") == b""
