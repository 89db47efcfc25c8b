"""The record of a match that is over, with everything that was secret while it ran."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from pbem.games.record import Record
from pbem.games.record_text import as_text
from pbem.i18n import _
from pbem.play.archive import comments
from pbem.play.core import tokens
from pbem.play.matches.match_state import log_of
from pbem.play.matches.seats import entropy_of
from pbem.play.matches.views import names_of

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Table


_SHARED = "record"


class NoRecordYetError(Exception):
    """Says why a match has no record."""


def shared_key(match: Match) -> str:
    """Give what opens a finished private match to whoever has it; it lives as long as the record.

    It is made from the match's own secret, which nobody knows before the match is over.
    """
    return tokens.derive(match.secret.hex(), _SHARED, match.id)


def is_open(match: Match, key: str) -> bool:
    """Tell whether a match may be looked at by somebody who has a key, or none."""
    shared = match.state == "over" and match.seed is not None
    return match.public or (shared and key.isascii() and hmac.compare_digest(key, shared_key(match)))


def record_of(table: Table, match: Match) -> Record:
    """Give the record of a match that is over; raises NoRecordYetError with the reason before."""
    if match.state != "over":
        raise NoRecordYetError(_("The record is open when the match is over: it holds what is still secret."))
    if match.seed is None or match.result is None:
        raise NoRecordYetError(_("This match was called off before it began, so there is no record of it."))
    if match.forked_from is not None:
        raise NoRecordYetError(
            _("This match was for practice. It plays on from another one, so it has no record that stands by itself.")
        )
    entropies = [entropy_of(seat) for seat in match.seats]
    return Record(
        match=match.id,
        game=match.game,
        edition=match.edition,
        options=match.options,
        seats=tuple(seat.name or "" for seat in match.seats) if match.imported_at else names_of(table, match),
        commitment=match.commitment,
        secret=match.secret,
        entropies=tuple(entropy for entropy, _ in entropies),
        entropy_by=tuple(by for _, by in entropies),
        seed=match.seed,
        log=log_of(table, match.id),
        result=match.result,
        head=match.head,
    )


def text_of(table: Table, match: Match, reader: int | None = None) -> str:
    """Write the record of a match that is over as text, with what was said of its steps; raises NoRecordYetError."""
    said = comments.remarks(table, match, reader)
    told = {step: [f"{remark.name}: {remark.text}" for remark in of_step] for step, of_step in said.items()}
    return as_text(record_of(table, match), told)
