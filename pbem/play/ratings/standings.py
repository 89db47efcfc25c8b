"""Ratings as players read them: their own, those that others may see, and whether a match counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from pbem.db.models import Match, PlayerRating, RatingChange, SeatHolder
from pbem.i18n import _
from pbem.play.players import bots
from pbem.ratings.eligibility import Reason
from pbem.ratings.fold import Standing
from pbem.ratings.model import win_chances
from pbem.ratings.rating import Rating, is_provisional
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from pbem.play.core.context import Context

MAX_CHANGES = 200
"""Maximum changes of a rating that are listed, the newest."""

_PAIR = 2


@dataclass(frozen=True, slots=True)
class OwnRating:
    """A player's rating in a game at present."""

    game: str
    rating: Rating
    matches: int

    @property
    def provisional(self) -> bool:
        """Whether few matches stand behind it."""
        return is_provisional(self.matches)


class MatchRating(NamedTuple):
    """What a match did to a player's rating: when it ended, against whom, and their place, 1 for the best."""

    match: str
    at: datetime
    opponents: tuple[str, ...]
    place: int
    before: Rating
    after: Rating


def for_player(ctx: Context, player: int) -> list[OwnRating]:
    """Return a player's ratings, those with the most matches first."""
    theirs = select(PlayerRating).where(PlayerRating.player_id == player)
    rows = ctx.session.scalars(theirs.order_by(PlayerRating.matches.desc(), PlayerRating.game))
    return [_own(ctx, row) for row in rows]


def list_changes(ctx: Context, player: int, game: str, most: int = MAX_CHANGES) -> list[MatchRating]:
    """List the newest changes of a player's rating in a game, newest first."""
    theirs = select(RatingChange).where(RatingChange.player_id == player, RatingChange.game == game)
    newest = theirs.order_by(RatingChange.at.desc(), RatingChange.match_id.desc()).limit(most)
    changes = ctx.session.scalars(newest).all()
    names: dict[str, list[str]] = {}
    others = select(RatingChange.match_id, SeatHolder.name).join(
        SeatHolder,
        (SeatHolder.match_id == RatingChange.match_id)
        & (SeatHolder.seat == RatingChange.seat)
        & (SeatHolder.player_id == RatingChange.player_id),
    )
    others = others.where(
        RatingChange.match_id.in_([one.match_id for one in changes]), RatingChange.player_id != player
    )
    for match, name in ctx.session.execute(others.order_by(RatingChange.match_id, RatingChange.seat)):
        names.setdefault(match, []).append(name)
    return [
        MatchRating(
            one.match_id,
            one.at,
            tuple(names.get(one.match_id, ())),
            one.rank + 1,
            Rating(one.mu_before, one.sigma_before),
            Rating(one.mu_after, one.sigma_after),
        )
        for one in changes
    ]


def last_change(ctx: Context, match: str, player: int) -> MatchRating | None:
    """Return what a match did to a player's rating, without the opponents; None if it did nothing yet."""
    one = ctx.session.get(RatingChange, (match, player))
    if one is None:
        return None
    before, after = Rating(one.mu_before, one.sigma_before), Rating(one.mu_after, one.sigma_after)
    return MatchRating(match, one.at, (), one.rank + 1, before, after)


def for_seats(ctx: Context, match: Match, present: Sequence[SeatHolder], reader: int | None) -> dict[int, str]:
    """Return the ratings that a reader may see at a match, as text, by seat.

    These are the reader's own and those of players who show them; and all, if the match is rated and the reader sits
    there or may still take a seat.
    """
    has_open_seat = match.state == MatchState.INVITING and match.open_seats > 0
    sits = any(one.player_id == reader for one in present)
    sees_all = match.rated and match.public and (sits or (reader is not None and has_open_seat))
    seen = {
        one.player_id: one.seat
        for one in present
        if sees_all or one.player.shows_rating or (sits and one.player_id == reader)
    }
    if not seen:
        return {}
    rows = select(PlayerRating).where(PlayerRating.game == match.game, PlayerRating.player_id.in_(seen))
    return {seen[row.player_id]: describe(_own(ctx, row)) for row in ctx.session.scalars(rows)}


def describe(own: OwnRating) -> str:
    """Return a rating as text: "rating 1512 ± 70, provisional"."""
    if own.provisional:
        return _("rating {rating}, provisional", rating=own.rating)
    return _("rating {rating}", rating=own.rating)


def chances(ctx: Context, match: Match) -> tuple[str, int] | None:
    """Return who is likelier to win a match of two by their ratings, and their chance in tens per cent.

    None if one of the two has no rating yet, or is not seated. The name is that of the first seat for even chances.
    """
    if len(match.seats) != _PAIR or match.open_seats:
        return None
    seated = select(SeatHolder.seat, SeatHolder.name, PlayerRating)
    seated = seated.join(PlayerRating, (PlayerRating.player_id == SeatHolder.player_id))
    seated = seated.where(SeatHolder.match_id == match.id, SeatHolder.left_at.is_(None))
    # What waits to be written is written together later.
    with ctx.session.no_autoflush:
        rows = ctx.session.execute(seated.where(PlayerRating.game == match.game).order_by(SeatHolder.seat)).all()
    if len(rows) != _PAIR:
        return None
    first, second = win_chances([_own(ctx, row.PlayerRating).rating for row in rows])
    tens = min(round(10 * max(first, second)), 9)
    return rows[0 if first >= second else 1].name, 10 * tens


def why_unrated(match: Match, seats: int, present: Iterable[SeatHolder]) -> str | None:
    """Return the reason why a match counts for nobody, as far as it is known by now; None if it is or will be rated."""
    if match.rated_at is not None:
        return match.unrated_reason
    first = [one for one in present if not _took_over(match, one)]
    was_cancelled = match.state == MatchState.OVER and match.seed is None
    checks = (
        (Reason.IMPORTED, match.imported_at is not None),
        (Reason.FORK, match.forked_from_id is not None),
        (Reason.SOLO, seats == 1),
        (Reason.ROBOT, any(one.player.is_robot for one in first)),
        (Reason.BOT, bots.are_unrated(match, first)),
        (Reason.PRIVATE, not match.public),
        (Reason.FRIENDLY, not match.rated),
        (Reason.ANNULLED, match.annulled_at is not None),
        (Reason.VOID, was_cancelled),
    )
    return next((str(reason) for reason, applies in checks if applies), None)


def _took_over(match: Match, holder: SeatHolder) -> bool:
    return match.started_at is not None and holder.seated_at > match.started_at


def _own(ctx: Context, row: PlayerRating) -> OwnRating:
    standing = Standing(Rating(row.mu, row.sigma), row.matches, row.at)
    return OwnRating(row.game, standing.rested(ctx.now), row.matches)
