"""The record of a match that is over, with everything that was secret while it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.record import Record
from pbem.play.history import course_of
from pbem.play.matches import entropy_of
from pbem.play.views import names_of
from pbem.words import _

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.table import Table


class NoRecordYetError(Exception):
    """Says why a match has no record."""


def record_of(table: Table, match: Match) -> Record:
    """Give the record of a match that is over; raises NoRecordYetError with the reason before."""
    if match.state != "over":
        raise NoRecordYetError(_("The record is open when the match is over: it holds what is still secret."))
    if match.seed is None or match.result is None:
        raise NoRecordYetError(_("This match was called off before it began, so there is no record of it."))
    entropies = [entropy_of(seat) for seat in match.seats]
    return Record(
        match=match.id,
        game=match.game,
        edition=match.edition,
        options=match.options,
        seats=names_of(table, match),
        commitment=match.commitment,
        secret=match.secret,
        entropies=tuple(entropy for entropy, _ in entropies),
        entropy_by=tuple(by for _, by in entropies),
        seed=match.seed,
        log=course_of(table, match).log,
        result=match.result,
        head=match.head,
    )
