"""Signing by DKIM: whoever asks the sender's domain for its key finds every mail to be ours and unchanged."""

from __future__ import annotations

import base64
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import dkim
import pytest
from sqlalchemy import select

from emails.relay import relay
from emails.signing import signed
from pbem.config import ConfigError, from_environment
from pbem.db.models import Notice
from tests.emails.servers import Neighbour, listening
from tests.house import settings

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.config import Config
    from tests.house import House


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A private key in a file, and what the domain says of its public one."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl here to make a key")
    private = tmp_path_factory.mktemp("dkim") / "private.pem"
    subprocess.run((openssl, "genrsa", "-traditional", "-out", str(private), "2048"), check=True, capture_output=True)
    public = subprocess.run(
        (openssl, "rsa", "-in", str(private), "-pubout", "-outform", "DER"), check=True, capture_output=True
    ).stdout
    return private, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def signing(config: Config, keys: tuple[Path, bytes]) -> Config:
    return replace(config, dkim_key=str(keys[0]), dkim_selector="games")


def verified(raw: bytes, keys: tuple[Path, bytes]) -> bool:
    """Verify as a receiving server does; the only name that it may ask for is ours."""

    def ask(name: bytes, timeout: int = 5) -> bytes | None:  # noqa: ARG001
        return keys[1] if name == b"games._domainkey.games.localhost." else None

    return bool(dkim.verify(raw, dnsfunc=ask))


def test_every_mail_that_goes_out_is_signed_and_verifies(house: House, keys: tuple[Path, bytes]) -> None:
    neighbour = Neighbour()
    house.begin("martian-whist", 2)
    with listening(neighbour) as where:
        config = signing(replace(house.config, smtp_url=f"smtp://{where}"), keys)
        for shard in {*house.all(select(Notice.shard).where(Notice.state == "owed"))}:
            relay(house.engine, config, shard)
    assert len(neighbour.taken) == 2
    for _, raw in neighbour.taken:
        assert verified(raw, keys)
        covered = raw.partition(b"h=")[2].partition(b";")[0].replace(b"\r\n", b"").replace(b" ", b"").split(b":")
        assert {b"from", b"list-unsubscribe", b"list-unsubscribe-post", b"message-id", b"references"} <= {*covered}
        assert covered.count(b"from") == 2
        for change in (
            (b"take 1", b"take 2"),
            (b"List-Unsubscribe=One-Click", b"List-Unsubscribe=No"),
            (b"/unsubscribe/", b"/elsewhere/"),
            (b"\r\nSubject: ", b"\r\nFrom: eve@example.org\r\nSubject: "),
        ):
            changed = raw.replace(*change)
            assert changed == raw or not verified(changed, keys)
        # What relays may do to a mail does no harm.
        assert verified(b"Received: from x by y; now\r\n" + raw.replace(b"Subject: ", b"Subject:  "), keys)


def test_without_a_key_nothing_is_signed(house: House) -> None:
    assert signed(house.config, b"From: x\r\n\r\nHi") == b"From: x\r\n\r\nHi"


def test_the_settings_are_checked_at_start(
    tmp_path: Path, keys: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def config(**more: str) -> Config:
        return from_environment(settings("postgresql://x/x", tmp_path, **more))

    given = {"PBEM_DKIM_KEY": str(keys[0]), "PBEM_DKIM_SELECTOR": "games"}
    assert (config(**given).dkim_key, config(**given).dkim_selector) == (str(keys[0]), "games")
    assert config().dkim_key is None
    for name, value in given.items():
        with pytest.raises(ConfigError, match="go together"):
            config(**{name: value})
    with pytest.raises(ConfigError, match="there is none at"):
        config(**given | {"PBEM_DKIM_KEY": str(tmp_path / "nowhere")})
    monkeypatch.setattr("pbem.config.find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match="needs the package dkimpy"):
        config(**given)
