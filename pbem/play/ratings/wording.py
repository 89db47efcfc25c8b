"""What "rated" means for a match, and why it does not count, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.matches import withheld
from pbem.play.ratings import standings
from pbem.ratings.eligibility import MAX_LOSSES_ON_TIME, MAX_MATCHES_PER_PAIR, WINDOW, Reason
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Match, SeatHolder

_REASONS: Mapping[str, str] = {
    Reason.ROBOT: marked("This match is not rated, since a robot had a seat from the start."),
    Reason.BOT: marked(
        "This match is not rated, since a bot plays, and its owner and the host have not both agreed to rate it."
    ),
    Reason.FRIENDLY: marked("This match is friendly: it is not rated."),
    Reason.ANNULLED: marked("The operator has annulled this match for ratings."),
    Reason.VOID: marked("This match is not rated, since nobody won it."),
    Reason.SHORT_DRAW: marked("This match is not rated, since its draw was agreed very early."),
    Reason.SAME_PERSON: marked("This match is not rated, since one person played several seats."),
    Reason.UNCONFIRMED: marked("This match is not rated, since a player had not confirmed their address."),
    Reason.PAIR_LIMIT: marked(
        "This match is not rated: of the same two people at most {matches} matches in {days} days count."
    ),
    Reason.TIMEOUT_LIMIT: marked(
        "This match is not rated: of one person at most {losses} losses on time in {days} days count."
    ),
}
"""Reasons that are said; the others are plain from the match itself."""

_EVEN = 50


def rating_note(match: Match, present: Sequence[SeatHolder]) -> str:
    """Return whether a match counts for ratings, in a sentence; empty if that needs no words."""
    reason = standings.why_unrated(match, len(match.seats), present)
    if reason is None:
        if match.rated_at is not None:
            return _("The result counts for the players’ ratings.")
        if match.state != MatchState.OVER:
            return rated_sentence()
        return "" if withheld.hides_table(match) else _("The result is being rated.")
    if reason not in _REASONS:
        return ""
    limits = {"matches": MAX_MATCHES_PER_PAIR, "losses": MAX_LOSSES_ON_TIME, "days": WINDOW.days}
    return _(_REASONS[reason], **limits)


def rated_sentence() -> str:
    """Return what "rated" does, for those who may sit down."""
    return _(
        "Rated: the result changes the players’ ratings, unless a robot has a seat from the start. "
        "Of the same two people, {matches} matches in {days} days count.",
        matches=MAX_MATCHES_PER_PAIR,
        days=WINDOW.days,
    )


def chances_sentence(name: str, percent: int) -> str:
    """Return who is likelier to win by the ratings: "About 60 to 40 for Bob"."""
    if percent == _EVEN:
        return _("By your ratings it is about even.")
    return _(
        "By your ratings it is about {chance} to {rest} for {name}.", chance=percent, rest=100 - percent, name=name
    )
