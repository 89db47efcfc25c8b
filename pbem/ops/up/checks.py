"""Checks whether servers answer, and whether ports are free."""

import contextlib
import errno
import ipaddress
import socket
import time

from pbem.ops.up.errors import StartError

PORT_RELEASE_SECONDS = 2.0  # seconds until a server whose owner was just killed releases its port
WILDCARD_ADDRESSES = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- compared, not bound


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def reachable_host(host: str) -> str:
    """Return the address by which this machine reaches a server bound to `host`."""
    return WILDCARD_ADDRESSES.get(host, host)


def join_address(host: str, port: int) -> str:
    """Format a host and a port as one address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def split_address(address: str) -> tuple[str, int]:
    """Parse an address with a port."""
    host, _, port = address.rpartition(":")
    if not port.isdigit():
        raise StartError(f"“{address}” is not an address with a port, such as 127.0.0.1:8025.")
    return host.strip("[]"), int(port)


def find_free_port(host: str, port: int, option: str) -> int:
    """Return a port that can be listened on; 0 finds any. Raises StartError if it is taken."""
    end = time.monotonic() + PORT_RELEASE_SECONDS
    while True:
        try:
            return try_listen(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = error.strerror or str(error)
                raise StartError(f"Nothing can listen on {join_address(host, port)}: {reason}.") from error
            if time.monotonic() > end:
                raise StartError(f"Port {port} is in use: choose another with {option}.") from error
            time.sleep(0.1)


def try_listen(host: str, port: int) -> int:
    """Listen on a port for a moment, and return its number."""
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    with socket.socket(family, kind) as trial:
        # As the servers do: closed connections do not block a port.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        trial.bind(address)
        trial.listen(1)
        return int(trial.getsockname()[1])


def query(host: str, port: int, request: bytes, seconds: float = 1.0) -> bytes:
    """Send some bytes to a server and return the beginning of its answer, empty if there is none."""
    with (
        contextlib.suppress(OSError),
        socket.create_connection((reachable_host(host), port), timeout=seconds) as connection,
    ):
        connection.sendall(request)
        return connection.recv(256)
    return b""


def serves_page(host: str, port: int, path: str, name: str, scheme: str = "http") -> bool:
    """Return whether a web server, known as `name`, answers 200 for a path."""
    lines = (f"GET {path} HTTP/1.0", f"Host: {name}", f"X-Forwarded-Proto: {scheme}", "", "")
    return query(host, port, "\r\n".join(lines).encode()).split(b" ")[1:2] == [b"200"]


def serves_smtp(host: str, port: int) -> bool:
    """Return whether an SMTP server greets."""
    return query(host, port, b"").startswith(b"220")
