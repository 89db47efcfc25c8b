"""Check that secret keys cannot be guessed, are not readable by others, and serve one purpose each."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.db.session import session_scope
from pbem.ops.doctor.check import Check, Level, failed, passed, warned
from pbem.play.operators.totp import names_by_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Config
    from pbem.ops.doctor.check import CheckContext, Result

MIN_DISTINCT_CHARACTERS = 10
"""Minimum distinct characters of a key; one with fewer was typed, not generated."""
_READABLE_BY_OTHERS = stat.S_IRGRP | stat.S_IROTH
_NEW_KEY_HINT = 'Make a new key with `python -c "import secrets; print(secrets.token_hex(32))"`'


def _check_keys(ground: CheckContext) -> Iterator[Result]:
    found = [*_check_strength(ground.config), *_check_file_modes(ground)]
    yield from found
    if not any(said.level is Level.FAIL for said in found):
        keys = ground.config.secret_keys
        signs = "it signs" if len(keys) == 1 else "the last signs, all are accepted"
        yield passed(f"PBEM_SECRET_KEYS holds {len(keys)}: {signs}.")


def _check_strength(config: Config) -> Iterator[Result]:
    keys = config.secret_keys
    if any(len(set(key)) < MIN_DISTINCT_CHARACTERS for key in keys):
        yield failed(
            "A key of PBEM_SECRET_KEYS can be guessed.",
            "Have another one sign by `pbem keys --add` and `--sign`; drop this one soon after.",
        )
    if len(set(keys)) < len(keys):
        yield warned("A key stands twice in PBEM_SECRET_KEYS.", "Keep it once, at the place of the first.")
    given = f"{config.incoming_key},{config.mailgun_key}".split(",")
    if not set(keys).isdisjoint(given):
        yield failed(
            "The key that lets in mail by HTTP is also one that signs: a mail service knows it.",
            f"{_NEW_KEY_HINT}, for PBEM_INCOMING_KEY.",
        )


def _check_file_modes(ground: CheckContext) -> Iterator[Result]:
    for what, file in (("The settings", ground.settings), ("The DKIM key", _path(ground.config.dkim_key))):
        if file and file.stat().st_mode & _READABLE_BY_OTHERS:
            yield failed(f"{what} in {file} can be read by others of this machine.", f"chmod 600 {file}")


def _check_codes(ground: CheckContext) -> Iterator[Result]:
    keys = ground.config.secret_keys
    with session_scope(ground.engine) as session:
        found = names_by_key(session, keys)
    if lost := found.get(""):
        yield warned(
            f"The key that seals the codes of {', '.join(lost)} is not in PBEM_SECRET_KEYS: their codes do not count.",
            "Put the key back before the others, until each has entered by a code; if it is lost, or has leaked, have "
            "them set up new ones after `pbem admin operators forget-factor`.",
        )
    if older := [name for key in keys[:-1] for name in found.get(key, ())]:
        yield warned(
            f"An older key than the last of PBEM_SECRET_KEYS seals the codes of {', '.join(older)}.",
            "Drop none before each of them has entered by a code once more: `pbem keys` says which seals what.",
        )
    if not lost and not older:
        yield passed("No operator's codes hang on another key than the one that signs.")


def _path(name: str | None) -> Path | None:
    return Path(name) if name else None


CHECKS = (Check("keys", _check_keys), Check("codes", _check_codes, needs=("migrations",)))
