"""Handing mails on: into folders, or over one kept connection to a mail server."""

from __future__ import annotations

import ssl
import subprocess
from typing import TYPE_CHECKING

import pytest

from emails.outbound.transport import DeliveryError
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.emails.outbound.transport import RAW, neighbour, way
from tests.support.left_out import program

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["neighbour"]


def test_tls_that_cannot_be_trusted_is_not_used_and_loses_no_mail(neighbour: Neighbour, tmp_path: Path) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    openssl = program("openssl", "openssl")
    name = ("-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate))
    subprocess.run((openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *name), check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    with listening(neighbour, tls_context=context) as where:
        line = way(f"smtp://{where}")
        with pytest.raises(DeliveryError, match="certificate") as refused:
            line.send("games@x.org", "ann@example.org", RAW)
        line.close()
    assert not refused.value.permanent
    assert not neighbour.taken
