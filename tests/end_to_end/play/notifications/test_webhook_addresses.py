"""Where webhooks call, and where they never do: our own network."""

from __future__ import annotations

import ssl
import subprocess
from typing import TYPE_CHECKING

import pytest

from pbem.play.notifications import webhook_client
from pbem.play.notifications.webhook_client import CallError
from tests.support.receiver import receiving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.house import House


def test_only_who_has_the_certificate_of_the_name_is_told(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2")
    named = ("-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
    subprocess.run((*made, *named), check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with receiving(context) as program:
        port = program.url.rpartition(":")[2]
        with pytest.raises(CallError, match="Its certificate is not valid for this address"):
            webhook_client.call(house.config, f"https://localhost:{port}/", b"{}", {})
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with pytest.raises(CallError, match="Its certificate is not valid for this address"):
            webhook_client.call(house.config, f"https://127.0.0.1:{port}/", b"{}", {})
        assert not program.calls
        webhook_client.call(house.config, f"https://localhost:{port}/", b"{}", {})
        assert len(program.calls) == 1
