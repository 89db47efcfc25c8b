"""Signing by DKIM: whoever asks the sender's domain for its key finds every mail to be ours and unchanged."""

from __future__ import annotations

import base64
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import dkim
import pytest
from sqlalchemy import select

from emails.outbound.dkim import sign
from emails.outbound.relay import deliver_shard
from pbem.config import ConfigError, from_environment
from pbem.db.models import OutboxMessage
from pbem.states import OutboxState
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.house import settings
from tests.support.left_out import program

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.config import Config
    from tests.support.house import House


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A private key in a file, and what the domain says of its public one."""
    openssl = program("openssl", "openssl")
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
    house.start_match("martian-whist", 2)
    with listening(neighbour) as where:
        config = signing(replace(house.config, smtp_url=f"smtp://{where}"), keys)
        for shard in {*house.all(select(OutboxMessage.shard).where(OutboxMessage.state == OutboxState.PENDING))}:
            deliver_shard(house.engine, config, shard)
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


def spoilt(keys: tuple[Path, bytes], how: str) -> bytes:
    """Return what stands in a key's file that was put there by mistake, or was damaged."""
    pem = keys[0].read_bytes()
    if how == "another kind":
        openssl = shutil.which("openssl")
        assert openssl
        made = (openssl, "genpkey", "-algorithm", "ed25519")
        return subprocess.run(made, check=True, capture_output=True).stdout
    if how == "too short":
        openssl = shutil.which("openssl")
        assert openssl
        made = (openssl, "genrsa", "-traditional", "512")
        return subprocess.run(made, check=True, capture_output=True).stdout
    return {"text": b"root:x:0:0:root:/root:/bin/sh\n", "cut off": pem[: len(pem) // 2], "empty": b""}[how]


SPOILT = ("text", "cut off", "empty", "another kind", "too short")


@pytest.mark.parametrize("how", SPOILT)
def test_a_key_that_cannot_sign_is_refused_at_start(tmp_path: Path, keys: tuple[Path, bytes], how: str) -> None:
    wrong = tmp_path / "wrong.pem"
    wrong.write_bytes(spoilt(keys, how))
    given = {"PBEM_DKIM_KEY": str(wrong), "PBEM_DKIM_SELECTOR": "games"}
    with pytest.raises(ConfigError) as refused:
        from_environment(settings("postgresql://x/x", tmp_path, **given))
    said = str(refused.value)
    assert said.startswith(f"PBEM_DKIM_KEY must be a file with an RSA key to sign mail: {wrong} holds ")
    assert "\n" not in said
    assert "PRIVATE" not in said


def test_a_key_with_the_line_ends_of_windows_signs(tmp_path: Path, house: House, keys: tuple[Path, bytes]) -> None:
    file = tmp_path / "key.pem"
    file.write_bytes(keys[0].read_bytes().replace(b"\n", b"\r\n"))
    raw = sign(signing(house.config, (file, b"")), b"From: x@games.localhost\r\n\r\nHi\r\n", datetime.now(UTC))
    assert verified(raw, keys)


@pytest.mark.parametrize("how", ["text", "missing"])
def test_mails_wait_for_a_key_that_signs_and_none_is_given_up(
    house: House, keys: tuple[Path, bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    neighbour, file = Neighbour(), tmp_path / "key.pem"
    house.start_match("martian-whist", 2)
    if how == "text":
        file.write_bytes(spoilt(keys, how))
    with listening(neighbour) as where:
        config = signing(replace(house.config, smtp_url=f"smtp://{where}"), (file, keys[1]))
        shards = {*house.all(select(OutboxMessage.shard).where(OutboxMessage.state == OutboxState.PENDING))}
        before = house.rows(OWED)
        # An hour of sweeps.
        for _time in range(3):
            assert [deliver_shard(house.engine, config, shard) for shard in shards] == [0] * len(shards)
        assert house.rows(OWED) == before
        assert "mails wait: they cannot be signed: " in caplog.text
        assert not neighbour.taken
        file.write_bytes(keys[0].read_bytes())
        assert sum(deliver_shard(house.engine, config, shard) for shard in shards) == 2
    assert all(verified(raw, keys) for _, raw in neighbour.taken)
    assert {*house.all(select(OutboxMessage.state))} == {"sent"}


OWED = select(
    OutboxMessage.id, OutboxMessage.state, OutboxMessage.due_at, OutboxMessage.error, OutboxMessage.attempts
).order_by(OutboxMessage.id)


def test_the_settings_are_checked_at_start(tmp_path: Path, keys: tuple[Path, bytes]) -> None:
    def config(**more: str) -> Config:
        return from_environment(settings("postgresql://x/x", tmp_path, **more))

    given = {"PBEM_DKIM_KEY": str(keys[0]), "PBEM_DKIM_SELECTOR": "games"}
    assert (config(**given).dkim_key, config(**given).dkim_selector) == (str(keys[0]), "games")
    assert config().dkim_key is None
    for name, value in given.items():
        with pytest.raises(ConfigError, match="go together"):
            config(**{name: value})
    with pytest.raises(ConfigError, match=r"^PBEM_DKIM_KEY must be .*nowhere cannot be read: No such file"):
        config(**given | {"PBEM_DKIM_KEY": str(tmp_path / "nowhere")})
