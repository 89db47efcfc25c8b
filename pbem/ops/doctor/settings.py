"""Check the settings: unknown ones, and secret keys that can be guessed, are readable by others, or are too old."""

from __future__ import annotations

import stat
from pathlib import Path

from pbem.db.session import session_scope
from pbem.ops.doctor.check import Check, CheckContext, Level, Results, failed, passed, warned
from pbem.play.operators.totp import names_by_key

MIN_DISTINCT_CHARACTERS = 10
"""Minimum distinct characters of a key; one with fewer was typed, not generated."""


def _check_unknown(context: CheckContext) -> Results:
    for sentence in context.config.unknown_settings:
        yield warned(sentence, "Correct its name in the settings, or remove it.")
    if not context.config.unknown_settings:
        yield passed("All settings are known.")


def _check_keys(context: CheckContext) -> Results:
    results = [*_check_strength(context), *_check_file_modes(context)]
    yield from results
    if not any(result.level is Level.FAIL for result in results):
        count = len(context.config.secret_keys)
        keys = "1 key, which signs" if count == 1 else f"{count} keys: the last one signs, all are accepted"
        yield passed(f"PBEM_SECRET_KEYS holds {keys}.")


def _check_strength(context: CheckContext) -> Results:
    keys = context.config.secret_keys
    if any(len(set(key)) < MIN_DISTINCT_CHARACTERS for key in keys):
        yield failed(
            "A key in PBEM_SECRET_KEYS is easy to guess.",
            "Let another one sign with `pbem keys --add` and `--sign`, and drop this one soon after.",
        )
    if len(set(keys)) < len(keys):
        yield warned("A key appears twice in PBEM_SECRET_KEYS.", "Keep it once, in the first place.")
    if not set(keys).isdisjoint(f"{context.config.incoming_key},{context.config.mailgun_key}".split(",")):
        yield failed(
            "The key that lets in mail by HTTP also signs: your mail service knows it.",
            'Create a new PBEM_INCOMING_KEY with `python -c "import secrets; print(secrets.token_hex(32))"`.',
        )


def _check_file_modes(context: CheckContext) -> Results:
    dkim_key = Path(context.config.dkim_key) if context.config.dkim_key else None
    for what, file in (("The settings", context.settings), ("The DKIM key", dkim_key)):
        if file and file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
            yield failed(f"{what} in {file} can be read by other users of this machine.", f"chmod 600 {file}")


def _check_codes(context: CheckContext) -> Results:
    keys = context.config.secret_keys
    with session_scope(context.engine) as session:
        found = names_by_key(session, keys)
    if lost := found.get(""):
        yield warned(
            f"The key that encrypts the codes of {', '.join(lost)} is not in PBEM_SECRET_KEYS: these do not work.",
            "Put the key back in front of the others until each of them has signed in with a code. If it is lost or "
            "has leaked, run `pbem admin operators forget-factor`, and have them set up new codes.",
        )
    if older := [name for key in keys[:-1] for name in found.get(key, ())]:
        yield warned(
            f"An older key in PBEM_SECRET_KEYS encrypts the codes of {', '.join(older)}.",
            "Do not drop it before each of them has signed in with a code again: `pbem keys` lists who needs which.",
        )
    if not lost and not older:
        yield passed("No operator's codes depend on an older key.")


CHECKS = (
    Check("keys", _check_keys),
    Check("codes", _check_codes, needs=("migrations",)),
    Check("settings", _check_unknown),
)
