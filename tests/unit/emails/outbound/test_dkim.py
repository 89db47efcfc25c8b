"""Signing by DKIM: the same signature as that of dkimpy, the usual implementation, which verifies it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import settings as cases
from hypothesis import strategies as st

from emails.content.mime import InlineImage, alternative
from emails.outbound.dkim import OVERSIGNED_HEADERS, SIGNED_HEADERS, sign
from pbem.config import Config, from_environment
from pbem.signing_keys import load_signing_key
from tests.support.house import settings

NOW = datetime(2026, 1, 27, 15, 30, tzinfo=UTC)
HEADERS = b"From: Slow games <games@games.localhost>\r\nSubject: Your turn:\r\n Minimax\r\n"
BODIES = (
    b"",
    b"\r\n",
    b"\r\n\r\n\r\n",
    b"One line\r\n",
    b"An end\r\n\r\n\r\n",
    b"  two  spaces\tand tabs \t \r\n \r\n\t\r\n",
    b"No end",
)


@pytest.fixture(scope="module")
def signing(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """Settings with a key in a file."""
    folder = tmp_path_factory.mktemp("dkim")
    file = write_key(folder, rsa.generate_private_key(65537, 2048))
    return from_environment(settings("postgresql://x/x", folder, PBEM_DKIM_KEY=str(file), PBEM_DKIM_SELECTOR="games"))


def write_key(folder: Path, key: rsa.RSAPrivateKey) -> Path:
    file = folder / f"{key.key_size}.pem"
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
    return file


def signature_of(raw: bytes) -> dict[str, str]:
    """Return the fields of the signature before a mail, without white space."""
    header = raw.partition(b":")[2].partition(b"\r\nFrom")[0].decode()
    fields = (field.partition("=") for field in "".join(header.split()).split(";"))
    return {name: value for name, _, value in fields}


def by_dkimpy(config: Config, raw: bytes) -> bytes:
    header: bytes = dkim.sign(
        raw,
        config.dkim_selector.encode(),
        config.mail_domain.encode(),
        Path(config.dkim_key or "").read_bytes(),
        include_headers=[name.encode() for name in (*SIGNED_HEADERS, *OVERSIGNED_HEADERS)],
        canonicalize=(b"relaxed", b"relaxed"),
    )
    return header + raw


def verifies(config: Config, raw: bytes) -> bool:
    record = load_signing_key(config.dkim_key or "").record.encode()
    return bool(dkim.verify(raw, dnsfunc=lambda *_args, **_named: record))


def test_without_a_key_nothing_is_signed(tmp_path: Path) -> None:
    config = from_environment(settings("postgresql://x/x", tmp_path))
    assert sign(config, b"From: x\r\n\r\nHi", NOW) == b"From: x\r\n\r\nHi"


@pytest.mark.parametrize("body", BODIES)
def test_a_signature_is_that_of_dkimpy_which_verifies_it(
    signing: Config, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dkim, "time", SimpleNamespace(time=NOW.timestamp))
    raw = HEADERS + b"\r\n" + body
    signed = sign(signing, raw, NOW)
    assert signature_of(signed) == signature_of(by_dkimpy(signing, raw))
    assert verifies(signing, signed)


@cases(max_examples=30)
@given(
    lines=st.lists(st.text(st.sampled_from("a =.é\t"), max_size=90)),
    names=st.lists(st.sampled_from(["SUBJECT", "Reply-To", "X-Other", "List-Id"]), max_size=6),
)
def test_whatever_a_mail_says_it_verifies(signing: Config, lines: list[str], names: list[str]) -> None:
    headers = "".join(f"{name}: {number} {name}\r\n" for number, name in enumerate(names)).encode()
    mail = alternative({"To": "ann@example.org"}, "\n".join(lines), "", [InlineImage("i", b"png")], "1")
    raw = sign(signing, HEADERS + headers + mail, NOW)
    assert raw.endswith(mail)
    assert verifies(signing, raw)
    assert max(map(len, raw.split(b"\r\nFrom")[0].split(b"\r\n"))) <= 78


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"Hello", b"Hallo"), (b" Minimax", b" Montauk"), (b"\r\nFrom: ", b"\r\nFrom: eve@example.org\r\nFrom: ")],
)
def test_a_changed_mail_does_not_verify(signing: Config, old: bytes, new: bytes) -> None:
    raw = sign(signing, HEADERS + b"\r\nHello\r\n", NOW)
    assert verifies(signing, raw)
    changed = raw.replace(old, new)
    assert changed != raw
    assert not verifies(signing, changed)
