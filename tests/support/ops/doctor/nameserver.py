"""A small real name server for tests, on a port of its own: it knows what it is told, and nothing else."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
from dns.reversename import from_address

if TYPE_CHECKING:
    from collections.abc import Iterator

TTL = 60
PIECE = 255


@dataclass
class Zone:
    """What names are said to have: records by name and type, as zone files write them."""

    records: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    silent: bool = False

    def text(self, name: str, *texts: str) -> Zone:
        """Set the TXT records of a name, in place of those that it had."""
        pieces = ([text[at : at + PIECE] for at in range(0, len(text), PIECE)] for text in texts)
        return self.has(name, "TXT", *(" ".join(f'"{piece}"' for piece in each) for each in pieces))

    def has(self, name: str, kind: str, *values: str) -> Zone:
        """Set the records of a kind of a name, in place of those that it had."""
        self.records[name, kind] = list(values)
        return self

    def called(self, address: str, *found: str) -> Zone:
        """Set the names of an address."""
        return self.has(str(from_address(address)).rstrip("."), "PTR", *found)

    def answer(self, asked: bytes) -> bytes:
        """Answer one question."""
        question = dns.message.from_wire(asked)
        answer = dns.message.make_response(question)
        answer.flags |= dns.flags.RA
        wanted = question.question[0]
        name, kind = wanted.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(wanted.rdtype)
        self.asked.append((name, kind))
        values = self.records.get((name, kind), [])
        if values:
            answer.answer.append(dns.rrset.from_text(wanted.name, TTL, "IN", kind, *values))
        elif not any(known == name for known, _ in self.records):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer.to_wire()


@contextmanager
def name_server(zone: Zone) -> Iterator[str]:
    """Run the server for as long as a `with` block lasts; gives its address and port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind(("127.0.0.1", 0))
        host, port = line.getsockname()

        def serve() -> None:
            while True:
                asked, who = line.recvfrom(4096)
                if not asked:
                    return
                if not zone.silent:
                    line.sendto(zone.answer(asked), who)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"{host}:{port}"
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"", (host, port))
            thread.join(10)
