"""Tokens, keys, passwords and mail addresses are taken out of whatever is written for operators."""

from __future__ import annotations

import hashlib
from random import Random
from socket import gethostname
from typing import TYPE_CHECKING

import pytest
from itsdangerous import URLSafeSerializer, URLSafeTimedSerializer

from pbem.config import from_environment
from pbem.play.accounts import api_keys
from pbem.play.core import tokens as core_tokens
from pbem.play.core.draws import ID_BITS
from pbem.telemetry.redaction import PLACEHOLDER, Redactor
from tests.support.house import settings
from tests.support.telemetry.redaction import scrub

if TYPE_CHECKING:
    from pathlib import Path


def tokens(drawn: Random) -> dict[str, str]:
    token = core_tokens.derive(drawn.randbytes(20).hex(), core_tokens.LINK, 1, 2, 3)
    return {
        "a token": token,
        "a token as somebody typed it": token.upper().replace("0", "O").replace("1", "I"),
        "a reply address": f"play+{token}@games.example.org",
        "a link": f"https://games.example.org/m/{token}?move=stay",
        "a key of a program": api_keys.PREFIX + core_tokens.base32(drawn.getrandbits(160), 32),
        "a private match": f"{core_tokens.base32(drawn.getrandbits(ID_BITS), ID_BITS // 5)}-{token}",
        "a cookie": core_tokens.base32(drawn.getrandbits(130), 26),
        "a hash": hashlib.sha256(drawn.randbytes(8)).hexdigest(),
        "a signed link": URLSafeSerializer(drawn.randbytes(9).hex(), salt="x").dumps(token),
        "a signed number": URLSafeSerializer(drawn.randbytes(9).hex(), salt="x").dumps([7, "someone"]),
        "a timed one": URLSafeTimedSerializer(drawn.randbytes(9).hex()).dumps([7, "someone"]),
    }


def pieces(secret: str) -> list[str]:
    """Return what of a secret would be enough to act by it, or to know whose it is."""
    return [secret[at : at + 12] for at in range(0, len(secret) - 12, 4)] or [secret]


@pytest.mark.parametrize(
    "around", ["{}", "n{}", "of {}, which", "KeyError: '{}'", "/m/{}/replay", "a={}&b=2", "\n{}\n"]
)
def test_no_token_of_any_kind_is_left(around: str) -> None:
    for seed in range(200):
        for kind, secret in tokens(Random(seed)).items():
            left = scrub(around.format(secret))
            bare = secret.rpartition("/")[2].partition("?")[0].partition("@")[0].removeprefix("play+")
            # By its name alone nobody sees a private match.
            bare = bare.partition("-")[2] if kind == "a private match" else bare
            assert PLACEHOLDER in left or "someone at" in left, (kind, secret)
            assert not any(piece in left for piece in pieces(bare)), (kind, secret, left)


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.org",
        "Ann.Smith+games@mail.example.co.uk",
        "o'neil@example.org",
        "ann%40example.org",
        "zoë@exämple.org",
        '"ann"@example.org',
        "ann@[192.0.2.7]",
        "bounce+0123@games.example.org",
        "a@b.c",
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "<{}>", "to {}: refused", "/var/mail/{}/new", "Key (email)=({}) exists", "'{}'"]
)
def test_no_mail_address_is_left(address: str, around: str) -> None:
    left = scrub(around.format(address))
    local, domain = address.replace("%40", "@").rsplit("@", 1)
    assert "@" not in left
    assert "%40" not in left
    assert f"someone at {domain}" in left
    assert (
        local.strip('"') not in left.replace("someone at", "").replace("/var/mail", "").replace(domain, "")
        or len(local) == 1
    )


def test_the_name_of_a_process_is_no_mail_address() -> None:
    assert scrub(f"celery@{gethostname()} ready.") == f"celery@{gethostname()} ready."
    assert scrub("celery@example.org") == "someone at example.org"
    assert scrub(f"ann@{gethostname()}") == f"someone at {gethostname()}"


def test_whose_provider_it_is_stays() -> None:
    assert scrub("ann@example.org was refused") == "someone at example.org was refused"


def test_settings_are_kept_secret(tmp_path: Path) -> None:
    more = {
        "DATABASE_URL": "postgresql://pbem:opensesame@db/pbem",
        "REDIS_URL": "redis://:barbarossa@broker/0",
        "PBEM_SMTP_URL": "smtp://me:t%40hedoor@mail.example.org",
        "PBEM_IMAP_URL": "imaps://me:window@mail.example.org/INBOX",
        "PBEM_INCOMING_KEY": "only-letters-and-no-digit-to-be-seen",
        "PBEM_MAILGUN_KEY": "mailgunkey",
        "PBEM_OPEN": "0",
    }
    config = from_environment(settings("", tmp_path) | more)
    ours = Redactor(config.secrets)
    for secret in ("opensesame", "barbarossa", "t%40hedoor", "t@hedoor", "window", "mailgunkey", "0" * 40):
        assert secret in config.secrets
        assert secret not in ours(f"it is {secret}.")
    assert ours("postgresql://pbem:other@db/pbem") == "postgresql://db/pbem"


def test_no_row_of_the_database_is_left() -> None:
    said = (
        "(psycopg.errors.NotNullViolation) null value in column\n"
        "DETAIL:  Failing row contains (1, the hand of Ann:\nQH 7C, null).\n[SQL: INSERT INTO submissions]\n"
    )
    assert scrub(said) == (
        "(psycopg.errors.NotNullViolation) null value in column\n"
        f"DETAIL: {PLACEHOLDER}\n[SQL: INSERT INTO submissions]\n"
    )


def test_data_is_scrubbed_wherever_a_text_stands() -> None:
    data = {
        "to": ["ann@example.org", 7, None, True, 1.5],
        "ann@example.org": {"by": ("bob@example.org", OSError("x@y.z"))},
    }
    assert scrub.redact_data(data) == {
        "to": ["someone at example.org", 7, None, True, 1.5],
        "someone at example.org": {"by": ["someone at example.org", "someone at y.z"]},
    }
